import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/harness/postgres.ts';
import { startTcpProxy, type TcpProxy } from '#tests/harness/tcp-proxy.ts';
import { listen } from './listen.ts';

let database: TestDatabase;
let proxy: TcpProxy;

beforeAll(async () => {
  database = await createTestDatabase({ template: 'template0' });
  proxy = await startTcpProxy(database.url);
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});

async function notify(): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('notify things');
  await client.end();
}

test('a connection that a network has dropped without a word is noticed and replaced', async () => {
  const told: string[] = [];
  const hearing = { heard: () => told.push('heard'), lost: () => told.push('lost') };
  const ear = listen(proxy.url, 'things', hearing, { every: 20, patience: 500 });
  try {
    await expect.poll(() => told.at(-1), { timeout: 5_000 }).toBe('heard');
    const before = told.length;
    proxy.stall();
    await expect.poll(() => told.slice(before), { timeout: 5_000 }).toContain('lost');
    await expect.poll(() => told.at(-1), { timeout: 5_000 }).toBe('heard');
    const again = told.length;
    await notify();
    await expect.poll(() => told.slice(again), { timeout: 5_000 }).toContain('heard');
  } finally {
    await ear.stop();
  }
});
