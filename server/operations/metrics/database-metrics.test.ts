import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Connection, connect } from '#server/platform/database/connect.ts';
import { createQueue, handle, job } from '#server/platform/jobs/queue.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { createDatabaseMetrics } from './database-metrics.ts';

const email = job('email', z.object({ name: z.string() }));

let database: TestDatabase;
let connection: Connection;

beforeAll(async () => {
  database = await createTestDatabase();
  // Only what is counted is there, not what it refers to.
  await connectionQuery(
    `alter database ${new URL(database.url).pathname.slice(1)} set session_replication_role = replica`,
  );
  await connection.close();
  connection = connect(database.url, () => undefined);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

async function connectionQuery(text: string): Promise<void> {
  connection ??= connect(database.url, () => undefined);
  await connection.pool.query(text);
}

let serial = 0;
function next(): number {
  serial += 1;
  return serial;
}
const pay = (ago: string) =>
  connectionQuery(`insert into orders (booking_id, laptop_id, buyer_id, seller_id, transaction_id, price_cents,
                                       commission_cents, state, promised_until, handover_code, placed_at)
                   values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'pi_${next()}', 100,
                           0, 'completed', now(), '123456', now() - interval '${ago}')`);
const refund = (state: 'pending' | 'done' | 'failed', ago: string) =>
  connectionQuery(`insert into refunds (booking_id, transaction_id, amount_cents, reason, state, done_at, failed_at,
                                        failure_reason, created_at)
                   values (gen_random_uuid(), 'pi_${next()}', 100, 'paid_twice', '${state}',
                           case when '${state}' = 'done' then now() end, case when '${state}' = 'failed' then now() end,
                           case when '${state}' = 'failed' then 'declined' end, now() - interval '${ago}')`);
const dispute = (state: string, ago: string) =>
  connectionQuery(`insert into disputes (card_dispute_id, booking_id, transaction_id, amount_cents, reason, state,
                                         opened_at, closed_at)
                   values ('dp_${next()}', gen_random_uuid(), 'pi_${serial}', 100, 'fraudulent', '${state}',
                           now() - interval '${ago}',
                           case when '${state}' in ('won', 'lost', 'inquiry_closed') then now() - interval '${ago}' end)`);

test('metrics are counted incrementally, for old and new rows', async () => {
  const figures = createDatabaseMetrics(connection);
  const told = async () => {
    const { payments, refunds, disputes } = figures;
    const all = [await payments(), await refunds(), await disputes()].flat();
    return Object.fromEntries(
      all.map(({ labels, count }) => [Object.values(labels).join(' ').trim(), count]),
    );
  };
  await pay('1 day');
  await pay('1 second');
  await refund('done', '1 day');
  await refund('failed', '1 day');
  for (const state of ['won', 'lost', 'inquiry_closed', 'inquiry', 'chargeback'])
    await dispute(state, '1 day');
  const first = {
    paid: 2,
    'refunded paid_twice': 2,
    waiting: 0,
    pending: 0,
    failed: 1,
    done: 1,
    open: 2,
    lost: 1,
    won: 2,
  };
  expect(await told()).toEqual(first);
  expect(await told()).toEqual(first);

  await pay('0 seconds');
  await refund('pending', '0 seconds');
  await dispute('lost', '1 minute');
  await connectionQuery(
    `update disputes set state = 'chargeback', closed_at = null where state = 'inquiry_closed'`,
  );
  const second = {
    paid: 3,
    'refunded paid_twice': 3,
    waiting: 0,
    pending: 1,
    failed: 1,
    done: 1,
    open: 3,
    lost: 2,
    won: 1,
  };
  expect(await told()).toEqual(second);
  // Several scrapes at once add nothing twice.
  expect(await Promise.all([told(), told(), told()])).toEqual([second, second, second]);

  // What was counted long ago is not read again: this would be seen otherwise.
  await connectionQuery(`delete from orders where placed_at < now() - interval '1 hour'`);
  expect(await told()).toEqual(second);
});

test('the oldest waiting job of each queue, the connections of the server, and the age of the last usable backup', async () => {
  const figures = createDatabaseMetrics(connection);
  const read = async (name: 'oldestJobs' | 'serverConnections') =>
    Object.fromEntries((await figures[name]()).map(({ labels, count }) => [Object.values(labels)[0], count]));

  const queue = createQueue(database.url, () => undefined, { runsJobs: false });
  await queue.start([handle(email, () => undefined)]);
  try {
    for (const name of ['Ann', 'Bea']) {
      await connection.database
        .transaction()
        .execute((transaction) => queue.enqueue(transaction, email, { name }));
    }
    // The older one has failed and is attempted again later.
    await connectionQuery(
      `update pgboss.job set state = 'retry', start_after = now() + interval '10 minutes',
                             created_on = now() - interval '1 hour'
        where data ->> 'name' = 'Bea'`,
    );
    const ages = await read('oldestJobs');
    expect(ages.notices).toBeGreaterThanOrEqual(3600);
    expect(ages.sms).toBe(0);
  } finally {
    await queue.stop();
  }

  const { used, limit } = await read('serverConnections');
  expect(used).toBeGreaterThan(0);
  expect(limit).toBeGreaterThan(used ?? 0);

  const backups = async () => {
    const { interval, usableAge } = await figures.backups();
    return [interval, usableAge].map((counts) => counts.map(({ count }) => Math.floor(count / 3600)));
  };
  expect(await backups()).toEqual([[], []]);
  await connectionQuery(
    `update backup_state set every_ms = 86400000, expected_since = now() - interval '2 days'`,
  );
  expect(await backups()).toEqual([[24], [48]]);
  await connectionQuery(
    `update backup_state set last_at = now() - interval '5 hours', last_bytes = 1, last_duration_ms = 1`,
  );
  expect(await backups()).toEqual([[24], [5]]);
});
