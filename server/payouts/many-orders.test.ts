// What a seller with many paid orders costs: each read follows what is due, not what was ever sold.
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { streamStatement } from '#server/accounting/statement-store.ts';
import type { Reader, Transaction } from '#server/database/tables.ts';
import * as harness from '#tests/harness/connected-seller.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/shop.ts';
import { sellLaptop } from '#tests/harness/sold-laptop.ts';
import { listSales, readTotals } from './store.ts';
import { findDueOrder, ordersToTransfer } from './transfer-store.ts';

/** Orders that were released and paid, and of each the two entries of its seller. */
const PAID_ORDERS = 2_000;

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
      ['laptops', `jsonb_build_object('id', laptop_id, 'slip_code', new_slip_code())`],
      [
        'bookings',
        `jsonb_build_object('id', booking_id, 'laptop_id', laptop_id, 'transaction_id', 'pi_many_' || i)`,
      ],
      [
        'orders',
        `jsonb_build_object('id', order_id, 'laptop_id', laptop_id, 'booking_id', booking_id, 'released_at', now(),
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
           select ${columns.split(', ').map((column) => `copy.${column}`).join(', ')}
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
  shop = await startTestShop({ dependencies: async () => ({ commission: harness.commission }) });
  seller = await shop.seller();
  const sample = await sellLaptop(shop, { seller });
  await fillPaidOrders(shop.connection.pool, sample.orderId);
  await harness.onboard(shop, seller);
  ({ orderId: dueOrder } = await harness.sellAndRelease(shop, seller));
});
afterAll(() => shop.close());

/** Counts the rows of tables that some statements of one transaction read, also within functions. */
function rowsReadBy(read: (transaction: Transaction) => Promise<unknown>): Promise<number> {
  const { database } = shop.connection;
  const count = async (reader: Reader) => {
    const { total } = await reader
      .selectFrom('pg_stat_xact_user_tables' as never)
      .select(({ fn, ref }) => fn.sum<string>(ref('idx_tup_fetch' as never)).as('total'))
      .executeTakeFirstOrThrow();
    return Number(total);
  };
  return database.transaction().execute(async (transaction) => {
    await read(transaction);
    return count(transaction);
  });
}
