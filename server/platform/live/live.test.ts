import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LIVE_PATH } from '#contract/platform/live.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { PROCESS_NAME } from '../database/notification-listener.ts';
import { enforceCloseTimeouts } from '../http/close-timeouts.ts';
import { createServer } from '../http/server.ts';
import { livePlugin } from './plugin.ts';

let shop: TestShop;
/** Another process on the same database. */
let other: TestShop;
let buyer: Person;
/** The streams that a test has opened. */
const opened: AbortController[] = [];

beforeAll(async () => {
  shop = await startTestShop();
  other = await startTestShop({ database: shop.database });
  buyer = await shop.buyer();
});
afterAll(async () => {
  for (const stream of opened) stream.abort();
  await other.close();
  await shop.close();
});

const EVERYTHING = 'event: change\ndata: {"about":"everything"}\n\n';

const request = (origin: string, token: string | null, signal?: AbortSignal) =>
  fetch(`${origin}/api${LIVE_PATH}`, {
    ...(token !== null && { headers: { authorization: `Bearer ${token}` } }),
    ...(signal && { signal }),
  });

/** Opens a stream and reads it until it ends. */
async function open({ origin }: { origin: string }, token = buyer.token) {
  const controller = new AbortController();
  opened.push(controller);
  const response = await request(origin, token, controller.signal);
  expect(response.status).toBe(200);
  const stream = { text: '', hasEnded: false, response, abort: () => controller.abort() };
  const read = async () => {
    for await (const chunk of response.body ?? []) stream.text += Buffer.from(chunk).toString();
  };
  read().then(
    () => {
      stream.hasEnded = true;
    },
    () => undefined,
  );
  await expect.poll(() => stream.text).toContain(EVERYTHING);
  return stream;
}

/** The events of a stream without those that say that everything may have changed. */
const changesOf = ({ text }: { text: string }) => text.replaceAll(EVERYTHING, '');

const notify = (payload: unknown) =>
  shop.connection.pool.query(`select pg_notify('live', $1)`, [
    typeof payload === 'string' ? payload : JSON.stringify(payload),
  ]);

async function openStreams({ origin }: TestShop): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^coomercio_live_streams (\d+)$/m.exec(metrics)?.[1]);
}

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

test('a change reaches its person’s streams at every process, and nobody else', async () => {
  const somebody = await shop.buyer();
  const streams = [await open(shop), await open(other)];
  const elsewhere = await open(shop, somebody.token);
  await notify({ to: buyer.userId, about: 'messages', id: '7' });
  for (const stream of streams) {
    await expect.poll(() => changesOf(stream)).toBe(`event: change\ndata: {"about":"messages","id":"7"}\n\n`);
  }
  // A later notification shows that the earlier one was not for this person.
  await notify({ to: somebody.userId, about: 'notifications' });
  await expect.poll(() => changesOf(elsewhere)).toBe(`event: change\ndata: {"about":"notifications"}\n\n`);
  for (const stream of [...streams, elsewhere]) stream.abort();
  await expect.poll(() => openStreams(shop)).toBe(0);
});

test('the response is stored and collected by nobody on its way', async () => {
  const { response, abort } = await open(shop);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  abort();
});

test('notifications that cannot be read are left out', async () => {
  const stream = await open(shop);
  for (const text of ['', '{', '"to"', '{"to":7}', `{"to":"${buyer.userId}","about":"weather"}`]) {
    await notify(text);
  }
  await notify({ to: buyer.userId, about: 'notifications' });
  await expect.poll(() => changesOf(stream)).toBe(`event: change\ndata: {"about":"notifications"}\n\n`);
  stream.abort();
});

test.each([
  ['without a token', null],
  ['with a forged token', 'forged'],
])('a request %s is refused', async (_how, token) => {
  const response = await request(shop.origin, token);
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: 'not_signed_in' });
});

test('a stream ends with its session, at every process, and other sessions’ streams stay', async () => {
  const person = await shop.buyer('Sid Sessions', { sid: 'session-1' });
  const elsewhere = await shop.buyer('Sid Elsewhere', { sid: 'session-2' });
  const streams = [await open(shop, person.token), await open(other, person.token)];
  const staying = await open(shop, elsewhere.token);
  await shop.connection.pool.query(
    `insert into ended_sessions (id, forget_at) values ('session-1', now() + interval '1 day')`,
  );
  for (const stream of streams) await expect.poll(() => stream.hasEnded).toBe(true);
  expect((await request(shop.origin, person.token)).status).toBe(401);
  await notify({ to: elsewhere.userId, about: 'notifications' });
  await expect.poll(() => staying.text).toContain('notifications');
  staying.abort();
});

