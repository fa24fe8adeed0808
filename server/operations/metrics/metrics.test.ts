import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connect } from '#server/platform/database/connect.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
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
  const metrics = createMetrics(connection, (_error, figure) => figures.push(figure));
  for (let time = 0; time < 2; time += 1) {
    const { text } = await metrics.serialize();
    expect(text).toContain('process_resident_memory_bytes');
    // A metric that cannot be read has no value, not 0.
    expect(text).not.toMatch(/^coomercio_(payment_attempts_open|backup_\w+|jobs\w*)[ {]/m);
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

test('concurrent scrapes share one reading', async () => {
  const connection = connect(empty.url, () => undefined);
  connections.push(connection);
  let readings = 0;
  const metrics = createMetrics(connection, () => undefined, {
    ofWholeShop: false,
    share: (registry) => () => {
      readings += 1;
      return registry.metrics();
    },
  });
  await Promise.all([metrics.serialize(), metrics.serialize()]);
  expect(readings).toBe(1);
  await metrics.serialize();
  expect(readings).toBe(2);
});

test('a disk that cannot be read has no value', async () => {
  const connection = connect(empty.url, () => undefined);
  connections.push(connection);
  const metrics = createMetrics(connection, () => undefined, { ofWholeShop: false });
  metrics.watchDisk(join(tmpdir(), 'a folder that does not exist'));
  expect((await metrics.serialize()).text).not.toMatch(/^coomercio_disk_\w+ /m);

  const readable = createMetrics(connection, () => undefined, { ofWholeShop: false });
  readable.watchDisk(tmpdir());
  const { text } = await readable.serialize();
  const bytes = (figure: string) =>
    Number(new RegExp(`^coomercio_disk_${figure}_bytes (\\d+)`, 'm').exec(text)?.[1]);
  expect(bytes('free')).toBeGreaterThan(0);
  expect(bytes('size')).toBeGreaterThan(bytes('free'));
  expect(text).toMatch(/^coomercio_database_up 1$/m);
  expect(text).not.toContain('coomercio_payments');
});
