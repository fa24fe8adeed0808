import { setImmediate as endOfTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Notifications } from '#server/platform/database/notification-listener.ts';
import { inSnapshot } from '#server/platform/database/snapshot.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { every } from '#server/platform/jobs/work.ts';
import { CATALOGUE_CHANNEL } from '../catalogue/steps.ts';
import type { LaptopIndex } from './index/laptop-index.ts';
import { LaptopTable } from './index/laptop-table.ts';
import { SearchedFacts } from './index/row.ts';

/** Changes are also looked for without a notification, which a lost connection may have missed. */
const POLL_INTERVAL_MS = 15_000;

/** How often notifications are acted on, so that many changes in a row cost few reads. */
const INTERVAL_MS = 50;

const RETRY_MS = 1_000;

/** The most notifications that are held while the index is being updated. */
const MAXIMUM_NOTIFICATIONS = 200;

/**
 * A point in the history of the database: `pg_snapshot_xmin` of a snapshot. Every transaction with a lower id had ended and is
 * visible in that snapshot.
 */
type SnapshotBound = string;

/** Laptops that are read at once. */
const BATCH_LAPTOPS = 200;

/** Laptops that the index takes in a row; then others are answered. Each change takes half a millisecond at a million laptops. */
const TURN_LAPTOPS = 10;

/**
 * Brings an index up to date with the database, in ascending order of the laptops' numbers.
 * @param since null replaces the content of the index with every laptop for sale, when all have been read; otherwise every laptop
 *   that changed since then is read
 * @returns the bound for the next call
 * @throws the error of the database or the connection; changed laptops that were read until then are in the index
 */
function readLaptops(
  database: Database,
  index: LaptopIndex,
  since: SnapshotBound | null,
): Promise<SnapshotBound> {
  return inSnapshot(database, async (transaction) => {
    const bounds = await sql<{ bound: string }>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as bound`.execute(transaction);
    // DECLARE takes no parameters.
    const isChanged = sql`changed_in >= ${sql.lit(since)}::xid8`;
    const retired = sql`union all select number, null, null from retired_laptop_numbers where ${isChanged}`;
    await sql`
      declare read_laptops no scroll cursor for
        (select laptops.number, seller_id as "sellerId", case when state = 'available' then searched_facts(laptops, verified) end as facts
          from laptops join users on users.id = seller_id
          where ${since === null ? sql`state = 'available'` : isChanged} order by laptops.number + 0)
        ${since === null ? sql`` : retired}
    `.execute(transaction);
    const table = since === null ? new LaptopTable() : null;
    const add = table === null ? index.upsert : table.add.bind(table);
    for (let isMore = true; isMore; ) {
      const { rows } = await sql<{ number: string; sellerId: string; facts: unknown }>`
        fetch ${sql.lit(BATCH_LAPTOPS)} from read_laptops`.execute(transaction);
      for (const [at, { number, sellerId, facts }] of rows.entries()) {
        if (at % TURN_LAPTOPS === 0) await endOfTurn();
        if (facts === null) index.remove(Number(number));
        else add({ ...z.parse(SearchedFacts, facts), number: Number(number), sellerId });
      }
      isMore = rows.length === BATCH_LAPTOPS;
    }
    if (table !== null) index.load(table);
    return bounds.rows[0]?.bound ?? '0';
  });
}

/**
 * Loads an index and applies every later change of any process, usually within 100 ms.
 * @param handlers.onUpdate called when the index has been updated, with the notifications of the changes that it contains now
 * @param handlers.onError called when the database cannot be read; it is tried again every second
 */
export function followLaptops(
  { database, notifications: source }: { database: Database; notifications: Notifications },
  index: LaptopIndex,
  handlers: { onUpdate(notifications: readonly string[]): void; onError(error: unknown): void },
) {
  const loaded = Promise.withResolvers<void>();
  const start = performance.now();
  let loadMs = 0;
  let equalAt = start;
  let since: SnapshotBound | null = null;
  let notifications: string[] = [];
  /** When changes are read: with notifications not before the first time, without them at the second. */
  let earliest = start;
  let latest = start;

  function note(notification: string): void {
    // More than these are as good as all of them.
    notifications = notifications.length < MAXIMUM_NOTIFICATIONS ? [...notifications, notification] : [''];
  }

  async function read(): Promise<void> {
    const begin = performance.now();
    if (begin < (notifications.length > 0 ? earliest : latest)) return;
    const awaited = notifications;
    notifications = [];
    try {
      since = await readLaptops(database, index, index.isWasteful() ? null : since);
    } catch (error) {
      notifications.unshift(...awaited);
      earliest = performance.now() + RETRY_MS;
      latest = earliest;
      throw error;
    }
    if (loadMs === 0) loadMs = performance.now() - start;
    equalAt = begin;
    latest = begin + POLL_INTERVAL_MS;
    loaded.resolve();
    if (awaited.length > 0) handlers.onUpdate(awaited);
  }

  const unsubscribe = source.subscribe(CATALOGUE_CHANNEL, {
    // Changes may have been missed before, so an empty text stands for all of them.
    onConnect: () => note(''),
    onNotification: note,
  });
  const reading = every(INTERVAL_MS, read, handlers.onError);
  return {
    /** Resolves when the index has been loaded. */
    loaded: loaded.promise,
    /** Milliseconds since the index was last equal to the database. */
    ageMs: () => performance.now() - equalAt,
    /** Milliseconds from the start until the index was loaded; 0 until then. */
    loadMs: () => loadMs,
    /** Resolves when the read under way has ended, after 5 s at most. */
    stop: async () => {
      unsubscribe();
      await reading.stop();
    },
  };
}
