// Sales of the version before orders: they become orders, and the books of all money taken so far balance.
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAmountsDue, settleByHand } from '#contract/settlements.ts';
import { findBooking } from '#server/bookings/steps.ts';
import { migrateTo, migrateToLatest } from '#server/database/migrate.ts';
import { moveOverdueOrders } from '#server/orders/actions.ts';
import { applyDispute } from '#server/payments/disputes.ts';
import { findLedgerViolations, ledgerBalances } from '#tests/harness/ledger-invariants.ts';
import { createTestDatabase } from '#tests/harness/postgres.ts';
import { startTestShop, type TestShop } from '#tests/harness/shop.ts';

/** Sold laptops with the disputes of their payments: the state of each, and what it is about in cents. */
const sales: { name: string; disputes: [state: string, cents: number][] }[] = [
  { name: 'plain', disputes: [] },
  { name: 'old', disputes: [] },
  // Seller and buyer have ended their accounts.
  { name: 'ended', disputes: [] },
  { name: 'open', disputes: [['open', 54_999]] },
  { name: 'inquiry', disputes: [['inquiry', 54_999]] },
  { name: 'inquiry_closed', disputes: [['inquiry_closed', 54_999]] },
  { name: 'chargeback', disputes: [['chargeback', 54_999]] },
  { name: 'won', disputes: [['won', 54_999]] },
  { name: 'lost', disputes: [['lost', 54_999]] },
  { name: 'lost_in_part', disputes: [['lost', 20_000]] },
  {
    name: 'lost_after_inquiry',
    disputes: [
      ['inquiry_closed', 54_999],
      ['lost', 54_999],
    ],
  },
];

const database = await createTestDatabase({ template: 'template0' });
const pool = new pg.Pool({ connectionString: database.url });
let shop: TestShop | null = null;

beforeAll(async () => {
  await migrateTo(database.url, '0033-workbench');
  await pool.query(
    `insert into users (email, name, role, ended_at)
     values ('s@people.example', 'Sam', 'Seller', null), ('b@people.example', 'Bea', 'Buyer', null),
            ('ended-s@people.example', 'Sue', 'Seller', now()), ('ended-b@people.example', 'Ben', 'Buyer', now())`,
  );
  for (const { name, disputes } of sales) {
    const prefix = name === 'ended' ? 'ended-' : '';
    const paidAt = name === 'old' ? '2020-02-03T10:00Z' : '2026-02-03T10:00Z';
    const { rows } = await pool.query<{ booking: string }>(
      `with laptop as (
         insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
                              resale_price_cents, posted_time, use_time, mobile_number, condition)
         select 'HP', id, $1, 'Lisbon', '{/brands/hp.svg}', '"Works."', 90000, 54999, '', '', '', 'Good'
           from users where email = $4 || 's@people.example' returning id)
       insert into bookings (laptop_id, buyer_id, price_cents, phone, location, paid_at, transaction_id)
       select laptop.id, users.id, 54999, '', '', $3, $2 from laptop, users
        where email = $4 || 'b@people.example'
       returning id as booking`,
      [name, `pi_${name}`, paidAt, prefix],
    );
    const booking = rows[0]?.booking;
    await pool.query(
      `insert into payments (booking_id, transaction_id, amount_cents, paid_at) values ($1, $2, 54999, $3)`,
      [booking, `pi_${name}`, paidAt],
    );
    await pool.query(
      `update laptops set state = 'sold', sold_to_id = buyer_id from bookings where laptops.id = laptop_id and bookings.id = $1`,
      [booking],
    );
    for (const [state, cents] of disputes) {
      await pool.query(
        `insert into disputes (card_dispute_id, booking_id, transaction_id, amount_cents, reason, state, closed_at)
         values ($1, $2, $3, $4, 'fraudulent', $5,
                 case when $5 in ('won', 'lost', 'inquiry_closed') then timestamptz '2026-03-04T10:00Z' end)`,
        [`dp_${name}_${state}`, booking, `pi_${name}`, cents, state],
      );
    }
  }
  // Payments that bought nothing, one of them for a booking that was paid. The bank of one disputes the refunded payment.
  await pool.query(
    `insert into refunds (booking_id, transaction_id, amount_cents, reason, state, attempt, done_at, failed_at, failure_reason)
     select bookings.id, 'pi_' || refund, 100, 'paid_twice', refund, attempt,
            case when refund = 'done' then now() end, case when refund = 'failed' then now() end,
            case when refund = 'failed' then 'declined' end
       from bookings cross join (values ('pending', 1), ('done', 2), ('failed', 3)) as refunds (refund, attempt)
      where transaction_id = 'pi_plain'`,
  );
  await pool.query(
    `insert into disputes (card_dispute_id, booking_id, transaction_id, amount_cents, reason, state, closed_at)
     select 'dp_refunded', id, 'pi_done', 100, 'duplicate', 'lost', now() from bookings where transaction_id = 'pi_plain'`,
  );
  await migrateToLatest(database.url);
});
afterAll(async () => {
  await pool.end();
  // The shop drops the database too.
  await (shop === null ? database.drop() : shop.close());
});

