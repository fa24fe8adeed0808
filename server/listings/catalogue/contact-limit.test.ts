import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connect } from '#server/platform/database/connect.ts';
import { createLimiter } from '#server/platform/http/limits.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { type ContactLimit, createContactLimit } from './contact-limit.ts';

const ACCOUNT_QUOTA = 300;
const ADDRESS_QUOTA = 1200;

let database: TestDatabase;
let connection: Connection;
let limit: ContactLimit;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connect(database.url, () => undefined);
  limit = createContactLimit(createLimiter(connection.database));
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

const sellers = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `seller ${from + at}`);

/** @returns the sellers whose contacts a reader is shown */
async function read(userId: string, address: string, sellerIds: readonly string[]): Promise<string[]> {
  const hidden = await limit.count({ userId, address }, sellerIds);
  return sellerIds.filter((sellerId) => hidden?.isHidden(sellerId) !== true);
}

test('a class of twenty at one address sees the contacts of one list of a hundred', async () => {
  for (let pupil = 0; pupil < 20; pupil += 1) {
    expect(await read(`pupil ${pupil}`, '203.0.113.1', sellers(0, 100))).toHaveLength(100);
  }
  // The address has paid for one reader.
  for (let pupil = 0; pupil < 11; pupil += 1) {
    expect(await read(`pupil ${pupil}`, '203.0.113.1', sellers(100 + 100 * pupil, 100))).toHaveLength(100);
  }
});

test('as many contacts as are left are shown, and those that were shown stay', async () => {
  const address = '203.0.113.2';
  await read('collector', address, sellers(0, ACCOUNT_QUOTA - 40));
  const list = sellers(ACCOUNT_QUOTA - 50, 100);
  // Ten are known.
  expect(await read('collector', address, list)).toEqual(list.slice(0, 50));
  expect(await read('collector', address, list.toReversed())).toHaveLength(50);
  expect(await read('collector', address, ['seller 0', 'seller 999'])).toEqual(['seller 0']);
});

test('accounts are free, so those of one address together are limited by the number of sellers', async () => {
  const address = '203.0.113.3';
  let seen = 0;
  for (let account = 0; account < 5; account += 1) {
    seen += (await read(`account ${account}`, address, sellers(account * 290, 290))).length;
  }
  expect(seen).toBe(ADDRESS_QUOTA);
  // What the address has seen is shown to its other accounts, and no account is charged for what the address may not see.
  const other = await read('other', address, [...sellers(0, 20), ...sellers(5_000, 280)]);
  expect(other).toEqual(sellers(0, 20));
  expect(await read('other', '203.0.113.4', sellers(6_000, ACCOUNT_QUOTA - 20))).toHaveLength(
    ACCOUNT_QUOTA - 20,
  );
});

test('an address is not charged for what an account may not see', async () => {
  const address = '203.0.113.5';
  for (let at = 0; at < 10; at += 1) await read('greedy', address, sellers(at * 200, 200));
  for (let account = 0; account < 3; account += 1) {
    const list = sellers(10_000 + account * 300, 300);
    expect(await read(`modest ${account}`, address, list)).toHaveLength(300);
  }
});

test('concurrent requests see no more than the quota', async () => {
  const shown = await Promise.all(
    Array.from({ length: 10 }, (_, at) => read('hasty', '203.0.113.6', sellers(at * 100, 100))),
  );
  expect(shown.flat().length).toBeLessThanOrEqual(ACCOUNT_QUOTA);
});
