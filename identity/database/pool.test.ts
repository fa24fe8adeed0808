import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { startTcpProxy, type TcpProxy } from '#tests/harness/platform/tcp-proxy.ts';
import { toRefusal } from '../refusals.ts';
import { createPool, inTransaction } from './pool.ts';

const { log } = Fastify();

let database: TestDatabase;
let network: TcpProxy;
beforeAll(async () => {
  database = await createTestDatabase();
  network = await startTcpProxy(database.url);
});
afterAll(async () => {
  await network.close();
  await database.drop();
});

const select = 'select 1 as one';

it('answers identity_unavailable on a silent network, and uses another connection afterwards', async () => {
  const pool = createPool(network.url, log, { queryTimeoutMs: 300 });
  try {
    await pool.query(select);
    network.stall();
    const error: unknown = await inTransaction(pool, (client) => client.query(select)).catch(
      (thrown: unknown) => thrown,
    );
    expect(toRefusal(error).code).toBe('identity_unavailable');
    expect((await inTransaction(pool, (client) => client.query(select))).rows).toEqual([{ one: 1 }]);
  } finally {
    await pool.end();
  }
});

it('answers identity_unavailable at a former primary, and gives its connection up', async () => {
  const pool = createPool(database.url, log);
  try {
    const write = () => inTransaction(pool, (client) => client.query('create table public.written (id int)'));
    await pool.query('set default_transaction_read_only = on');
    const error: unknown = await write().catch((thrown: unknown) => thrown);
    expect(toRefusal(error).code).toBe('identity_unavailable');
    await write();
  } finally {
    await pool.end();
  }
});
