import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';

let database: TestDatabase;
let writer: Client;
let listener: Client;
const received: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  [writer, listener] = [new Client(database.url), new Client(database.url)];
  await Promise.all([writer.connect(), listener.connect()]);
  listener.on('notification', ({ payload = '' }) => received.push(payload));
  await listener.query('listen catalogue_changed');
  await writer.query(`insert into users (email, name, is_seller) values ('sam@shop.example', 'Sam', true)`);
});
afterAll(async () => {
  await Promise.all([writer.end(), listener.end()]);
  await database.drop();
});

const isOfSeller = (text: string) => text.startsWith('["seller ');

/** Waits until the notifications of all commits so far have arrived: they arrive in the order of the commits. */
async function expectDelivered(): Promise<void> {
  await writer.query(`select pg_notify('catalogue_changed', 'the last')`);
  await expect.poll(() => received.includes('the last')).toBe(true);
  received.splice(received.indexOf('the last'), 1);
}

/** Runs a statement. @returns the notifications of its commit, without those of sellers' own pages */
async function notificationsOf(statement: string, values: unknown[] = []): Promise<string[]> {
  // Also those of a statement for which nobody waited.
  await expectDelivered();
  received.length = 0;
  await writer.query(statement, values);
  await expectDelivered();
  return received.filter((text) => !isOfSeller(text));
}

/** Runs a statement on a laptop. @returns the tags, without those of the laptop and of its seller's page */
async function tagsOf(statement: string, id: string): Promise<string[]> {
  const notifications = await notificationsOf(statement, [id]);
  expect(notifications.length).toBeLessThanOrEqual(1);
  const tags: string[] = JSON.parse(notifications[0] ?? '[]');
  expect(tags.filter((tag) => tag.startsWith('laptop '))).toEqual(tags.length === 0 ? [] : [`laptop ${id}`]);
  return tags.filter((tag) => !/^(?:laptop|offers of) /.test(tag));
}

async function insertLaptops(count: number): Promise<{ ids: string[]; notifications: string[] }> {
  received.length = 0;
  const { rows } = await writer.query<{ id: string }>(
    `insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
                          resale_price_cents, posted_time, use_time, mobile_number, condition, memory_gb)
     select 'HP', (select id from users), 'EliteBook', 'Lisbon', array['/photo'], '{}'::jsonb, 90000, 50000, 'now', '1 year',
            '+351 912 345 678', 'Good', 16
       from generate_series(1, $1) returning id`,
    [count],
  );
  await expectDelivered();
  return { ids: rows.map(({ id }) => id), notifications: received.filter((text) => !isOfSeller(text)) };
}

const update = (change: string) => `update laptops set ${change} where id = $1`;
const newest = ['newest HP', 'newest HP with 16 GB', 'newest with 16 GB'];

test('a notification names the lists that a laptop enters or leaves', async () => {
  const { ids, notifications } = await insertLaptops(1);
  const [id = ''] = ids;
  const { rows } = await writer.query<{ id: string }>('select id from users');
  expect(notifications.map((text) => JSON.parse(text).sort())).toEqual([
    ['brand HP', `laptop ${id}`, ...newest, `offers of ${rows[0]?.id}`, 'search'],
  ]);
  expect(await tagsOf(update(`advertised_at = now()`), id)).toEqual(['advertised']);
  const left = await tagsOf(update(`state = 'withdrawn'`), id);
  expect(left.sort()).toEqual(['advertised', 'brand HP', 'search']);
  expect(await tagsOf(update(`state = 'taken_down', taken_down_note = 'x'`), id)).toEqual([]);
  expect(
    (await tagsOf(update(`state = 'available', taken_down_note = null, advertised_at = null`), id)).sort(),
  ).toEqual(['brand HP', ...newest, 'search']);
  expect((await tagsOf(update(`brand = 'Dell'`), id)).sort()).toEqual([
    'brand Dell',
    'brand HP',
    'newest Dell',
    'newest Dell with 16 GB',
    'newest with 16 GB',
    'search',
  ]);
  expect((await tagsOf('delete from laptops where id = $1', id)).sort()).toEqual(['brand Dell', 'search']);
});

test('a notification of a change within the lists names no list', async () => {
  const [id = ''] = (await insertLaptops(1)).ids;
  expect(await tagsOf(update(`use_time = '2 years'`), id)).toEqual([]);
  const searched = [`name = 'ProBook'`, `location = 'Porto'`, `description = '{"Storage": "SSD"}'`];
  for (const change of [`resale_price_cents = 40000`, ...searched]) {
    expect(await tagsOf(update(change), id), change).toEqual(['search']);
  }
  const refitted = await tagsOf(update('memory_gb = 32'), id);
  expect(refitted.sort()).toEqual(['newest HP', 'newest HP with 32 GB', 'newest with 32 GB', 'search']);
});

