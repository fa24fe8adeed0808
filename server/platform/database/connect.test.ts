import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { startTcpProxy, type TcpProxy } from '#tests/harness/platform/tcp-proxy.ts';
import { connect } from './connect.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

let database: TestDatabase;
let proxy: TcpProxy;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startTcpProxy(database.url);
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});

/** @returns the process of the server that answers, which is another one for each connection */
async function serverProcess(connection: ReturnType<typeof connect>): Promise<number> {
  const { rows } = await sql<{ id: number }>`select pg_backend_pid() as id`.execute(connection.database);
  return rows[0]?.id ?? 0;
}

test('a query on a silent network ends, and the next one uses another connection', async () => {
  const connection = connect(proxy.url, () => undefined, { connections: 1, queryTimeoutMs: 300 });
  try {
    const first = await serverProcess(connection);
    proxy.stall();
    const error: unknown = await serverProcess(connection).catch((thrown: unknown) => thrown);
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(await serverProcess(connection)).not.toBe(first);
  } finally {
    await connection.close();
  }
});

test('a connection to a former primary, which only reads, is given up', async () => {
  const connection = connect(database.url, () => undefined, { connections: 1 });
  try {
    const first = await serverProcess(connection);
    await sql`set default_transaction_read_only = on`.execute(connection.database);
    const error: unknown = await connection.database
      .deleteFrom('brands')
      .execute()
      .catch((thrown: unknown) => thrown);
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(await serverProcess(connection)).not.toBe(first);
  } finally {
    await connection.close();
  }
});
