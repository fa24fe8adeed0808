// What a seller with many paid orders costs: each read follows what is due, not what was ever sold.
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { streamStatement } from '#server/money/accounting/statement-store.ts';
import { listSales, readTotals } from '#server/money/payouts/store.ts';
import { findDueOrder, ordersToTransfer } from '#server/money/payouts/transfer-store.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import * as harness from '#tests/harness/money/connected-seller.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

/** Orders that were released and paid, and of each the two entries of its seller. */
const PAID_ORDERS = 2_000;

/** The rows that one read may take, which is far below the entries of the paid orders. */
const MAXIMUM_READ = 300;

let shop: TestShop;
let seller: Person;
/** The seller's only order of which something is due. */
let dueOrder: string;

/** Copies an order, with its laptop and booking, and posts its release and its payment to the seller. */
async function fillPaidOrders(pool: Pool, orderId: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    // Neither checks nor triggers of the copied rows; the ledger keeps its own.
    await client.query('set local session_replication_role = replica');
    await client.query(
      `create temporary table copies on commit drop as
         select i, gen_random_uuid() as order_id, gen_random_uuid() as laptop_id, gen_random_uuid() as booking_id
           from generate_series(1, ${PAID_ORDERS}) as i`,
    );
    for (const [table, changes] of [
      [
        'laptops',
        `jsonb_build_object('id', copies.laptop_id, 'slip_code', new_slip_code(), 'sold_order_id', copies.order_id)`,
      ],
      ['bookings', `jsonb_build_object('id', copies.booking_id, 'laptop_id', copies.laptop_id)`],
      [
        'orders',
        `jsonb_build_object('id', copies.order_id, 'laptop_id', copies.laptop_id, 'booking_id', copies.booking_id, 'released_at', now(),
                            'due_at', null, 'state', 'completed', 'transaction_id', 'pi_many_' || i)`,
      ],
    ]) {
      const { rows } = await client.query<{ columns: string }>(
        `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
          where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> 'number'`,
        [table],
      );
      const columns = rows[0]?.columns ?? '';
      const id = `(select ${table === 'orders' ? 'id' : `${table?.slice(0, -1)}_id`} from orders where id = $1)`;
      await client.query(
        `insert into ${table} (${columns})
           select ${columns
             .split(', ')
             .map((column) => `copy.${column}`)
             .join(', ')}
             from copies, ${table} as original,
                  jsonb_populate_record(original, ${changes}) as copy
            where original.id = ${id}`,
        [orderId],
      );
    }
    await client.query('set local session_replication_role = origin');
    await client.query(
      `with sides as (
         select order_id, kind, gen_random_uuid() as posting_id, amount
           from copies cross join (values ('release', -52200), ('transfer', 52200)) as sides (kind, amount)
       ), posted as (
         insert into ledger_postings (id, kind, reference) select posting_id, kind, kind || order_id from sides
       )
       insert into ledger_entries (posting_id, account, amount_cents, order_id, seller_id)
         select posting_id, 'payable', amount, order_id, $1::uuid from sides
         union all select posting_id, 'commission', -amount, order_id, null from sides`,
      [seller.userId],
    );
    await client.query('commit');
    await client.query('analyze');
  } finally {
    client.release();
  }
}

beforeAll(async () => {
  shop = await startTestShop({ settings: { commission: harness.commission } });
  seller = await shop.seller();
  const sample = await sellLaptop(shop, { seller });
  await fillPaidOrders(shop.connection.pool, sample.orderId);
  await harness.onboard(shop, seller);
  ({ orderId: dueOrder } = await harness.sellAndRelease(shop, seller));
});
afterAll(() => shop.close());

/** The rows that this connection read of tables, since a time before its transaction. */
async function rowsRead(transaction: Transaction): Promise<number> {
  const { rows } = await sql<{ total: string }>`
    select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read) as total from pg_stat_xact_user_tables
  `.execute(transaction);
  return Number(rows[0]?.total);
}

/** Counts the rows of tables that the statements of one transaction read, also within functions. */
const rowsReadBy = (read: (transaction: Transaction) => Promise<unknown>): Promise<number> =>
  shop.connection.database.transaction().execute(async (transaction) => {
    const before = await rowsRead(transaction);
    await read(transaction);
    return (await rowsRead(transaction)) - before;
  });

test('a page of sales, the totals and a transfer read what is due, not the orders that were paid', async () => {
  const now = new Date();
  expect(await readTotals(shop.connection.database, seller.userId, 'release')).toEqual({
    held_cents: expect.any(String),
    disputed_cents: expect.any(String),
    balance_cents: '52200',
    free_cents: '52200',
    waiting_cents: '52200',
    waiting_from: expect.any(Date),
    disputed_orders: 0,
    paid_cents: `${PAID_ORDERS * 52_200}`,
  });
  expect(await ordersToTransfer(shop.connection.database, 'release', now, 20)).toEqual([dueOrder]);

  const request = { limit: 20, after: null };
  expect(await rowsReadBy((reader) => listSales(reader, seller.userId, 'release', request))).toBeLessThan(
    MAXIMUM_READ,
  );
  expect(await rowsReadBy((reader) => readTotals(reader, seller.userId, 'release'))).toBeLessThan(
    MAXIMUM_READ,
  );
  const due = { orderId: dueOrder, reservedId: null };
  expect(await rowsReadBy((reader) => findDueOrder(reader, 'release', due, now))).toBeLessThan(MAXIMUM_READ);
  expect(await rowsReadBy((reader) => ordersToTransfer(reader, 'release', now, 20))).toBeLessThan(
    MAXIMUM_READ,
  );
});

test('a statement reads each entry of its seller once', async () => {
  const period = {
    from: new Date(Date.now() - 86_400_000),
    until: new Date(Date.now() + 86_400_000),
    timeZone: 'UTC',
  };
  let lines = 0;
  const read = await rowsReadBy(async (reader) => {
    for await (const rows of streamStatement(reader, seller.userId, period)) lines += rows.length;
  });
  expect(lines).toBe(PAID_ORDERS * 2 + 1);
  // The entry, its posting, its order and its laptop.
  expect(read).toBeLessThan(lines * 6);
});
