import * as z from 'zod/mini';
import type { Database } from '../database/tables.ts';
import { job } from '../jobs/queue.ts';
import type { PushSender } from '../vendors/push.ts';
import * as pushStore from './push-store.ts';
import { toPushMessage } from './rules.ts';
import * as store from './store.ts';

/** A notification is to be pushed to a browser. */
export const pushDue = job(
  'notifications.push-due',
  z.object({ notificationId: z.string(), subscriptionId: z.string() }),
);

/** How long after a notification it is still pushed, in milliseconds. */
const MAXIMUM_AGE_MS = 24 * 3_600_000;

/** Pushes a notification to a browser, unless it was seen or is old. Subscriptions that the push service has ended are removed. */
export async function pushNotification(
  { database, pushSender }: { database: Database; pushSender: PushSender },
  { notificationId, subscriptionId }: { notificationId: string; subscriptionId: string },
): Promise<void> {
  const notification = await store.find(database, notificationId);
  if (notification === undefined || notification.seen_at !== null) return;
  const remainingMs = MAXIMUM_AGE_MS - (Date.now() - notification.created_at.getTime());
  if (remainingMs <= 0) return;
  const subscription = await pushStore.find(database, subscriptionId);
  // Another person may have signed in to the browser since.
  if (subscription === undefined || subscription.user_id !== notification.user_id) return;
  const { endpoint, p256dh, auth, user_id } = subscription;
  const outcome = await pushSender.send({ endpoint, p256dh, auth }, toPushMessage(notification), remainingMs);
  if (outcome === 'ended') await pushStore.remove(database, subscriptionId, user_id);
}
