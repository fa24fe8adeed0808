import { sql } from 'kysely';
import type { SubscribedTopic } from '#contract/listings/subscriptions.ts';
import {
  type ChosenTopic,
  type Delivery,
  MAXIMUM_UNSEEN_COUNT,
  NOTIFICATION_DAYS,
} from '#contract/people/notifications.ts';
import type { StaffArea } from '#contract/platform/staff-rights.ts';
import { type Page, type PageRequest, readPage } from '#server/platform/database/keyset-page.ts';
import { prepared } from '#server/platform/database/prepared-statements.ts';
import type { Database, Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import { type NotificationRow, shownColumns } from './rules.ts';

/** The number of old notifications that are removed in one statement. */
const REMOVED_AT_ONCE = 10_000;

/** Inserts a notification. @returns whether it is new */
export async function insert(
  transaction: Transaction,
  notification: Pick<
    Row<'notifications'>,
    'id' | 'user_id' | 'laptop_id' | 'area' | 'topic' | 'title' | 'body' | 'quoted_id' | 'path' | 'digest_at'
  >,
): Promise<boolean> {
  const row = await transaction
    .insertInto('notifications')
    .values(notification)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .modifyEnd(prepared)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a notification waits for an email: it was not emailed, and is in no daily email. */
export async function isUnsent(reader: Reader, id: string): Promise<boolean> {
  const row = await reader
    .selectFrom('notifications')
    .select('id')
    .where('id', '=', id)
    .where('emailed_at', 'is', null)
    .where('digest_at', 'is', null)
    .where('digest_id', 'is', null)
    .modifyFront(prepared)
    .executeTakeFirst();
  return row !== undefined;
}

export async function recordEmailed(database: Database, id: string): Promise<void> {
  await database
    .updateTable('notifications')
    .set({ emailed_at: new Date() })
    .where('id', '=', id)
    .modifyEnd(prepared)
    .execute();
}

/** Finds a notification of any person. */
export async function find(
  reader: Reader,
  id: string,
): Promise<(NotificationRow & { user_id: string }) | undefined> {
  return reader
    .selectFrom('notifications')
    .select([...shownColumns, 'user_id'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Lists a person's notifications, newest first. */
export function ofUser(reader: Reader, userId: string, request: PageRequest): Promise<Page<NotificationRow>> {
  const rows = reader.selectFrom('notifications').select(shownColumns).where('user_id', '=', userId);
  return readPage(rows, 'notifications.number', request);
}

/** Counts a person's unseen notifications, up to {@link MAXIMUM_UNSEEN_COUNT}. */
export async function countUnseen(reader: Reader, userId: string): Promise<number> {
  const row = await reader
    .selectFrom((from) =>
      from
        .selectFrom('notifications')
        // A column of the index of unseen ones, so that no row is read.
        .select('path')
        .where('user_id', '=', userId)
        .where('seen_at', 'is', null)
        .limit(sql.lit(MAXIMUM_UNSEEN_COUNT))
        .as('unseen'),
    )
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/**
 * Marks unseen notifications of a person as seen.
 * @param which one, those up to a row number, or those that lead to a page @returns the number of changed rows
 */
export async function markSeen(
  database: Database,
  userId: string,
  which: { id: string } | { until: string } | { path: string },
): Promise<number> {
  const unseen = database
    .updateTable('notifications')
    .set({ seen_at: new Date() })
    .where('user_id', '=', userId)
    .where('seen_at', 'is', null);
  const marked =
    'until' in which ? unseen.where('number', '<=', which.until) : unseen.where(({ and }) => and(which));
  return Number((await marked.executeTakeFirst()).numUpdatedRows);
}

/** When a person's notifications of each topic are emailed; at once unless the person has chosen otherwise. */
export async function readDeliveries(reader: Reader, userId: string): Promise<Record<ChosenTopic, Delivery>> {
  const rows = await reader
    .selectFrom('notification_settings')
    .select(['topic', 'delivery'])
    .where('user_id', '=', userId)
    .modifyFront(prepared)
    .execute();
  const chosen = Object.fromEntries(rows.map(({ topic, delivery }) => [topic, delivery]));
  return { bookings: 'now', listings: 'now', messages: 'now', reviews: 'now', ...chosen };
}

/** Stores when a person's notifications of a topic are emailed. Those that wait for a daily email stay in it, unless none goes out. */
export async function chooseDelivery(
  transaction: Transaction,
  userId: string,
  topic: ChosenTopic,
  delivery: Delivery,
): Promise<void> {
  await transaction
    .insertInto('notification_settings')
    .values({ user_id: userId, topic, delivery })
    .onConflict((conflict) => conflict.columns(['user_id', 'topic']).doUpdateSet({ delivery }))
    .execute();
  if (delivery === 'off') await cancelDigest(transaction, userId, topic);
}

/** Removes a person's notifications from the next daily email: those of a topic, or all. */
async function cancelDigest(transaction: Transaction, userId: string, topic: SubscribedTopic): Promise<void> {
  const rows = transaction
    .updateTable('notifications')
    .set({ digest_at: null })
    .where('user_id', '=', userId)
    .where('digest_at', 'is not', null);
  await (topic === 'daily' ? rows : rows.where('topic', '=', topic)).execute();
}

/** Turns the daily emails of all topics off. */
export async function stopDigests(transaction: Transaction, userId: string): Promise<void> {
  await transaction
    .updateTable('notification_settings')
    .set({ delivery: 'off' })
    .where('user_id', '=', userId)
    .where('delivery', '=', 'daily')
    .execute();
  await cancelDigest(transaction, userId, 'daily');
}

/** Removes notifications of more than {@link NOTIFICATION_DAYS} days, oldest first. @returns whether there may be more */
export async function removeOld(database: Database): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from notifications where id in (
      select id from notifications
       where created_at < now() - ${NOTIFICATION_DAYS} * interval '1 day'
       order by created_at limit ${REMOVED_AT_ONCE})`.execute(database);
  return numAffectedRows === BigInt(REMOVED_AT_ONCE);
}

/**
 * Removes all notifications, settings and push subscriptions of a person, and the notifications of others that quote the person.
 */
export async function removeNotificationsOf(transaction: Transaction, userId: string): Promise<void> {
  // In one order, so that the ends of two accounts that quote each other do not deadlock.
  await sql`
    select id from notifications where user_id = ${userId} or quoted_id = ${userId}
     order by id for update`.execute(transaction);
  await sql`delete from notifications where user_id = ${userId} or quoted_id = ${userId}`.execute(
    transaction,
  );
  for (const table of ['notification_settings', 'push_subscriptions'] as const) {
    await transaction.deleteFrom(table).where('user_id', '=', userId).execute();
  }
}

/** Removes an admin's notifications of all areas but these, and tells open pages. */
export async function keepNotificationsOf(
  transaction: Transaction,
  adminId: string,
  areas: readonly StaffArea[],
): Promise<void> {
  await sql`
    with removed as (
      delete from notifications where user_id = ${adminId} and area is not null and area <> all (${areas}::text[])
      returning id
    )
    select pg_notify('live', json_build_object('to', ${adminId}::text, 'about', 'notifications')::text)
     where exists (select from removed)`.execute(transaction);
}
