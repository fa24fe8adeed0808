import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { SearchFilters } from '#contract/listings/search.ts';
import { type Connection, connect } from '#server/platform/database/connect.ts';
import {
  listenForNotifications,
  type Notifications,
} from '#server/platform/database/notification-listener.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { startTcpProxy, type TcpProxy } from '#tests/harness/platform/tcp-proxy.ts';
import { relist } from '../catalogue/store.ts';
import { followLaptops } from './follow-laptops.ts';
import { createLaptopIndex } from './index/laptop-index.ts';
import { LaptopTable } from './index/laptop-table.ts';
import type { LaptopRow } from './index/row.ts';

/** Several batches. */
const LAPTOPS = 5_000;

let database: TestDatabase;
let proxy: TcpProxy;
let client: pg.Client;
let follower: ReturnType<typeof followLaptops> | null = null;
let notifications: Notifications | null = null;
let connection: Connection | null = null;

beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await startTcpProxy(database.url);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`insert into users (email, name, is_seller) values ('sam@seller.example', 'Sam', true)`);
});
afterEach(async () => {
  await follower?.stop();
  await notifications?.stop();
  await connection?.close();
  await client.end();
  await proxy.close();
  await database.drop();
});

const insertLaptops = (count: number) =>
  client.query(
    `insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
       resale_price_cents, posted_time, use_time, mobile_number, condition)
     select 'HP', users.id, format('EliteBook %s', n), 'Lisbon', array['/photos/1'], '{}', 90000, 50000, '', '', '', 'Good'
       from users, generate_series(1, $1::integer) n`,
    [count],
  );

/** Follows the database through the proxy. */
function follow({ queryTimeoutMs = 1_000 } = {}) {
  const index = createLaptopIndex();
  const errors: unknown[] = [];
  const handlers = {
    onUpdate: () => undefined,
    onError: (error: unknown) => errors.push(error),
  };
  notifications = listenForNotifications(proxy.url, (sentence) => errors.push(sentence));
  connection = connect(proxy.url, () => undefined, { queryTimeoutMs });
  follower = followLaptops({ database: connection.database, notifications }, index, handlers);
  return { index, errors, loaded: follower.loaded };
}

test('reads every fact as it is stored, in several batches', async () => {
  await insertLaptops(LAPTOPS);
  const name = 'EliteBook\t“840”\\N\r\n \\t é👍';
  await client.query(
    `update laptops set name = $1, location = '\\N', brand = 'Dell', condition = 'Fair', original_price_cents = 90001,
       resale_price_cents = 50002, memory_gb = null, storage_gb = 512, screen_inches = 14.1, battery_percent = null,
       processor = 'core-i7', generation = 'intel-8', graphics = null, system = 'windows-11', description = $2`,
    [name, JSON.stringify({ Operating: 'Linux\\', Memory: '16 GB\t“DDR4”', Notes: 'no touch' })],
  );
  const read: LaptopRow[] = [];
  const added = vi.spyOn(LaptopTable.prototype, 'add').mockImplementation((laptop) => read.push(laptop));
  const { errors, loaded } = follow({ queryTimeoutMs: 30_000 });
  await loaded;
  added.mockRestore();
  expect(errors).toEqual([]);
  expect(new Set(read.map(({ number }) => number)).size).toBe(LAPTOPS);
  const distinct = new Map(read.map((laptop) => [JSON.stringify({ ...laptop, number: 0 }), laptop]));
  expect([...distinct.values()]).toEqual([
    {
      number: expect.any(Number),
      name,
      place: '\\N',
      brand: 'Dell',
      condition: 'Fair',
      originalCents: 90_001,
      priceCents: 50_002,
      memory: null,
      storage: 512,
      screen: 14.1,
      sellerId: expect.any(String),
      battery: null,
      processor: 'core-i7',
      generation: 'intel-8',
      graphics: null,
      system: 'windows-11',
      level: expect.any(String),
      verified: false,
      shipping: false,
      configuration: '16 GB\t“DDR4” / Linux\\',
      notes: 'no touch',
    },
  ]);
});

