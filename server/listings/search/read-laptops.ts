import { setImmediate as endOfTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { inSnapshot } from '#server/platform/database/snapshot.ts';
import type { Database } from '#server/platform/database/tables.ts';
import type { LaptopIndex } from './index/laptop-index.ts';
import { LaptopTable } from './index/laptop-table.ts';
import { SearchedFacts } from './index/row.ts';

/**
 * A point in the history of the database: `pg_snapshot_xmin` of a snapshot. Every transaction with a lower id had ended and is
 * visible in that snapshot.
 */
export type SnapshotBound = string;

/** Laptops that are read at once. Adding them to the index takes some milliseconds, during which nothing else is answered. */
const BATCH_LAPTOPS = 200;

/** @param facts null for a laptop that is not for sale */
interface ReadLaptop {
  number: string;
  facts: unknown;
}

/**
 * Brings an index up to date with the database, in ascending order of the laptops' numbers.
 * @param since null replaces the content of the index with every laptop for sale, when all have been read; otherwise every laptop
 *   that changed since then is read
 * @returns the bound for the next call
 * @throws the error of the database or the connection; changed laptops that were read until then are in the index
 */
export function readLaptops(
  database: Database,
  index: LaptopIndex,
  since: SnapshotBound | null,
): Promise<SnapshotBound> {
  return inSnapshot(database, async (transaction) => {
    const bounds = await sql<{ bound: string }>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as bound`.execute(transaction);
    if (since !== null) {
      const retired = await sql<{ number: string }>`
        select number from retired_laptop_numbers where changed_in >= ${since}::xid8`.execute(transaction);
      for (const { number } of retired.rows) index.remove(Number(number));
    }
    // DECLARE takes no parameters.
    const condition = since === null ? sql`state = 'available'` : sql`changed_in >= ${sql.lit(since)}::xid8`;
    await sql`
      declare read_laptops no scroll cursor for
        select laptops.number, case when state = 'available' then searched_facts(laptops, verified) end as facts
          from laptops join users on users.id = seller_id where ${condition} order by laptops.number + 0
    `.execute(transaction);
    const table = new LaptopTable();
    const target = since === null ? table : index;
    for (let isMore = true; isMore; ) {
      const { rows } = await sql<ReadLaptop>`fetch ${sql.lit(BATCH_LAPTOPS)} from read_laptops`.execute(
        transaction,
      );
      for (const { number, facts } of rows) {
        if (facts === null) target.remove(Number(number));
        else target.upsert({ ...z.parse(SearchedFacts, facts), number: Number(number) });
      }
      isMore = rows.length === BATCH_LAPTOPS;
      // Several responses may have arrived.
      if (isMore) await endOfTurn();
    }
    if (since === null) {
      table.trim();
      index.load(table);
    }
    return bounds.rows[0]?.bound ?? '0';
  });
}
