import { sql } from 'kysely';
import { MAXIMUM_PUSH_SUBSCRIPTIONS, type PushSubscription } from '#contract/notifications.ts';
import type { Database, Reader, Row, Transaction } from '../database/tables.ts';

/** The ids of a person's push subscriptions. */
export async function idsOfUser(reader: Reader, userId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('push_subscriptions')
    .select('id')
    .where('user_id', '=', userId)
    .execute();
  return rows.map(({ id }) => id);
}

export async function find(reader: Reader, id: string): Promise<Row<'push_subscriptions'> | undefined> {
  return reader.selectFrom('push_subscriptions').selectAll().where('id', '=', id).executeTakeFirst();
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

/** Removes a subscription. @returns whether it was there */
export async function remove(database: Database, id: string, userId: string): Promise<boolean> {
  const result = await database
    .deleteFrom('push_subscriptions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
