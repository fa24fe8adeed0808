import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { listBrands, listCategory, listLaptop } from '#contract/listings/catalogue.ts';
import { wish } from '#contract/listings/wishlist.ts';
import { readSettings } from '#contract/operations/settings.ts';
import { exchangeToken, registerUser } from '#contract/people/accounts.ts';
import { type Client, createClient } from '#contract/platform/client.ts';
import { book, listBookings } from '#contract/sales/bookings.ts';
import { samplePicture, uploadPhoto } from '#demo/pictures.ts';
import { type ServerProcess, startServer } from '#tests/harness/operations/server-process.ts';
import { PORTS_OF_SHOP } from '#tests/harness/operations/shop-ports.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { type RoundRobin, startRoundRobin } from './round-robin.ts';

const drainSeconds = 1;
const secret = 'one secret for both processes of this shop';

let folder: string;
let database: TestDatabase;
let proxy: RoundRobin;
let origin: string;
let ports: readonly [number, number];
const servers = new Map<number, ServerProcess>();

const environment = (port: number) => ({
  PORT: String(port),
  PUBLIC_ORIGIN: origin,
  DATABASE_URL: database.url,
  COOMERCIO_DATA: folder,
  COOMERCIO_SECRET: secret,
  DRAIN_SECONDS: String(drainSeconds),
  DEMO: '0',
  RATE_LIMITS: '0',
  TRUST_PROXY: '1',
});

async function start(port: number): Promise<void> {
  servers.set(port, await startServer(environment(port)));
  await vi.waitUntil(() => proxy.ready().includes(port), 60_000);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-rolling-'));
  database = await createTestDatabase({ template: 'template0' });
  const first = await freePorts(1 + 2 * PORTS_OF_SHOP);
  origin = `http://127.0.0.1:${first}`;
  ports = [first + 1, first + 1 + PORTS_OF_SHOP];
  proxy = await startRoundRobin(first, ports);
  for (const port of ports) await start(port);
});
afterAll(async () => {
  for (const server of servers.values()) await server.stop();
  await proxy.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Signs a user up through the proxy. */
async function signUp(role: 'Buyer' | 'Seller'): Promise<{ calls: Client; token: string }> {
  const [email, name] = [`rolling.${role.toLowerCase()}@people.example`, `Rolling ${role}`];
  const answer = await fetch(`${origin}/identity/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, name, password: 'Rolling#2018x' }),
  });
  const { idToken } = z.object({ idToken: z.string() }).parse(await answer.json());
  const proven = createClient({ base: `${origin}/api`, fetch, token: () => idToken });
  await proven.call(registerUser, { body: { email, name, role } });
  const { coomercioToken } = await proven.call(exchangeToken, { query: { email } });
  const calls = createClient({ base: `${origin}/api`, fetch: countedFetch, token: () => coomercioToken });
  return { calls, token: coomercioToken };
}

/** Uploads a photo. @returns its URL */
async function upload(token: string): Promise<string> {
  const settings = await createClient({ base: `${origin}/api`, fetch, token: () => null }).call(
    readSettings,
    {},
  );
  const photoKey = new URL(settings.photos.uploadUrl, origin).searchParams.get('key') ?? '';
  return uploadPhoto(samplePicture, { photosUrl: `${origin}/photos`, photoKey, token });
}

let requests = 0;
const countedFetch: typeof fetch = (...given) => {
  requests += 1;
  return fetch(...given);
};

/** Starts a constant load of reads, writes and pages without retries. */
function startLoad(seller: Client, buyer: Client, image: string) {
  const visitor = createClient({ base: `${origin}/api`, fetch: countedFetch, token: () => null });
  /** Ids of the rows that responses have confirmed. */
  const made = { laptops: new Set<string>(), wishlist_items: new Set<string>(), bookings: new Set<string>() };
  const sell = async () => {
    const { insertedId } = await seller.call(listLaptop, {
      body: {
        category_Id: 'HP',
        name: 'EliteBook 840 G8',
        location: 'Lisbon',
        image,
        description: { Processor: 'Intel Core i5-1145G7' },
        original_price: 1299,
        resale_price: 549.99,
        use_time: '2 years',
        mobile_number: '+351 912 345 678',
        condition: 'Excellent',
      },
    });
    made.laptops.add(insertedId);
    const wished = await buyer.call(wish, { body: { productCode: insertedId } });
    made.wishlist_items.add(wished.insertedId ?? wished.message);
    const booked = await buyer.call(book, {
      body: {
        price: 549.99,
        phone: '+351 900 000 000',
        location: 'Central Station',
        productCode: insertedId,
      },
    });
    made.bookings.add(booked.insertedId ?? booked.message);
  };
  const mix = [
    () => visitor.call(listBrands, {}),
    () => visitor.call(listCategory, { params: { id: 'HP' }, query: { limit: 24 } }),
    () => buyer.call(listBookings, { query: { limit: 10 } }),
    async () => {
      const page = await countedFetch(`${origin}/home`);
      const text = await page.text();
      if (!page.ok) throw new Error(`/home: ${page.status} ${text.slice(0, 200)}`);
    },
    sell,
  ];
  const failures: string[] = [];
  let ending = false;
  const workers = Array.from({ length: 6 }, async (_, worker) => {
    for (let at = worker; !ending; at += 1) {
      try {
        await mix[at % mix.length]?.();
      } catch (error) {
        failures.push(error instanceof Error ? `${error} ${error.cause ?? ''}` : String(error));
      }
    }
  });
  return {
    end: async () => {
      ending = true;
      await Promise.all(workers);
      return { made, failures };
    },
  };
}

/** Lists the ids of a table. */
async function idsIn(table: 'laptops' | 'wishlist_items' | 'bookings'): Promise<string[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<{ id: string }>(`select id from ${table}`)).rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}

test('a rolling restart of two processes behind a proxy fails no request', async () => {
  const [seller, buyer] = [await signUp('Seller'), await signUp('Buyer')];
  const running = startLoad(seller.calls, buyer.calls, await upload(seller.token));
  const waitForRequests = async (count: number) => {
    const from = requests;
    await expect.poll(() => requests - from, { interval: 20 }).toBeGreaterThan(count);
  };
  await waitForRequests(100);
  for (const port of ports) {
    const server = servers.get(port);
    if (server === undefined) throw new Error('Both processes were started.');
    const ended = once(server.child, 'close');
    const asked = Date.now();
    server.child.kill('SIGTERM');
    const direct = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).then(({ status }) => status);
    // It reports that it is not ready before it closes, and still serves requests.
    await expect.poll(() => direct('/readyz'), { interval: 10 }).toBe(503);
    expect(await direct('/api/brands')).toBe(200);
    expect(await direct('/healthz')).toBe(200);
    const [code] = await ended;
    expect(code).toBe(0);
    expect(Date.now() - asked).toBeGreaterThanOrEqual(drainSeconds * 1000);
    expect(proxy.ready()).not.toContain(port);
    await waitForRequests(100);
    await start(port);
    await waitForRequests(100);
  }
  const { made, failures } = await running.end();
  expect(failures).toEqual([]);
  // The tables have exactly the confirmed rows.
  expect(made.bookings.size).toBeGreaterThan(0);
  for (const table of ['laptops', 'wishlist_items', 'bookings'] as const) {
    expect((await idsIn(table)).sort()).toEqual([...made[table]].sort());
  }
  console.warn(
    `Rolling restart of two processes: ${requests} requests, ${made.bookings.size} bookings, 0 failed.`,
  );
}, 180_000);
