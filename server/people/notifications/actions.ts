import type { ChosenTopic, Delivery, PushSubscription } from '#contract/people/notifications.ts';
import type { PushSender } from '#server/people/notifications/push-sender.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { accountEnded, Refusal, sessionEnded } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { isSessionEnded, lockActiveAccount } from '../accounts/steps.ts';
import * as pushStore from './push-store.ts';
import * as store from './store.ts';

/**
 * Marks one of the caller's notifications as seen, or it and all earlier ones.
 * @returns the number of changed rows @throws Refusal without such a notification
 */
export async function markSeen(
  database: Database,
  { userId }: Caller,
  id: string,
  which: 'one' | 'all until',
): Promise<number> {
  const notification = await store.find(database, id);
  if (notification?.user_id !== userId) {
    throw new Refusal('not_found', 'You have no such notification. Old ones are removed after a while.');
  }
  return store.markSeen(database, userId, which === 'one' ? { id } : { until: notification.number });
}

/** Stores when the caller's notifications of a topic are emailed. @throws Refusal */
export async function chooseDelivery(
  database: Database,
  { userId }: Caller,
  topic: ChosenTopic,
  delivery: Delivery,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    if (!(await lockActiveAccount(transaction, userId))) throw accountEnded();
    await store.chooseDelivery(transaction, userId, topic, delivery);
  });
}

/** Stores a browser's push subscription for the caller's session. @returns its id @throws Refusal for an unknown push service */
export async function subscribeToPush(
  { database, pushSender }: { database: Database; pushSender: PushSender },
  caller: Caller,
  subscription: PushSubscription,
): Promise<string> {
  if (!pushSender.isKnownService(subscription.endpoint)) {
    const detail = 'This shop does not know the push service of your browser';
    throw new Refusal('invalid_input', `${detail}, so nothing was turned on.`, {
      errors: { endpoint: detail },
    });
  }
  return database.transaction().execute(async (transaction) => {
    // Serializes the caller's requests: the number of subscriptions is limited, and the end of the account removes them.
    if (!(await lockActiveAccount(transaction, caller.userId))) throw accountEnded();
    if (caller.sessionId !== null) {
      await pushStore.lockSubscriptionsOf(transaction, caller.sessionId);
      // The session may have ended since the call's access check.
      if (await isSessionEnded(transaction, caller.sessionId)) throw sessionEnded();
    }
    return pushStore.upsert(transaction, caller, subscription);
  });
}
