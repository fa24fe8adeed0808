import type { ChosenTopic, Delivery, PushSubscription } from '#contract/people/notifications.ts';
import type { PushSender } from '#server/people/notifications/push-sender.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { accountEnded, Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { lockActiveAccount } from '../accounts/steps.ts';
import * as pushStore from './push-store.ts';
import type { NotificationRow } from './rules.ts';
import * as store from './store.ts';

/** Finds one of the caller's notifications. @throws Refusal without one */
async function findOwn(database: Database, { userId }: Caller, id: string): Promise<NotificationRow> {
  const notification = await store.find(database, id);
  if (notification?.user_id !== userId) {
    throw new Refusal('not_found', 'You have no such notification. Old ones are removed after a while.');
  }
  return notification;
}

/** Marks one of the caller's notifications as seen. @returns the number of changed rows @throws Refusal */
export async function markSeen(database: Database, caller: Caller, id: string): Promise<number> {
  await findOwn(database, caller, id);
  return store.markSeen(database, id);
}

/** Marks one of the caller's notifications and all earlier ones as seen. @returns the number of changed rows @throws Refusal */
export async function markSeenUntil(database: Database, caller: Caller, id: string): Promise<number> {
  const { number } = await findOwn(database, caller, id);
  return store.markSeenUntil(database, caller.userId, number);
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
    return pushStore.upsert(transaction, caller, subscription);
  });
}