test('a stream ends with its account', async () => {
  const person = await shop.buyer();
  const stream = await open(other, person.token);
  await shop.connection.pool.query('update users set ended_at = now() where id = $1', [person.userId]);
  await expect.poll(() => stream.hasEnded).toBe(true);
  expect((await request(shop.origin, person.token)).status).toBe(403);
});

test('a stream ends when its token expires', async () => {
  const expiresAt = Math.floor(Date.now() / 1000) + 8;
  const person = await shop.buyer('Exa Expiry', { exp: expiresAt });
  const stream = await open(shop, person.token);
  await expect.poll(() => stream.hasEnded).toBe(true);
  expect(Date.now() / 1000).toBeGreaterThanOrEqual(expiresAt);
});

test('a person’s 11th stream closes the first', async () => {
  const person = await shop.buyer();
  const streams: Awaited<ReturnType<typeof open>>[] = [];
  for (let number = 0; number < 10; number += 1) streams.push(await open(shop, person.token));
  expect(streams.map(({ hasEnded }) => hasEnded)).not.toContain(true);
  const last = await open(shop, person.token);
  await expect.poll(() => streams[0]?.hasEnded).toBe(true);
  await notify({ to: person.userId, about: 'notifications' });
  for (const stream of [...streams.slice(1), last]) {
    await expect.poll(() => stream.text).toContain('notifications');
    expect(stream.hasEnded).toBe(false);
    stream.abort();
  }
});

test('after a lost connection for notifications, streams are told to look, and those of ended sessions end', async () => {
  const person = await shop.buyer('Lia Lost', { sid: 'session-3', exp: inAnHour() });
  const ending = await open(shop, person.token);
  const staying = await open(shop);
  const { pool } = shop.connection;
  // Without its trigger, nobody is notified, as while the connection is lost.
  await pool.query('alter table ended_sessions disable trigger tell_session_ended');
  await pool.query(
    `insert into ended_sessions (id, forget_at) values ('session-3', now() + interval '1 day')`,
  );
  await pool.query('alter table ended_sessions enable trigger tell_session_ended');
  const before = staying.text;
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = $1`,
    [PROCESS_NAME],
  );
  await expect.poll(() => staying.text).toBe(before + EVERYTHING);
  await expect.poll(() => ending.hasEnded).toBe(true);
  expect(staying.hasEnded).toBe(false);
  staying.abort();
});

test('no query runs for a change, and the duration of a stream is not measured', async () => {
  const stream = await open(shop);
  const queries = vi.spyOn(shop.connection.pool, 'connect');
  await other.connection.pool.query(`select pg_notify('live', $1)`, [
    JSON.stringify({ to: buyer.userId, about: 'notifications' }),
  ]);
  await expect.poll(() => stream.text).toContain('notifications');
  expect(queries).not.toHaveBeenCalled();
  queries.mockRestore();
  const ended = await shop.buyer('Eli Ended', { sid: 'session-5' });
  const ending = await open(shop, ended.token);
  await shop.connection.pool.query(`insert into ended_sessions (id, forget_at) values ('session-5', now())`);
  await expect.poll(() => ending.hasEnded).toBe(true);
  stream.abort();
  const metrics = await (await fetch(`${shop.origin}/metrics`)).text();
  expect(metrics).not.toMatch(/request_duration_seconds_count\{[^}]*route="\/api\/live",status="200"/);
  expect(metrics).toMatch(/request_duration_seconds_count\{[^}]*route="\/api\/live",status="401"/);
});

test('a closing process ends its streams and does not wait for their readers', async () => {
  const app = createServer({
    logger: pino({ level: 'silent' }),
    trustProxy: 0,
    origin: 'https://shop.example',
  });
  enforceCloseTimeouts(app);
  await app.register(livePlugin, {
    api: {
      authentication: {
        caller: async () => ({
          userId: buyer.userId,
          email: buyer.email,
          name: buyer.name,
          roles: ['Buyer'],
          isOwner: false,
          areas: [],
          secondFactorDue: false,
          authenticatedAt: null,
          sessionId: null,
          expiresAt: inAnHour(),
        }),
        identity: () => Promise.reject(new Error('not here')),
      },
    },
    database: shop.connection.database,
    notifications: shop.notifications,
    metrics: { watchLiveStreams: () => undefined },
  });
  const stream = await open({ origin: await app.listen({ host: '127.0.0.1', port: 0 }) });
  await app.close();
  await expect.poll(() => stream.hasEnded).toBe(true);
});
