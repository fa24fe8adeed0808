import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connect } from '#server/platform/database/connect.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { createLimiter, type Limiter } from './limits.ts';
import { Refusal } from './refusal.ts';

let database: TestDatabase;
const connections: Connection[] = [];

/** A limiter as another process, or the next start, would have it. */
function anotherProcess(): Limiter {
  const connection = connect(database.url, () => undefined);
  connections.push(connection);
  return createLimiter(connection.database);
}

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const connection of connections) await connection.close();
  await database.drop();
});

const outcomes = async (tries: Promise<void>[]) => {
  const settled = await Promise.allSettled(tries);
  return settled.filter(({ status }) => status === 'fulfilled').length;
};

test('concurrent requests to several processes use exactly the quota, which survives a restart', async () => {
  const processes = [anotherProcess(), anotherProcess(), anotherProcess()];
  const doer = { account: 'a', address: '203.0.113.1' };
  const tries = Array.from({ length: 90 }, (_, at) => processes[at % 3]?.take('reporting', doer));
  expect(await outcomes(tries.map((each) => each ?? Promise.reject()))).toBe(30);
  await expect(anotherProcess().take('reporting', doer)).rejects.toMatchObject({ code: 'too_many_requests' });
});

test('a refusal states when the next request is possible, and then it is', async () => {
  const limiter = anotherProcess();
  const doer = { account: 'b', address: '203.0.113.2' };
  for (let at = 0; at < 60; at += 1) await limiter.take('booking', doer);
  const refused: unknown = await limiter.take('booking', doer).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'too_many_requests',
    message: expect.stringMatching(/^You have booked many laptops .* try again in a minute\.$/),
  });
  const retryAt = refused instanceof Refusal ? refused.details.retryAt : undefined;
  const wait = (retryAt?.getTime() ?? 0) - Date.now();
  // Sixty an hour: the next after a minute.
  expect(wait).toBeGreaterThan(30_000);
  expect(wait).toBeLessThanOrEqual(61_000);
  const { pool } = connections.at(-1) ?? {};
  await pool?.query(`update rate_limits set empty_at = empty_at - interval '61 seconds'`);
  await limiter.take('booking', doer);
  await expect(limiter.take('booking', doer)).rejects.toThrow();
});

test('counts accounts separately, and their common address together', async () => {
  const limiter = anotherProcess();
  const address = '203.0.113.3';
  let passed = 0;
  for (let account = 0; account < 12; account += 1) {
    passed += await outcomes(
      Array.from({ length: 30 }, () => limiter.take('reporting', { account: `c${account}`, address })),
    );
  }
  expect(passed).toBe(300);
  await limiter.take('reporting', { account: 'd', address: '203.0.113.4' });
});

test('an IPv6 /48 has one quota for all its networks, sixteen times the quota of an address', async () => {
  const limiter = anotherProcess();
  const { pool } = connections.at(-1) ?? {};
  let networks = 0;
  const takeFromNewNetwork = () => {
    networks += 1;
    const household = (networks * 0x100).toString(16);
    return limiter.take('reporting', { account: null, address: `2001:db8:48:${household}::1` });
  };
  await pool?.query('delete from rate_limits');
  await takeFromNewNetwork();
  // Of the /64, the /56 and the /48, the last one has used the smallest part of its quota: 0.75 s of an hour.
  const almostUsedUp = await pool?.query(
    `update rate_limits set empty_at = empty_at + interval '1 hour' - interval '3 seconds'
      where empty_at = (select min(empty_at) from rate_limits)
      returning extract(epoch from empty_at - clock_timestamp()) as seconds_used`,
  );
  expect(Number(almostUsedUp?.rows[0]?.seconds_used)).toBeLessThan(3600 - 3 + 3600 / (300 * 16));

  const outcomesInTurn: boolean[] = [];
  while (outcomesInTurn.length < 100 && outcomesInTurn.at(-1) !== false) {
    outcomesInTurn.push((await outcomes([takeFromNewNetwork()])) === 1);
  }
  expect(outcomesInTurn[0]).toBe(true);
  expect(outcomesInTurn.at(-1)).toBe(false);
  await limiter.take('reporting', { account: null, address: '2001:db8:49::1' });
});

test('removes expired entries, and stores neither accounts nor addresses', async () => {
  const limiter = anotherProcess();
  await limiter.take('payment', { account: 'somebody', address: '203.0.113.5' });
  const { pool } = connections.at(-1) ?? {};
  const rows = async () => (await pool?.query('select key from rate_limits'))?.rows ?? [];
  expect(JSON.stringify(await rows())).not.toMatch(/somebody|203\.0\.113/);
  await pool?.query(`update rate_limits set empty_at = now() - interval '1 second'`);
  await limiter.sweep();
  expect(await rows()).toEqual([]);
});
