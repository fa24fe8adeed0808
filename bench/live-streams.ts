import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { LIVE_PATH } from '#contract/live.ts';
import { residentMemory } from './measure.ts';
import type { Server } from './targets.ts';

/** The number of streams of events that are open at the same time. */
export const STREAMS = 1_000;

/** How long the open streams are watched, in milliseconds: more than a heartbeat. */
const WATCH_MS = 25_000;

/** What open streams cost. */
export interface StreamFigures {
  /** Resident memory that they add to the process, in megabytes. */
  memory: number;
  /** The database's transactions for each stream while it is open, besides those of an idle shop in the same time. */
  queries: number;
}

/** Opens a stream and resolves when its first event has arrived. @throws Error when it is refused */
function openStream(origin: string, token: string): Promise<IncomingMessage> {
  const opened = Promise.withResolvers<IncomingMessage>();
  get(
    `${origin}/api${LIVE_PATH}`,
    { agent: false, headers: { authorization: `Bearer ${token}` } },
    (response) => {
      if (response.statusCode !== 200) opened.reject(new Error(`A stream got ${response.statusCode}.`));
      response.once('data', () => opened.resolve(response));
    },
  ).on('error', opened.reject);
  return opened.promise;
}

async function countTransactions(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.count);
}

/** The database's transactions during {@link WATCH_MS}. */
async function watchTransactions(client: Client): Promise<number> {
  // PostgreSQL adds the transactions of a connection to its statistics after a moment.
  await pause(2_000);
  const before = await countTransactions(client);
  await pause(WATCH_MS);
  return (await countTransactions(client)) - before;
}

/** Opens the streams of many people, a few for each, and watches what they cost while nothing happens. */
export async function measureLiveStreams(
  { pid, origin }: Server,
  client: Client,
  tokens: readonly string[],
): Promise<StreamFigures> {
  const idle = await watchTransactions(client);
  const before = residentMemory(pid).now;
  const streams: IncomingMessage[] = [];
  while (streams.length < STREAMS) {
    streams.push(await openStream(origin, tokens[streams.length % tokens.length] ?? ''));
  }
  const queries = ((await watchTransactions(client)) - idle) / STREAMS;
  const memory = residentMemory(pid).now - before;
  for (const stream of streams) stream.destroy();
  return { memory, queries };
}
