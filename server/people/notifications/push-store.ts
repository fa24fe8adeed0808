import { sql } from 'kysely';
import { MAXIMUM_SESSION_DAYS } from '#contract/identity/schemas.ts';
import { MAXIMUM_PUSH_SUBSCRIPTIONS, type PushSubscription } from '#contract/people/notifications.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { prepared } from '#server/platform/database/prepared-statements.ts';
import type { Database, Reader, Row, Transaction } from '#server/platform/database/tables.ts';

/** The ids of a person's push subscriptions. */
export async function idsOfUser(reader: Reader, userId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('push_subscriptions')
    .select('id')
    .where('user_id', '=', userId)
    .modifyFront(prepared)
    .execute();
  return rows.map(({ id }) => id);
}

export async function find(reader: Reader, id: string): Promise<Row<'push_subscriptions'> | undefined> {
  return reader.selectFrom('push_subscriptions').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Whether a subscription is older than its session can be. The identity provider reports the end of a session; this bounds a
 * subscription whose report was lost.
 */
export const outlivesSession = ({ session_id, created_at }: Row<'push_subscriptions'>): boolean =>
  session_id !== null && created_at.getTime() < Date.now() - MAXIMUM_SESSION_DAYS * DAY_MS;

/** Takes the lock that the trigger on an ended session takes before it removes the session's subscriptions. */
export async function lockSubscriptionsOf(transaction: Transaction, sessionId: string): Promise<void> {
  await sql`select lock_pushes_of_session(${sessionId})`.execute(transaction);
}

/** Inserts a browser's subscription; one that another person had in the same browser becomes this person's. @returns its id */
export async function upsert(
  transaction: Transaction,
  { userId, sessionId }: { userId: string; sessionId: string | null },
  { endpoint, keys }: PushSubscription,
): Promise<string> {
  const columns = { user_id: userId, session_id: sessionId, p256dh: keys.p256dh, auth: keys.auth };
  const { id } = await transaction
    .insertInto('push_subscriptions')
    .values({ ...columns, endpoint })
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet({ ...columns, created_at: new Date() }))
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    delete from push_subscriptions where id in (
      select id from push_subscriptions where user_id = ${userId}
       order by created_at desc offset ${MAXIMUM_PUSH_SUBSCRIPTIONS})`.execute(transaction);
  return id;
}

/** How long after a notification it is still pushed, in milliseconds. */
export const MAXIMUM_PUSH_AGE_MS = DAY_MS;

/** The notifications among `ids` that are neither seen nor too old to be pushed. */
async function pushableIds(reader: Reader, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await reader
    .selectFrom('notifications')
    .select('id')
    .where('id', 'in', ids)
    .where('seen_at', 'is', null)
    .where('created_at', '>', new Date(Date.now() - MAXIMUM_PUSH_AGE_MS))
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether a notification is retried already, or one more can be. */
export async function hasRetrySlot(
  reader: Reader,
  { waiting }: Pick<Row<'push_subscriptions'>, 'waiting'>,
  [notificationId, maximum]: readonly [notificationId: string, maximum: number],
): Promise<boolean> {
  if (waiting.length < maximum || waiting.includes(notificationId)) return true;
  return (await pushableIds(reader, waiting)).length < maximum;
}

/** Records that a notification is retried, if there is a free slot. @returns whether it is retried */
export async function takeRetrySlot(
  database: Database,
  subscriptionId: string,
  [notificationId, maximum]: readonly [notificationId: string, maximum: number],
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const subscription = await transaction
      .selectFrom('push_subscriptions')
      .select('waiting')
      .where('id', '=', subscriptionId)
      .forUpdate()
      .executeTakeFirst();
    if (subscription === undefined) return false;
    if (subscription.waiting.includes(notificationId)) return true;
    const waiting = await pushableIds(transaction, subscription.waiting);
    if (waiting.length >= maximum) return false;
    await transaction
      .updateTable('push_subscriptions')
      .set({ waiting: [...waiting, notificationId] })
      .where('id', '=', subscriptionId)
      .execute();
    return true;
  });
}

/** Frees all retry slots, after the push service has taken a notification. */
export async function clearRetries(database: Database, subscriptionId: string): Promise<void> {
  await database
    .updateTable('push_subscriptions')
    .set({ waiting: [] })
    .where('id', '=', subscriptionId)
    .execute();
}

/** Removes a subscription. @returns whether it was there */
export async function remove(database: Database, id: string, userId: string): Promise<boolean> {
  const result = await database
    .deleteFrom('push_subscriptions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
