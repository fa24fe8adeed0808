import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Connection, connect } from '#server/platform/database/connect.ts';
import { createQueue, handle, job } from '#server/platform/jobs/queue.ts';
import { scrapeMetrics } from '#tests/harness/operations/shop-metrics.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';

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

test('payments, refunds and disputes are counted by what became of them', async () => {
  const counted = async () => {
    const metrics = await scrapeMetrics(connection);
    const value = (name: string) => metrics[`coomercio_${name}`];
    return {
      paid: value('payments{outcome="paid",reason=""}'),
      'refunded twice': value('payments{outcome="refunded",reason="paid_twice"}'),
      ...Object.fromEntries(
        ['waiting', 'pending', 'failed', 'done'].map((state) => [state, value(`refunds{state="${state}"}`)]),
      ),
      ...Object.fromEntries(
        ['open', 'lost', 'won'].map((state) => [state, value(`disputes{state="${state}"}`)]),
      ),
    };
  };
  await pay('1 day');
  await pay('1 second');
  await refund('done', '1 day');
  await refund('failed', '1 day');
  for (const state of ['won', 'lost', 'inquiry_closed', 'inquiry', 'disputed']) await dispute(state, '1 day');
  const first = {
    paid: 2,
    'refunded twice': 2,
    waiting: 0,
    pending: 0,
    failed: 1,
    done: 1,
    open: 2,
    lost: 1,
    won: 2,
  };
  expect(await counted()).toEqual(first);

  await pay('0 seconds');
  await refund('pending', '0 seconds');
  await dispute('lost', '1 minute');
  await connectionQuery(
    `update disputes set state = 'disputed', closed_at = null where state = 'inquiry_closed'`,
  );
  await connectionQuery(`update refunds set reason = 'unexplained' where state = 'failed'`);
  expect(await counted()).toEqual({
    paid: 3,
    'refunded twice': 2,
    waiting: 0,
    pending: 1,
    failed: 0,
    done: 1,
    open: 3,
    lost: 2,
    won: 1,
  });
});

test('the oldest waiting job of each queue, the connections of the server, and the age of the last usable backup', async () => {
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
    const metrics = await scrapeMetrics(connection);
    expect(metrics['coomercio_jobs_oldest_age_seconds{job="notices"}']).toBeGreaterThanOrEqual(3600);
    expect(metrics['coomercio_jobs_oldest_age_seconds{job="sms"}']).toBe(0);
    expect(metrics['coomercio_jobs{job="sms",state="failed"}']).toBe(0);
    const used = metrics['coomercio_database_server_connections{state="used"}'];
    expect(used).toBeGreaterThan(0);
    expect(metrics['coomercio_database_server_connections{state="limit"}']).toBeGreaterThan(used ?? 0);
  } finally {
    await queue.stop();
  }

  const hours = async () => {
    const metrics = await scrapeMetrics(connection);
    return ['interval', 'usable_age', 'verified_age'].map((figure) => {
      const seconds = metrics[`coomercio_backup_${figure}_seconds`];
      return seconds === undefined ? null : Math.floor(seconds / 3600);
    });
  };
  expect(await hours()).toEqual([null, null, null]);
  await connectionQuery(
    `update backup_state set every_ms = 86400000, expected_since = now() - interval '2 days'`,
  );
  expect(await hours()).toEqual([24, 48, null]);
  await connectionQuery(
    `update backup_state set last_at = now() - interval '5 hours', last_bytes = 1, last_duration_ms = 1`,
  );
  expect(await hours()).toEqual([24, 5, null]);
});
