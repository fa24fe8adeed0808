import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { createTestDatabase } from './postgres.ts';

async function tablesOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query(`select from pg_tables where schemaname = 'public'`);
    return result.rowCount ?? 0;
  } finally {
    await client.end();
  }
}

test('creates separate migrated databases concurrently', async () => {
  const databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
  try {
    const [first, second] = databases;
    expect(first?.url).not.toBe(second?.url);
    for (const database of databases) expect(await tablesOf(database.url)).toBeGreaterThan(0);
  } finally {
    for (const database of databases) await database.drop();
  }
});

test('drops a database that has open connections', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  expect(await tablesOf(database.url)).toBe(0);
  const client = new pg.Client({ connectionString: database.url });
  const lost = new Promise((resolve) => client.on('error', resolve));
  await client.connect();
  await database.drop();
  expect(await lost).toBeInstanceOf(Error);
  await expect(tablesOf(database.url)).rejects.toThrow(/does not exist/);
});

test('provides the server URL to every test file', () => {
  expect(inject('testDatabaseUrl')).toBe(process.env.TEST_DATABASE_URL);
});
