import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Reader, Transaction } from '#server/platform/database/tables.ts';
import { type NotificationRow, shownColumns } from './rules.ts';

/** A daily email that is to be sent. */
export interface Digest {
  digestId: string;
  userId: string;
}

/**
 * Takes the due notifications of some people for one daily email each.
 * @param limit the maximum number of people
 */
export async function takeDue(transaction: Transaction, limit: number): Promise<Digest[]> {
  // One process at a time: two could otherwise take a part of one person's notifications each, and wait for each other.
  await sql`select pg_advisory_xact_lock(hashtext('daily emails'))`.execute(transaction);
  const { rows } = await sql<{ user_id: string }>`
    select distinct user_id from (
      select user_id from notifications where digest_at is not null and digest_at <= now()
       order by digest_at, user_id limit ${limit}) as due`.execute(transaction);
  const digests = rows.map(({ user_id }) => ({ userId: user_id, digestId: randomUUID() }));
  for (const { userId, digestId } of digests) {
    await transaction
      .updateTable('notifications')
      .set({ digest_at: null, digest_id: digestId })
      .where('user_id', '=', userId)
      .where('digest_at', 'is not', null)
      .where('digest_at', '<=', sql<Date>`now()`)
      .execute();
  }
  return digests;
}

/**
 * The notifications of a daily email that were not seen: the oldest ones, and the number of all.
 * @param limit the most that are read
 */
export async function unseenOf(
  reader: Reader,
  digestId: string,
  limit: number,
): Promise<{ oldest: NotificationRow[]; count: number }> {
  const unseen = reader
    .selectFrom('notifications')
    .where('digest_id', '=', digestId)
    .where('seen_at', 'is', null);
  const { count } = await unseen
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  const oldest = await unseen.select(shownColumns).orderBy('number').limit(limit).execute();
  return { oldest, count: Number(count) };
}

/** Records that a daily email was sent, or needs none. */
export async function recordSent(database: Database, digestId: string): Promise<void> {
  await database
    .updateTable('notifications')
    .set({ digest_id: null, emailed_at: new Date() })
    .where('digest_id', '=', digestId)
    .execute();
}
