import * as z from 'zod/mini';
import {
  listNotifications,
  PushSubscription as Subscription,
  subscribeToPush,
  unsubscribeFromPush,
} from '#contract/people/notifications.ts';
import type { Client } from '#contract/platform/client.ts';
import { endPush, PUSH_KEY } from '../session/forget-private-data.ts';
import { tryStorage } from '../ui/browser-storage.ts';

/** Whether this browser shows push messages. `denied`: the person has forbidden it in the browser's settings. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on';

/** The script that shows push messages, in the folder `public/`. */
const SERVICE_WORKER = '/service-worker.js';

const isSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

export async function readPushState(): Promise<PushState> {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  return subscription && tryStorage(() => localStorage.getItem(PUSH_KEY)) !== null ? 'on' : 'off';
}

/**
 * Asks for the permission and subscribes this browser. Call it during a click, or browsers do not ask.
 * @param pushKey the shop's key
 * @returns the state afterwards: `denied` or `off` when the person does not permit it
 * @throws Problem; DOMException when the browser's push service cannot be reached
 */
export async function startPush(api: Client, pushKey: string): Promise<PushState> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off';
  await navigator.serviceWorker.register(SERVICE_WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  // It may belong to an earlier key of the shop, or to another person.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
  try {
    const body = z.parse(Subscription, subscription.toJSON());
    const { insertedId } = await api.call(subscribeToPush, { body });
    localStorage.setItem(PUSH_KEY, insertedId);
    return 'on';
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
}

/** Ends the push messages to this browser, in the shop as well. @throws Problem */
export async function stopPush(api: Client): Promise<void> {
  const _id = tryStorage(() => localStorage.getItem(PUSH_KEY));
  if (_id !== null) await api.call(unsubscribeFromPush, { params: { _id } });
  await endPush();
}

/** Closes shown push messages whose notification was seen meanwhile, here or elsewhere. */
export async function closeSeenMessages(api: Client): Promise<void> {
  if (!isSupported()) return;
  const registration = await navigator.serviceWorker.getRegistration();
  const shown = (await registration?.getNotifications()) ?? [];
  if (shown.length === 0) return;
  const newest = await api.call(listNotifications, { query: { limit: 100 } }).catch(() => []);
  const seen = new Set(newest.filter((entry) => entry.seen).map(({ _id }) => _id));
  for (const message of shown) if (seen.has(message.tag)) message.close();
}