test('a change of many laptops or of brands is told without tags', async () => {
  expect((await insertLaptops(101)).notifications).toEqual(['']);
  expect(await notificationsOf(`update laptops set location = 'Faro'`)).toEqual(['']);
  expect(await notificationsOf(`update brands set position = position + 10`)).toEqual(['']);
});

test.each([1, 101])('a change of a seller of %i laptops names the seller alone', async (count) => {
  await writer.query('delete from laptops');
  const { ids } = await insertLaptops(count);
  const { rows } = await writer.query<{ id: string }>('select id from users');
  const seller = JSON.stringify([`seller ${rows[0]?.id}`]);
  expect(await notificationsOf(`update users set name = name || 'n'`)).toEqual([]);
  expect(received).toEqual([seller]);
  // Searches count verified sellers.
  expect(await notificationsOf('update users set verified = not verified')).toEqual(['["search"]']);
  expect([...received].sort()).toEqual(['["search"]', seller]);
  expect(await notificationsOf(`update users set ended_at = now()`)).toEqual([]);
  expect(received).toEqual([seller]);
  await writer.query('update users set ended_at = null');
  // A later change of the same session is told as always.
  expect(await notificationsOf('update laptops set use_time = $1', ['a day'])).toEqual([
    count === 1 ? JSON.stringify([`laptop ${ids[0]}`]) : '',
  ]);
});

test('the index of searches reads the laptops of a seller again whose verification has changed', async () => {
  await writer.query('delete from laptops');
  await insertLaptops(1);
  const changedIn = async () =>
    (await writer.query<{ changed_in: string }>('select changed_in from laptops')).rows[0]?.changed_in;
  const before = await changedIn();
  await writer.query('update users set verified = not verified');
  expect(await changedIn()).not.toBe(before);
});

test('a confirmed telephone number is told with the tag of its seller', async () => {
  const { rows } = await writer.query<{ id: string }>('select id from users');
  for (const change of [
    `phone = '+351912345678', phone_confirmed_at = now()`,
    `phone = '+351912345679', phone_confirmed_at = now()`,
    'phone = null, phone_confirmed_at = null',
  ]) {
    await notificationsOf(`update users set ${change}`);
    expect(received, change).toEqual([JSON.stringify([`seller ${rows[0]?.id}`])]);
  }
});

test('a change of a user that no page shows is not told', async () => {
  await writer.query('delete from laptops');
  const [id = ''] = (await insertLaptops(1)).ids;
  const seller = 'id = (select seller_id from laptops where id = $1)';
  expect(await notificationsOf(`update users set name = name where ${seller}`, [id])).toEqual([]);
  expect(
    await notificationsOf(`update users set email_verified = not email_verified where ${seller}`, [id]),
  ).toEqual([]);
  await notificationsOf(`update laptops set state = 'withdrawn'`);
  expect(await notificationsOf(`update users set name = 'Sam'`)).toEqual([]);
});

test('a seller’s own page is told of the seller and of laptops that enter or leave it', async () => {
  await writer.query('delete from laptops');
  const { rows } = await writer.query<{ id: string }>('select id from users');
  const ofSeller = [JSON.stringify([`seller ${rows[0]?.id}`])];
  const ofOffers = `offers of ${rows[0]?.id}`;
  const told = async (statement: string) => {
    await notificationsOf(statement);
    return received.filter(isOfSeller);
  };
  await insertLaptops(1);
  expect(received.join()).toContain(ofOffers);
  await notificationsOf(`update laptops set location = 'Faro'`);
  expect(received.join()).not.toContain(ofOffers);
  await notificationsOf(`update laptops set state = 'withdrawn'`);
  expect(received.join()).toContain(ofOffers);
  await notificationsOf(`update laptops set state = 'available'`);
  await notificationsOf('delete from laptops');
  expect(received.join()).toContain(ofOffers);
  expect(await told(`update users set name = 'Tom'`)).toEqual(ofSeller);
  expect(await told(`update users set name = 'Tom'`)).toEqual([]);
  expect(await told(`update users set verified = not verified`)).toEqual(ofSeller);
});

test('a statement that changes no laptop is not told', async () => {
  expect(await notificationsOf(`update laptops set location = 'Faro' where false`)).toEqual([]);
});
