import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { migrateTo, migrateToLatest, migrationNames, requireLatestSchema, SchemaError } from './migrate.ts';

/**
 * The newest migration of the last release. Each release moves it forward. Later migrations must leave all that the release
 * uses, because its processes run and restart on the new schema while a release is rolled out, and after a way back.
 */
const LAST_RELEASED = '0001-baseline';

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('a database that a later version has migrated', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await query(
      database.url,
      `insert into kysely_migration (name, timestamp) values ('9999-of-a-later-version', now()::text)`,
    );
  });
  afterAll(() => database.drop());

  test('is left as it is by the start of an earlier version', async () => {
    await migrateToLatest(database.url);
    await requireLatestSchema(database.url);
    expect(await query(database.url, 'select name from kysely_migration order by name')).toHaveLength(
      migrationNames.length + 1,
    );
  });

  test('is refused when it lacks a migration of this version', async () => {
    const [last] = migrationNames.slice(-1);
    await query(database.url, `delete from kysely_migration where name = '${last}'`);
    await expect(migrateToLatest(database.url)).rejects.toThrow(SchemaError);
    await expect(requireLatestSchema(database.url)).rejects.toThrow('run the command migrate');
  });
});

test('a database with other migrations only is refused, and left as it is', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  try {
    await query(database.url, `create table kysely_migration (name text)`);
    await query(database.url, `insert into kysely_migration values ('0001-shop')`);
    await expect(migrateToLatest(database.url)).rejects.toThrow('another version');
    await expect(requireLatestSchema(database.url)).rejects.toThrow(SchemaError);
    expect(await query(database.url, `select from pg_tables where schemaname = 'public'`)).toHaveLength(1);
  } finally {
    await database.drop();
  }
});

describe('from the last release to this version', () => {
  let database: TestDatabase;
  const columns = () =>
    query<{ name: string; type: string; required: boolean; has_default: boolean; table: string }>(
      database.url,
      `select table_name || '.' || column_name as name, table_name as table, udt_name as type,
              is_nullable = 'NO' as required,
              column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as has_default
         from information_schema.columns
        where table_schema = 'public' and table_name not like 'kysely%'`,
    );

  test('tables and columns stay, and inserts of the release stay complete', async () => {
    database = await createTestDatabase({ template: 'template0' });
    try {
      await migrateTo(database.url, LAST_RELEASED);
      const released = await columns();
      const tables = new Set(released.map(({ table }) => table));
      await migrateToLatest(database.url);
      const current = await columns();
      const types = new Map(current.map(({ name, type }) => [name, type]));
      expect(released.filter(({ name, type }) => types.get(name) !== type)).toEqual([]);
      const optional = new Set(released.filter(({ required }) => !required).map(({ name }) => name));
      const known = new Set(released.map(({ name }) => name));
      expect(
        current.filter(
          ({ name, table, required, has_default }) =>
            tables.has(table) && required && !has_default && (!known.has(name) || optional.has(name)),
        ),
      ).toEqual([]);
    } finally {
      await database.drop();
    }
  });
});

test('a migration that cannot get a lock lets others go first, and is attempted again', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  const holder = new pg.Client({ connectionString: database.url });
  try {
    await holder.connect();
    await holder.query('begin; create table brands ()');
    const log = vi.fn();
    const migrated = migrateToLatest(database.url, log, { lockTimeoutMs: 50 });
    await vi.waitUntil(() => log.mock.calls.length >= 2, 60_000);
    await holder.query('rollback');
    await migrated;
    await requireLatestSchema(database.url);
  } finally {
    await holder.end();
    await database.drop();
  }
});
