import type { SubscribedTopic } from '#contract/listings/subscriptions.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';
import * as store from './store.ts';

export { type Addressed, type NotificationDependencies, notification } from './notification.ts';
export { keepNotificationsOf, removeNotificationsOf } from './store.ts';

/** Whether a person gets the emails that an unsubscribe link stops. */
export async function areEmailsSent(
  reader: Reader,
  userId: string,
  topic: SubscribedTopic,
): Promise<boolean> {
  const deliveries = await store.readDeliveries(reader, userId);
  return topic === 'daily' ? Object.values(deliveries).includes('daily') : deliveries[topic] !== 'off';
}

/** Stops the emails of a person's notifications. */
export async function stopEmails(
  transaction: Transaction,
  userId: string,
  topic: SubscribedTopic,
): Promise<void> {
  if (topic === 'daily') await store.stopDigests(transaction, userId);
  else await store.chooseDelivery(transaction, userId, topic, 'off');
}
