import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { VerificationImpossible, withScratchDatabase } from './scratch-database.ts';

let shop: TestDatabase;
let other: TestDatabase;
/** A role that may not create databases. */
let role: string;
let limited: (database: TestDatabase) => string;

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  shop = await createTestDatabase();
  other = await createTestDatabase({ template: 'template0' });
  role = `limited_${process.pid}`;
  await query(shop.url, `create role ${role} login password 'limited'`);
  limited = ({ url }) => Object.assign(new URL(url), { username: role, password: 'limited' }).href;
});
afterAll(async () => {
  await other.drop();
  await query(shop.url, `drop role ${role}`);
  await shop.drop();
});

const scratchDatabases = async () =>
  (
    await query(
      shop.url,
      `select datname from pg_database where datname = 'coomercio_backup_check_'
        || (select oid from pg_database where datname = current_database())`,
    )
  ).length;

test('creates a database, drops it after a failure as well, and replaces one that a killed run has left', async () => {
  const scratch = { directUrl: shop.url, verifyUrl: null };
  await expect(
    withScratchDatabase(scratch, async (url) => {
      await query(url, 'create table left_behind ()');
      expect(await scratchDatabases()).toBe(1);
      // The same shop's next run.
      await withScratchDatabase(scratch, async (next) => {
        expect(await query(next, `select from pg_class where relname = 'left_behind'`)).toEqual([]);
      });
      throw new Error('of the work');
    }),
  ).rejects.toThrow('of the work');
  expect(await scratchDatabases()).toBe(0);
});

test('says what to do when the role may not create databases', async () => {
  const used = withScratchDatabase({ directUrl: limited(shop), verifyUrl: null }, async () => undefined);
  await expect(used).rejects.toThrow(VerificationImpossible);
  await expect(used).rejects.toThrow(
    `The role ${role} may not create a database to verify it in: run ALTER ROLE "${role}" CREATEDB, or set BACKUP_VERIFY_URL to an empty database that the role owns.`,
  );
});

test('uses the database of BACKUP_VERIFY_URL again and again, and touches none with tables of its own', async () => {
  const verifyUrl = limited(other);
  const use = (url: string, work: (url: string) => Promise<unknown>) =>
    withScratchDatabase({ directUrl: limited(shop), verifyUrl: url }, work);
  await expect(use(verifyUrl, async () => undefined)).rejects.toThrow(
    'The role in BACKUP_VERIFY_URL does not own its database',
  );
  const name = new URL(other.url).pathname.slice(1);
  await query(other.url, `alter database ${name} owner to ${role}`);
  for (let run = 0; run < 2; run += 1) {
    await use(verifyUrl, (url) => query(url, 'create table of_a_backup (); create schema identity'));
  }
  expect(await query(other.url, `select from pg_class where relname = 'of_a_backup'`)).toEqual([]);
  const users = await query(shop.url, 'select count(*) from users');
  await expect(use(shop.url, async () => undefined)).rejects.toThrow(
    'leads to a database with tables of its own, which were not touched',
  );
  expect(await query(shop.url, 'select count(*) from users')).toEqual(users);
});
