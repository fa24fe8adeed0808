import * as z from 'zod/mini';
import type { PushSender } from '#server/people/notifications/push-sender.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { job } from '#server/platform/jobs/queue.ts';
import * as pushStore from './push-store.ts';
import { toPushMessage } from './rules.ts';
import * as store from './store.ts';

/** A notification is to be pushed to a browser. */
export const pushDue = job(
  'notifications.push-due',
  z.object({ notificationId: z.string(), subscriptionId: z.string() }),
  'push',
);

/**
 * How many undelivered notifications of one subscription are retried. Without a bound, a subscription with a dead address would
 * delay the pushes of others.
 */
const MAXIMUM_RETRIED = 3;

/**
 * Pushes a notification to a browser, unless it was seen or is old, or the subscription has no retry slot left. Subscriptions that the push
 * service has ended, or whose session is over, are removed.
 * @throws Error when the push service does not take it and it is retried
 */
export async function pushNotification(
  { database, pushSender }: { database: Database; pushSender: PushSender },
  { notificationId, subscriptionId }: { notificationId: string; subscriptionId: string },
): Promise<void> {
  const notification = await store.find(database, notificationId);
  if (notification === undefined || notification.seen_at !== null) return;
  const remainingMs = pushStore.MAXIMUM_PUSH_AGE_MS - (Date.now() - notification.created_at.getTime());
  if (remainingMs <= 0) return;
  const subscription = await pushStore.find(database, subscriptionId);
  // Another person may have signed in to the browser since.
  if (subscription === undefined || subscription.user_id !== notification.user_id) return;
  if (pushStore.outlivesSession(subscription)) {
    await pushStore.remove(database, subscriptionId, subscription.user_id);
    return;
  }
  const slot = [notificationId, MAXIMUM_RETRIED] as const;
  if (!(await pushStore.hasRetrySlot(database, subscription, slot))) return;
  const { endpoint, p256dh, auth, user_id, waiting } = subscription;
  try {
    const outcome = await pushSender.send(
      { endpoint, p256dh, auth },
      toPushMessage(notification),
      remainingMs,
    );
    if (outcome === 'ended') await pushStore.remove(database, subscriptionId, user_id);
    else if (waiting.length > 0) await pushStore.clearRetries(database, subscriptionId);
  } catch (error) {
    if (await pushStore.takeRetrySlot(database, subscriptionId, slot)) throw error;
  }
}
