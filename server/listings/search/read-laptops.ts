import { Socket } from 'node:net';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Client } from 'pg';
import * as z from 'zod/mini';
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

/** Milliseconds after which a connection that does not answer fails. */
const CONNECT_TIMEOUT_MS = 3_000;

/** The database ends a transaction that does nothing for this many milliseconds, also when its client has disappeared. */
const IDLE_TIMEOUT_MS = 600_000;

/** How long a query may take, in milliseconds, while all laptops are read, and while the changed ones are. */
export const readTimeouts = { all: 60_000, changed: 5_000 };

interface ReadLaptop {
  number: string;
  /** Null for a laptop that is not for sale. */
  facts: unknown;
}

/** Reads the laptops for sale into a new table, or those that changed into the index, in ascending order of their numbers. */
async function read(client: Client, index: LaptopIndex, since: SnapshotBound | null): Promise<SnapshotBound> {
  // One snapshot for the bound and the rows.
  await client.query('begin isolation level repeatable read read only');
  const bounds = await client.query<{ bound: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as bound',
  );
  if (since !== null) {
    const retired = await client.query<{ number: string }>(
      'select number from retired_laptop_numbers where changed_in >= $1::xid8',
      [since],
    );
    for (const { number } of retired.rows) index.remove(Number(number));
  }
  // DECLARE takes no parameters. The bound is a number that the database has returned.
  const condition = since === null ? `state = 'available'` : `changed_in >= '${BigInt(since)}'::xid8`;
  await client.query(`
    declare read_laptops no scroll cursor for
      select laptops.number, case when state = 'available' then searched_facts(laptops, verified) end as facts
        from laptops join users on users.id = seller_id where ${condition} order by laptops.number + 0`);
  const table = new LaptopTable();
  const target = since === null ? table : index;
  for (let isMore = true; isMore; ) {
    const { rows } = await client.query<ReadLaptop>(`fetch ${BATCH_LAPTOPS} from read_laptops`);
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
}

/**
 * Brings an index up to date with the database, on a connection of its own.
 * @param since null replaces the content of the index with every laptop for sale, when all have been read; otherwise every laptop
 *   that changed since then is read
 * @returns the bound for the next call
 * @throws the error of the database or the connection; changed laptops that were read until then are in the index
 */
export async function readLaptops(
  connectionString: string,
  index: LaptopIndex,
  since: SnapshotBound | null,
  timeouts = readTimeouts,
): Promise<SnapshotBound> {
  const timeoutMs = since === null ? timeouts.all : timeouts.changed;
  const socket = new Socket();
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A network that drops packets reports no error.
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
    stream: () => socket,
  });
  // A lost connection also fails the query under way, which reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const bound = await read(client, index, since);
    await client.end();
    return bound;
  } finally {
    // `end` waits for the database, which may have disappeared.
    socket.destroy();
  }
}
