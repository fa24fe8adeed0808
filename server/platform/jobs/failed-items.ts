import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/tables.ts';

/** The lists of items that background work processes. Their names are shown in Health. */
export type ItemQueue =
  | 'balance movements'
  | 'complaint reminders'
  | 'duplicates'
  | 'facts of laptops'
  | 'labels'
  | 'levels of laptops'
  | 'order deadlines'
  | 'parcel reminders'
  | 'reversals'
  | 'reviews to show'
  | 'saved searches'
  | 'transfers';

/**
 * Whether an item is not postponed, as a condition of the query that selects the due items of a queue. Without it, items that fail
 * each time would fill every batch.
 * @param item the expression for the item's id, such as `sql.ref('orders.id')`
 */
export const isNotPostponed = (queue: ItemQueue, item: RawBuilder<unknown>, now: Date) =>
  sql<boolean>`not exists (
    select from failed_items
     where failed_items.queue = ${queue} and failed_items.item = ${item}::text and next_attempt_at > ${now})`;

/** Failed items that are tried again in one round. */
const RETRIED_ITEMS = 1_000;

/** Selects the oldest items of a queue that failed and are due again, for a queue that has no list of its own. */
export async function dueFailedItems(database: Database, queue: ItemQueue, now: Date): Promise<string[]> {
  const rows = await database
    .selectFrom('failed_items')
    .select('item')
    .where('queue', '=', queue)
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .limit(RETRIED_ITEMS)
    .execute();
  return rows.map(({ item }) => item);
}

/**
 * Records that an item failed and postpones it: by a minute, then twice as long after each failure, by an hour at most.
 * @returns the error for the log, which names the item
 */
async function postpone(
  database: Database,
  [queue, item]: readonly [ItemQueue, string],
  cause: unknown,
  now: Date,
): Promise<Error> {
  // Another event may have dealt with an item that failed long ago.
  await sql`delete from failed_items where failed_at < ${now}::timestamptz - interval '30 days'`.execute(
    database,
  );
  const { rows } = await sql<{ attempts: number; next_attempt_at: Date }>`
    insert into failed_items as known (queue, item, attempts, failed_at, next_attempt_at)
    values (${queue}, ${item}, 1, ${now}::timestamptz, ${now}::timestamptz + interval '1 minute')
    on conflict (queue, item) do update set
      attempts = known.attempts + 1, failed_at = excluded.failed_at,
      next_attempt_at = excluded.failed_at
        + least(interval '1 minute' * power(2, least(known.attempts, 10)), interval '1 hour')
    returning attempts, next_attempt_at`.execute(database);
  const [row] = rows;
  return new Error(
    `${queue}: ${item} failed (attempt ${row?.attempts}) and is tried again after ${row?.next_attempt_at.toISOString()}`,
    { cause },
  );
}

/** Forgets the failures of items that were processed. */
async function forget(database: Database, queue: ItemQueue, items: readonly string[]): Promise<void> {
  if (items.length === 0) return;
  await sql`delete from failed_items where queue = ${queue} and item = any(${items}::text[])`.execute(
    database,
  );
}

/**
 * Processes due items of a queue one after the other. An item that fails is postponed and stops no other one. Several processes can
 * do this at once.
 * @param items their ids, selected with {@link isNotPostponed}
 * @param signal ends the processing; what it interrupts does not count as failed
 * @returns the failures, each with the item's id
 * @throws the database's failure, when a failed item cannot be postponed
 */
export async function processItems(
  database: Database,
  queue: ItemQueue,
  items: readonly string[],
  process: (item: string) => Promise<void>,
  { now, signal }: { now: Date; signal?: AbortSignal },
): Promise<unknown[]> {
  const processed: string[] = [];
  const failures: unknown[] = [];
  for (const item of items) {
    signal?.throwIfAborted();
    try {
      await process(item);
      processed.push(item);
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(await postpone(database, [queue, item], error, now));
    }
  }
  await forget(database, queue, processed);
  return failures;
}

/**
 * Processes due items of a queue together. When that fails, it does so with each half of them, and postpones the single items that
 * fail.
 * @param process must change nothing when it throws
 * @returns the failures, see {@link processItems}
 */
export async function processTogether(
  database: Database,
  queue: ItemQueue,
  items: readonly string[],
  process: (items: readonly string[]) => Promise<void>,
  options: { now: Date; signal?: AbortSignal },
): Promise<unknown[]> {
  if (items.length <= 1) {
    return processItems(database, queue, items, (item) => process([item]), options);
  }
  options.signal?.throwIfAborted();
  try {
    await process(items);
    await forget(database, queue, items);
    return [];
  } catch {
    // What fails again for a single item is reported.
    const middle = Math.ceil(items.length / 2);
    return [
      ...(await processTogether(database, queue, items.slice(0, middle), process, options)),
      ...(await processTogether(database, queue, items.slice(middle), process, options)),
    ];
  }
}
