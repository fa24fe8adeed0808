import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { MINUTE_MS } from '#contract/platform/durations.ts';
import { type Connection, connect } from '#server/platform/database/connect.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { isNotPostponed, processItems, processTogether } from './failed-items.ts';

let testDatabase: TestDatabase;
let connection: Connection;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  connection = connect(testDatabase.url, () => undefined);
});
beforeEach(async () => {
  await connection.pool.query('delete from failed_items');
});
afterAll(async () => {
  await connection.close();
  await testDatabase.drop();
});

const start = new Date('2026-11-26T12:00:00Z');
const after = (minutes: number) => new Date(start.getTime() + minutes * MINUTE_MS);

const failFor =
  (...failing: string[]) =>
  async (item: string) => {
    if (failing.includes(item)) throw new Error(`${item} is broken`);
  };

async function due(items: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${items}::text[]) as id where ${isNotPostponed('duplicates', sql.ref('id'), now)}
  `.execute(connection.database);
  return rows.map(({ id }) => id);
}

const run = (items: string[], process: (item: string) => Promise<void>, now = start) =>
  processItems(connection.database, 'duplicates', items, process, { now });

test('a failing item is postponed and named, and the others are processed', async () => {
  const process = vi.fn(failFor('b'));
  const failures = await run(['a', 'b', 'c'], process);
  expect(process.mock.calls).toEqual([['a'], ['b'], ['c']]);
  expect(failures).toMatchObject([
    {
      message: expect.stringContaining('duplicates: b failed (attempt 1)'),
      cause: { message: 'b is broken' },
    },
  ]);
  expect(await due(['a', 'b', 'c'], start)).toEqual(['a', 'c']);
  expect(await due(['b'], after(1))).toEqual(['b']);
});

test('each failure postpones twice as long, by an hour at most', async () => {
  const waits: number[] = [];
  let now = start;
  for (let attempt = 0; attempt < 8; attempt += 1) {
    await run(['a'], failFor('a'), now);
    const { rows } = await connection.pool.query<{ next_attempt_at: Date }>(
      'select next_attempt_at from failed_items',
    );
    const next = rows[0]?.next_attempt_at ?? now;
    waits.push((next.getTime() - now.getTime()) / MINUTE_MS);
    now = next;
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
});

test('an item that succeeds is forgotten, so that its next failure is its first', async () => {
  await run(['a'], failFor('a'));
  await run(['a'], failFor('a'), after(1));
  await run(['a'], failFor(), after(3));
  expect(await run(['a'], failFor('a'), after(4))).toMatchObject([
    { message: expect.stringContaining('(attempt 1)') },
  ]);
});

test('what a stop interrupts does not count as failed', async () => {
  const stopping = new AbortController();
  const process = vi.fn(async () => {
    stopping.abort();
    throw new Error('aborted');
  });
  const options = { now: start, signal: stopping.signal };
  const processed = processItems(connection.database, 'duplicates', ['a', 'b'], process, options);
  await expect(processed).rejects.toThrow('aborted');
  expect(process).toHaveBeenCalledOnce();
  expect(await due(['a', 'b'], start)).toEqual(['a', 'b']);
});

test('a failure that cannot be recorded ends the round', async () => {
  const unreachable = connect('postgres://nobody@127.0.0.1:1/none', () => undefined);
  const process = vi.fn(failFor('a', 'b'));
  await expect(
    processTogether(unreachable.database, 'duplicates', ['a', 'b'], ([item = '']) => process(item), {
      now: start,
    }),
  ).rejects.toThrow();
  expect(process.mock.calls).toEqual([['a'], ['a']]);
  await unreachable.close();
});

test('items that are processed together are halved down to the failing ones', async () => {
  const items = Array.from({ length: 100 }, (_, at) => `item ${at}`);
  const done = new Set<string>();
  let calls = 0;
  const process = async (batch: readonly string[]) => {
    calls += 1;
    if (batch.includes('item 7') || batch.includes('item 93')) throw new Error('one of these is broken');
    for (const item of batch) done.add(item);
  };
  const failures = await processTogether(connection.database, 'duplicates', items, process, { now: start });
  expect(failures).toHaveLength(2);
  expect(done.size).toBe(98);
  expect(calls).toBeLessThan(32);
  expect(await due(items, start)).toHaveLength(98);
});
