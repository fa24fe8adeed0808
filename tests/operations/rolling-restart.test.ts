import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { exchangeToken, registerUser } from '#contract/accounts.ts';
import { createClient } from '#contract/client.ts';
import { freePorts } from '#tests/harness/ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/postgres.ts';
import { type RoundRobin, startRoundRobin } from './round-robin.ts';
import { type Running, startServer } from './running.ts';

const drainSeconds = 1;
const secret = 'one secret for both processes of this shop';

let folder: string;
let database: TestDatabase;
let proxy: RoundRobin;
let origin: string;
let ports: readonly [number, number];
const servers = new Map<number, Running>();

const environment = (port: number) => ({
  PORT: String(port),
  PUBLIC_ORIGIN: origin,
  DATABASE_URL: database.url,
  COOMERCIO_DATA: join(folder, String(port)),
  COOMERCIO_SECRET: secret,
  DRAIN_SECONDS: String(drainSeconds),
  DEMO: '0',
  RATE_LIMITS: '0',
  TRUST_PROXY: '1',
});

async function start(port: number): Promise<void> {
  servers.set(port, await startServer(environment(port)));
  await vi.waitUntil(() => proxy.ready().includes(port), { timeout: 10_000 });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-rolling-'));
  database = await createTestDatabase({ template: 'template0' });
  const first = await freePorts(11);
  origin = `http://127.0.0.1:${first}`;
  ports = [first + 1, first + 6];
  proxy = await startRoundRobin(first, ports);
  for (const port of ports) await start(port);
}, 120_000);
afterAll(async () => {
  for (const server of servers.values()) await server.stop();
  await proxy.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** The token of somebody who has signed up through the proxy, whichever process answered. */
async function buyer(): Promise<string> {
  const [email, name] = ['rolling@people.example', 'Rolling Buyer'];
  const answer = await fetch(`${origin}/identity/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, name, password: 'Rolling#2018x' }),
  });
  const { idToken } = z.object({ idToken: z.string() }).parse(await answer.json());
  const calls = createClient({ base: `${origin}/api`, fetch, token: () => idToken });
  await calls.call(registerUser, { body: { email, name, role: 'Buyer' } });
  return (await calls.call(exchangeToken, { query: { email } })).coomercioToken;
}

/** Constant load of reads and writes, none of them tried twice, until it is told to end. */
function load(token: string) {
  const authorization = { authorization: `Bearer ${token}` };
  const report = (): RequestInit => ({
    method: 'POST',
    headers: { ...authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ productCode: crypto.randomUUID(), reason: 'Other' }),
  });
  // The last is a write that reaches the database and is refused there: no such laptop.
  const mix = [
    { path: '/api/brands', init: () => ({}), expected: 200 },
    { path: '/api/category/HP', init: () => ({}), expected: 200 },
    { path: '/api/bookings', init: () => ({ headers: authorization }), expected: 200 },
    { path: '/home', init: () => ({}), expected: 200 },
    { path: '/api/reports', init: report, expected: 404 },
  ];
  const failures: string[] = [];
  let requests = 0;
  let ending = false;
  const workers = Array.from({ length: 6 }, async (_, worker) => {
    for (let at = worker; !ending; at += 1) {
      const each = mix[at % mix.length];
      if (each === undefined) continue;
      requests += 1;
      try {
        const answer = await fetch(`${origin}${each.path}`, each.init());
        const text = await answer.text();
        if (answer.status !== each.expected)
          failures.push(`${each.path}: ${answer.status} ${text.slice(0, 200)}`);
      } catch (error) {
        failures.push(
          `${each.path}: ${error instanceof Error ? String(error.cause ?? error) : String(error)}`,
        );
      }
    }
  });
  return {
    requests: () => requests,
    end: async () => {
      ending = true;
      await Promise.all(workers);
      return { requests, failures };
    },
  };
}

test('two processes behind a proxy are restarted one after the other without one failed request', async () => {
  const under = load(await buyer());
  const passes = async (count: number) => {
    const from = under.requests();
    await expect
      .poll(() => under.requests() - from, { timeout: 30_000, interval: 20 })
      .toBeGreaterThan(count);
  };
  await passes(100);
  for (const port of ports) {
    const server = servers.get(port);
    if (server === undefined) throw new Error('Both processes were started.');
    const ended = once(server.child, 'close');
    const asked = Date.now();
    server.child.kill('SIGTERM');
    const direct = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).then(({ status }) => status);
    // It says so before it closes, and still answers who has not heard.
    await expect.poll(() => direct('/readyz'), { interval: 10 }).toBe(503);
    expect(await direct('/api/brands')).toBe(200);
    expect(await direct('/healthz')).toBe(200);
    const [code] = await ended;
    expect(code).toBe(0);
    expect(Date.now() - asked).toBeGreaterThanOrEqual(drainSeconds * 1000);
    expect(proxy.ready()).not.toContain(port);
    await passes(100);
    await start(port);
    await passes(100);
  }
  const { requests, failures } = await under.end();
  expect(failures).toEqual([]);
  expect(requests).toBeGreaterThan(600);
  console.warn(`Rolling restart of two processes: ${requests} requests, 0 failed.`);
}, 180_000);