test('each sale becomes an order that is held and due after seven days, or is with the bank', async () => {
  const { rows } = await pool.query(
    `select substr(orders.transaction_id, 4) as name, orders.state, due_at = placed_at + interval '7 days' as is_due,
            released_at is not null as is_released, refunded_cents as back, commission_cents as commission,
            placed_at = paid_at as is_dated
       from orders join payments using (transaction_id) order by number`,
  );
  const order = (name: string, more: object) => ({
    ...{ name, state: 'held', is_due: true, is_released: false, back: 0, commission: 0, is_dated: true },
    ...more,
  });
  const disputed = { state: 'charge_disputed', is_due: null };
  const lost = { state: 'charged_back', is_due: null, is_released: true };
  const byName = [
    order('plain', {}),
    order('old', {}),
    order('ended', {}),
    order('open', disputed),
    order('inquiry', disputed),
    order('inquiry_closed', {}),
    order('chargeback', disputed),
    order('won', {}),
    order('lost', { ...lost, back: 54_999 }),
    order('lost_in_part', { ...lost, back: 20_000 }),
    order('lost_after_inquiry', { ...lost, back: 54_999 }),
  ];
  expect(rows).toHaveLength(byName.length);
  expect(rows[0]).toMatchObject({ name: 'old' });
  expect(rows).toEqual(expect.arrayContaining(byName));
});

test('each order has its first event and a code of its own', async () => {
  const { rows } = await pool.query(
    `select count(distinct handover_code)::int as codes, count(distinct order_events.order_id)::int as events,
            bool_and(happened_at = placed_at) as are_dated
       from orders left join order_events on order_id = orders.id and event = 'paid'`,
  );
  expect(rows).toEqual([{ codes: sales.length, events: sales.length, are_dated: true }]);
});

test('the ledger balances and agrees with the orders, the refunds and the disputes', async () => {
  expect(await findLedgerViolations(pool)).toEqual([]);
  const { rows } = await pool.query<{ account: string; cents: number }>(
    `select account, sum(amount_cents)::int as cents from ledger_entries
      group by account having sum(amount_cents) <> 0 order by account`,
  );
  expect(Object.fromEntries(rows.map(({ account, cents }) => [account, cents]))).toEqual({
    held: -8 * 54_999,
    payable: 20_000 - 54_999,
    refunds_due: -200,
    disputed: 2 * 54_999,
    lost_disputes: 100,
    processor: 11 * 54_999 + 300 - 100 - 4 * 54_999 - 20_000 - 100,
  });
  const balances = await ledgerBalances(pool, [
    'pi_plain',
    'pi_lost_in_part',
    'pi_won',
    'pi_pending',
    'pi_done',
  ]);
  expect(Object.fromEntries(balances)).toEqual({
    pi_plain: 54_999,
    pi_lost_in_part: 34_999,
    pi_won: 54_999,
    pi_pending: 100,
    // Refunded, and then taken by the bank once more.
    pi_done: -100,
  });
});

test('a shop goes on with them: it releases what is due, pays ended sellers as well, holds back what banks dispute, and follows them', async () => {
  shop = await startTestShop({ database });
  const { database: tables } = shop.connection;
  const dependencies = { database: tables, enqueue: shop.enqueue };
  await moveOverdueOrders(dependencies, new Date());
  const admin = await shop.admin();
  const due = await admin.client.call(listAmountsDue, { query: {} });
  // Three of the eight held orders are with the bank, so their seller is not paid. The ended seller has one of the others.
  const stopped = { amount: 4 * 549.99 + 349.99, isDisputed: true };
  expect(due.map((item) => [item.due, item.stopped])).toEqual([
    [549.99, undefined],
    [0, stopped],
  ]);
  const [ended] = due;
  await admin.client.call(settleByHand, {
    body: { sellerId: ended?._id ?? '', amount: 549.99, reference: 'first payment' },
  });
  expect(await admin.client.call(listAmountsDue, { query: {} })).toMatchObject([{ due: 0, stopped }]);

  const { rows } = await pool.query<{ booking_id: string }>(
    `select booking_id from orders where transaction_id = 'pi_chargeback'`,
  );
  const booking = await findBooking(tables, rows[0]?.booking_id ?? '');
  if (booking === undefined) throw new Error('The booking is missing.');
  await applyDispute(dependencies, booking, {
    ...{ disputeId: 'dp_chargeback_chargeback', transactionId: 'pi_chargeback', amountCents: 54_999 },
    ...{ reason: 'fraudulent', state: 'lost', evidenceDueAt: null },
  });
  const { rows: states } = await pool.query(
    'select state, count(*)::int as orders from orders group by state order by state',
  );
  expect(states).toEqual([
    { state: 'charge_disputed', orders: 2 },
    { state: 'charged_back', orders: 4 },
    { state: 'released', orders: 5 },
  ]);
  expect(await findLedgerViolations(pool)).toEqual([]);
});
