import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { SearchFilters } from '#contract/listings/search.ts';
import { connect } from '#server/platform/database/connect.ts';
import {
  listenForNotifications,
  type Notifications,
} from '#server/platform/database/notification-listener.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { startTcpProxy, type TcpProxy } from '#tests/harness/platform/tcp-proxy.ts';
import { relist } from '../catalogue/store.ts';
import { type Follower, followLaptops } from './follow-laptops.ts';
import { createLaptopIndex, type LaptopIndex } from './index/laptop-index.ts';
import type { LaptopRow } from './index/row.ts';

/** Several chunks of a connection. */
const LAPTOPS = 5_000;

let database: TestDatabase;
let proxy: TcpProxy;
let client: pg.Client;
let follower: Follower | null = null;
let notifications: Notifications | null = null;

beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await startTcpProxy(database.url);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`insert into users (email, name, role) values ('sam@seller.example', 'Sam', 'Seller')`);
});
afterEach(async () => {
  await follower?.stop();
  await notifications?.stop();
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

/** Follows the database through the proxy. @param onUpsert called after each laptop that the index receives */
function follow(onUpsert: (laptop: LaptopRow) => void = () => undefined, { all = 1_000 } = {}) {
  const index = createLaptopIndex();
  const observed: LaptopIndex = {
    ...index,
    upsert: (laptop) => {
      index.upsert(laptop);
      onUpsert(laptop);
    },
  };
  const errors: unknown[] = [];
  const handlers = {
    onUpdate: () => undefined,
    onError: (error: unknown) => errors.push(error),
  };
  notifications = listenForNotifications(proxy.url, (sentence) => errors.push(sentence));
  follower = followLaptops({ connectionString: proxy.url, notifications }, observed, handlers, {
    all,
    changed: 300,
  });
  return { index, errors, loaded: follower.loaded };
}

test('reads every column as it is stored, across chunk boundaries', async () => {
  await insertLaptops(LAPTOPS);
  const name = 'EliteBook\t“840”\\N\r\n \\t é👍';
  await client.query(
    `update laptops set name = $1, location = '\\N', brand = 'Dell', condition = 'Fair', original_price_cents = 90001,
       resale_price_cents = 50002, memory_gb = null, storage_gb = 512, screen_inches = 14.1, battery_percent = null,
       processor = 'core-i7', generation = 'intel-8', graphics = null, system = 'windows-11', description = $2`,
    [name, JSON.stringify({ Operating: 'Linux\\', Memory: '16 GB\t“DDR4”', Notes: 'no touch' })],
  );
  const read: LaptopRow[] = [];
  const { errors, loaded } = follow((laptop) => read.push(laptop), { all: 30_000 });
  await loaded;
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
      battery: null,
      processor: 'core-i7',
      generation: 'intel-8',
      graphics: null,
      system: 'windows-11',
      level: expect.any(String),
      verified: false,
      configuration: '16 GB\t“DDR4” / Linux\\',
    },
  ]);
});

test('a laptop that was withdrawn after an interrupted load is not in the index', async () => {
  await insertLaptops(LAPTOPS);
  const first = Promise.withResolvers<number>();
  let isInterrupted = false;
  const { index, errors, loaded } = follow(({ number }) => {
    if (isInterrupted) return;
    isInterrupted = true;
    proxy.disconnect();
    first.resolve(number);
  });
  await client.query(`update laptops set state = 'withdrawn' where number = $1`, [await first.promise]);
  await expect.poll(() => errors.length).toBeGreaterThan(0);
  expect(index.count()).toBeLessThan(LAPTOPS);
  proxy.reconnect();
  await loaded;
  expect(index.count()).toBe(LAPTOPS - 1);
});

test('follows again after a network has dropped the connection of a read silently', async () => {
  await insertLaptops(2);
  const { index, errors, loaded } = follow();
  await loaded;
  expect(index.count()).toBe(2);
  proxy.stall('copy (select');
  await insertLaptops(1);
  await expect.poll(() => errors).toContainEqual(new Error('The database has sent nothing for 300 ms.'));
  expect(index.count()).toBe(2);
  proxy.reconnect();
  await expect.poll(() => index.count()).toBe(3);
});

test('loads after a network has dropped the connection of the load silently', async () => {
  await insertLaptops(2);
  proxy.stall('copy (select');
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
  const connection = connect(database.url, () => undefined);
  await connection.database.transaction().execute(async (transaction) => {
    const [laptop] = rows;
    if (laptop === undefined) throw new Error('There are two laptops.');
    await transaction
      .updateTable('laptops')
      .set({ state: 'withdrawn' })
      .where('id', '=', laptop.id)
      .execute();
    expect(await relist(transaction, laptop.id, '')).toBe(true);
  });
  await connection.close();
  const search = () => {
    const filters = z.parse(SearchFilters, {});
    return index.search({ filters, sort: 'newest', limit: 10, after: null }).numbers;
  };
  const [retired, other] = rows.map(({ number }) => Number(number));
  await expect.poll(search).toEqual([expect.any(Number), other]);
  expect(search()).not.toContain(retired);
});
