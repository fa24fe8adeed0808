import { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { LaptopIndex } from './index/laptop-index.ts';
import type { LaptopRow } from './index/row.ts';

/**
 * A point in the history of the database: `pg_snapshot_xmin` of a snapshot. Every transaction with a lower id had ended and is
 * visible in that snapshot.
 */
export type SnapshotBound = string;

const escapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', v: '\v' };

/** Decodes a field of COPY's text format. @returns null for SQL's null */
function decode(field: string): string | null {
  if (field === '\\N') return null;
  if (!field.includes('\\')) return field;
  return field.replace(/\\(.)/g, (_, character: string) => escapes[character] ?? character);
}

const numberOrNull = (field: string) => (field === '\\N' ? null : Number(field));

/** The columns that {@link apply} reads after number and state. */
const columns = [
  'verified',
  'resale_price_cents',
  'original_price_cents',
  'memory_gb',
  'storage_gb',
  'screen_inches',
  'brand',
  'condition',
  'processor',
  'generation',
  'graphics',
  'system',
  'laptops.location',
  'laptops.name',
  'level',
  'shown_battery(level, battery_percent, measured_battery)',
  'configuration_text(description)',
];

/** Number, state and {@link columns}. The empty last column is not counted: its text begins the first field of the next row. */
const FIELDS_PER_ROW = columns.length + 2;

/**
 * Applies a row in COPY's text format.
 * @param fields the first one may begin with the line feed of the row before, which `Number` ignores
 */
function apply(index: LaptopIndex, fields: readonly string[]): void {
  const [
    number = '',
    isAvailable = '',
    verified = '',
    price = '',
    original = '',
    memory = '',
    storage = '',
    screen = '',
    brand = '',
    condition = '',
    processor = '',
    generation = '',
    graphics = '',
    system = '',
    place = '',
    name = '',
    level = '',
    battery = '',
    configuration = '',
  ] = fields;
  if (isAvailable !== 't') {
    index.remove(Number(number));
    return;
  }
  const row: LaptopRow = {
    number: Number(number),
    brand: decode(brand) ?? '',
    condition: decode(condition) ?? '',
    level: decode(level) ?? '',
    priceCents: Number(price),
    originalCents: Number(original),
    memory: numberOrNull(memory),
    storage: numberOrNull(storage),
    screen: numberOrNull(screen),
    battery: numberOrNull(battery),
    processor: decode(processor),
    generation: decode(generation),
    graphics: decode(graphics),
    system: decode(system),
    verified: verified === 't',
    place: decode(place) ?? '',
    name: decode(name) ?? '',
    configuration: decode(configuration) ?? '',
  };
  index.upsert(row);
}

/** Keeps the room of an index, in steps between which other requests are answered. */
async function maintain(index: LaptopIndex): Promise<void> {
  for (const _ of index.maintain()) await endOfTurn();
}

/** Milliseconds after which a connection that does not answer fails. */
const CONNECT_TIMEOUT_MS = 3_000;

/** The database ends a statement after this many milliseconds, also when its client has disappeared. */
const STATEMENT_TIMEOUT_MS = 600_000;

/** How long the database may send nothing during a read, in milliseconds. */
export interface ReadTimeouts {
  /** While it reads all laptops, which it may sort before it sends the first. */
  all: number;
  /** While it reads the changed laptops. */
  changed: number;
}
export const readTimeouts: ReadTimeouts = { all: 60_000, changed: 5_000 };

/**
 * Calls `work` with a connection of its own.
 * @param timeoutMs the connection is closed when `work` does not call `heard` for so long
 * @throws the error of the database, or of the connection
 */
async function withConnection<Result>(
  connectionString: string,
  timeoutMs: number,
  work: (client: Client, heard: () => void) => Promise<Result>,
): Promise<Result> {
  const socket = new Socket();
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    stream: () => socket,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  });
  // A lost connection also fails the query under way, which reports it.
  client.on('error', () => undefined);
  // The timeout of `pg` does not apply to COPY, and a network that drops packets reports no error.
  const watchdog = setTimeout(
    () => socket.destroy(new Error(`The database has sent nothing for ${timeoutMs} ms.`)),
    timeoutMs,
  );
  try {
    await client.connect();
    const result = await work(client, () => watchdog.refresh());
    await client.end();
    return result;
  } finally {
    clearTimeout(watchdog);
    socket.destroy();
  }
}

/**
 * Brings an index up to date with the database, on a connection of its own.
 * @param since null replaces the content of the index with every laptop for sale; otherwise every laptop that changed since
 *   then is read
 * @returns the bound for the next call
 * @throws the error of the database; rows read until then are in the index
 */
export function readLaptops(
  connectionString: string,
  index: LaptopIndex,
  since: SnapshotBound | null,
  timeouts: ReadTimeouts = readTimeouts,
): Promise<SnapshotBound> {
  const timeoutMs = since === null ? timeouts.all : timeouts.changed;
  return withConnection(connectionString, timeoutMs, async (client, heard) => {
    // One snapshot for the bound and the rows.
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<{ bound: string }>(
      'select pg_snapshot_xmin(pg_current_snapshot())::text as bound',
    );
    if (since === null) {
      const counted = await client.query<{ count: string }>(
        `select count(*) from laptops where state = 'available'`,
      );
      // Empty, because a laptop that an interrupted call has read may have been sold since.
      index.clear(Number(counted.rows[0]?.count));
    } else {
      const retired = await client.query<{ number: string }>(
        'select number from retired_laptop_numbers where changed_in >= $1::xid8',
        [since],
      );
      for (const { number } of retired.rows) index.remove(Number(number));
    }
    // COPY takes no parameters. The bound is a number that the database has returned.
    const isAvailable = `state = 'available'`;
    const changed = since === null ? isAvailable : `changed_in >= '${BigInt(since)}'::xid8`;
    const copy = client.query(
      copyTo(
        // The empty last column ends every field with a tab, because one split of a chunk is faster than one of each row.
        `copy (select laptops.number, ${isAvailable}, ${columns.join(', ')}, ''
                 from laptops join users on users.id = seller_id where ${changed} order by laptops.number + 0) to stdout`,
      ),
    );
    const decoder = new TextDecoder();
    let rest = '';
    await pipeline(copy, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        heard();
        const text = rest + decoder.decode(chunk, { stream: true });
        const end = text.lastIndexOf('\n') + 1;
        rest = text.slice(end);
        const fields = text.slice(0, end).split('\t');
        // The last element is the line feed of the last row.
        for (let start = 0; start < fields.length - 1; start += FIELDS_PER_ROW) {
          apply(index, fields.slice(start, start + FIELDS_PER_ROW));
        }
        await maintain(index);
        // A chunk takes some milliseconds, and several of them may have arrived.
        await endOfTurn();
      }
    });
    return rows[0]?.bound ?? '0';
  });
}
