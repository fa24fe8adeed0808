import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connect } from '#server/database/connect.ts';
import { freePorts } from '#tests/harness/ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/postgres.ts';
import { createMetrics } from './metrics.ts';

let empty: TestDatabase;
const connections: Connection[] = [];

beforeAll(async () => {
  empty = await createTestDatabase({ template: 'template0' });
});
afterAll(async () => {
  for (const connection of connections) await connection.close();
  await empty.drop();
});

/** Reads the figures twice. @returns whose absence was reported */
async function reported(databaseUrl: string): Promise<string[]> {
  const connection = connect(databaseUrl, () => undefined);
  connections.push(connection);
  const figures: string[] = [];
  const metrics = createMetrics(connection.pool, (_error, figure) => figures.push(figure));
  for (let time = 0; time < 2; time += 1) {
    expect((await metrics.serialize()).text).toContain('process_resident_memory_bytes');
  }
  return figures;
}

test('a metric whose query fails is reported once, by its name', async () => {
  const figures = await reported(empty.url);
  expect(figures).toContain('coomercio_payment_attempts_open');
  expect(figures).toHaveLength(new Set(figures).size);
});

test('an unavailable database is not reported as a failed metric', async () => {
  const away = Object.assign(new URL(empty.url), { port: String(await freePorts(1)) }).href;
  expect(await reported(away)).toEqual([]);
});
