import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { LIVE_PATH } from '#contract/platform/live.ts';
import { collectGarbage } from './collect-garbage.ts';
import { residentMemory } from './measure.ts';
import type { Server } from './targets.ts';

/** The number of streams of events that are open at the same time. */
export const STREAMS = 1_000;

/** Streams that are opened and closed first: their code is loaded and compiled then, and the heap has its working size. */
const WARM_UP_STREAMS = 200;

/** How long the open streams are watched, in milliseconds: more than a heartbeat. */
const WATCH_MS = 25_000;

/** How long the server is left alone before its memory is read, in milliseconds. */
const SETTLE_MS = 3_000;

/** What open streams cost. */
export interface StreamFigures {
  /** Resident memory that they add to the process, in megabytes. */
  memory: number;
  /**
   * Scans of the tables that can concern a stream while it is open, for each of them. Those of the shop's own periodic work count
   * as well, so it is not less than what the streams cause.
   */
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

/** Opens streams of many people, a few for each. */
async function openStreams(
  origin: string,
  tokens: readonly string[],
  count: number,
): Promise<IncomingMessage[]> {
  const streams: IncomingMessage[] = [];
  while (streams.length < count) {
    streams.push(await openStream(origin, tokens[streams.length % tokens.length] ?? ''));
  }
  return streams;
}

/** Reads how many streams the server has open, and waits until there are none. */
async function waitForNoStreams(origin: string): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    if (/^coomercio_live_streams 0$/m.test(metrics)) return;
    await pause(100);
  }
}

/** Where a stream's account, session and news are. */
const TABLES = ['users', 'ended_sessions', 'notifications', 'conversations', 'messages'];

/** How long PostgreSQL keeps the statistics of an idle connection to itself, in milliseconds, and a little more. */
const STATISTICS_DELAY_MS = 12_000;

/** The scans of {@link TABLES} so far. */
async function countScans(client: Client): Promise<number> {
  await pause(STATISTICS_DELAY_MS);
  const { rows } = await client.query<{ count: string }>(
    'select sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0)) as count from pg_stat_user_tables where relname = any($1)',
    [TABLES],
  );
  return Number(rows[0]?.count);
}

/** The server's resident memory after a garbage collection, which returns what is free to the system. In megabytes. */
async function memoryInUse({ pid, inspectorPort }: FreshServer): Promise<number> {
  await collectGarbage(pid, inspectorPort);
  await pause(SETTLE_MS);
  return residentMemory(pid).now;
}

/** A server that has just started and did nothing else, and the port on which its inspector can listen. */
export interface FreshServer extends Server {
  inspectorPort: number;
}

/** Opens the streams of many people, a few for each, and watches what they cost while nothing happens. */
export async function measureLiveStreams(
  server: FreshServer,
  client: Client,
  tokens: readonly string[],
): Promise<StreamFigures> {
  const { origin } = server;
  for (const stream of await openStreams(origin, tokens, WARM_UP_STREAMS)) stream.destroy();
  await waitForNoStreams(origin);
  const before = await memoryInUse(server);
  const scansBefore = await countScans(client);
  const streams = await openStreams(origin, tokens, STREAMS);
  const opened = await countScans(client);
  if (opened - scansBefore < STREAMS)
    throw new Error('The check of a token is not among the counted queries.');
  await pause(WATCH_MS);
  const watched = await countScans(client);
  const memory = (await memoryInUse(server)) - before;
  for (const stream of streams) stream.destroy();
  return { memory, queries: (watched - opened) / STREAMS };
}