test('an interrupted load begins again, without a laptop that was withdrawn meanwhile', {
  tags: 'long',
}, async () => {
  await insertLaptops(LAPTOPS);
  const first = Promise.withResolvers<number>();
  const added = vi.spyOn(LaptopTable.prototype, 'add').mockImplementationOnce(({ number }) => {
    proxy.disconnect();
    first.resolve(number);
  });
  const { index, errors, loaded } = follow();
  await client.query(`update laptops set state = 'withdrawn' where number = $1`, [await first.promise]);
  await expect.poll(() => errors.length).toBeGreaterThan(0);
  added.mockRestore();
  expect(index.isLoaded()).toBe(false);
  proxy.reconnect();
  await loaded;
  expect(index.count()).toBe(LAPTOPS - 1);
});

test('loads all laptops again when a quarter of the index is of changed ones, and is complete meanwhile', {
  tags: 'long',
}, async () => {
  await insertLaptops(LAPTOPS);
  const { index, loaded } = follow({ queryTimeoutMs: 30_000 });
  await loaded;
  const full = index.size();
  const counts = new Set<number>();
  for (const price of [60_000, 70_000]) {
    await client.query('update laptops set resale_price_cents = $1 where number % 3 > 0', [price]);
    await expect
      .poll(() => {
        counts.add(index.count());
        const filters = z.parse(SearchFilters, { min_price: price / 100 });
        return index.search({ filters, sort: 'newest', limit: 1, after: null }).total;
      })
      .toBeGreaterThan(LAPTOPS / 2);
  }
  await client.query(
    `update laptops set location = 'Porto' where number = (select min(number) from laptops)`,
  );
  await expect.poll(() => index.isWasteful()).toBe(false);
  expect(index.size()).toBeLessThan(full * 1.1);
  expect([...counts]).toEqual([LAPTOPS]);
});

test('follows again after a network has dropped the connection of a read silently', async () => {
  await insertLaptops(2);
  const { index, errors, loaded } = follow();
  await loaded;
  expect(index.count()).toBe(2);
  proxy.stall('declare read_laptops');
  await insertLaptops(1);
  await expect.poll(() => errors).toContainEqual(new Error('Query read timeout'));
  expect(index.count()).toBe(2);
  proxy.reconnect();
  await expect.poll(() => index.count()).toBe(3);
});

test('loads after a network has dropped the connection of the load silently', async () => {
  await insertLaptops(2);
  proxy.stall('declare read_laptops');
  const { index, errors, loaded } = follow();
  await expect.poll(() => errors.length).toBeGreaterThan(0);
  proxy.reconnect();
  await loaded;
  expect(index.count()).toBe(2);
});

test('follows a change of another process by its notification', async () => {
  await insertLaptops(2);
  const { index, loaded } = follow();
  await loaded;
  await insertLaptops(1);
  // Without the notification it would take 15 s. Usually it takes less than 100 ms.
  await expect.poll(() => index.count(), { interval: 10 }).toBe(3);
  await client.query(
    `update laptops set state = 'withdrawn' where number = (select min(number) from laptops)`,
  );
  await expect.poll(() => index.count(), { interval: 10 }).toBe(2);
});

test('a laptop that is withdrawn and listed again between two reads is in the index once', async () => {
  await insertLaptops(2);
  const { index, loaded } = follow();
  await loaded;
  const { rows } = await client.query<{ id: string; number: string }>('select id, number from laptops');
  const direct = connect(database.url, () => undefined);
  await direct.database.transaction().execute(async (transaction) => {
    const [laptop] = rows;
    if (laptop === undefined) throw new Error('There are two laptops.');
    await transaction
      .updateTable('laptops')
      .set({ state: 'withdrawn' })
      .where('id', '=', laptop.id)
      .execute();
    expect(await relist(transaction, laptop.id, '')).toBe(true);
  });
  await direct.close();
  const search = () => {
    const filters = z.parse(SearchFilters, {});
    return index.search({ filters, sort: 'newest', limit: 10, after: null }).numbers;
  };
  const [retired, other] = rows.map(({ number }) => Number(number));
  await expect.poll(search).toEqual([expect.any(Number), other]);
  expect(search()).not.toContain(retired);
});
