import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoAdmin } from '#demo/accounts.ts';
import { runCommand, startServer } from '#tests/harness/operations/server-process.ts';
import { freeShopPort } from '#tests/harness/operations/shop-ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';

let folder: string;
let database: TestDatabase;
let environment: Record<string, string> & { PORT: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-live-'));
  database = await createTestDatabase();
  environment = {
    PORT: String(await freeShopPort()),
    NODE_ENV: 'production',
    PUBLIC_ORIGIN: 'https://shop.example',
    DATABASE_URL: database.url,
    COOMERCIO_DATA: folder,
    SMTP_URL: 'smtp://127.0.0.1:1',
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  };
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function query(statement: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(statement, values).finally(() => client.end());
}

test('with live card keys the shop refuses to start while demo accounts are active', async () => {
  await query(`insert into users (email, name, is_admin, is_owner) values ($1, $2, true, true)`, [
    demoAdmin.email,
    demoAdmin.name,
  ]);
  const refused = await runCommand('server/main.ts', [], environment);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`whose password is published: ${demoAdmin.email}.`);

  await query('update users set ended_at = now() where email = $1', [demoAdmin.email]);
  const server = await startServer(environment);
  expect(await server.stop()).toBe(0);
});
