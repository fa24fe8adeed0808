// Database constraints on payments: plain SQL that violates them must fail.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: TestShop;
let laptop: string;
let bookings: string[];

beforeAll(async () => {
  shop = await startTestShop();
  laptop = await shop.laptop(await shop.seller());
  bookings = await Promise.all(
    Array.from({ length: 3 }, async () => shop.booking(await shop.buyer(), laptop)),
  );
});
afterAll(() => shop.close());

const query = (text: string, values: unknown[] = []) => shop.connection.pool.query(text, values);

test('allows several refunds per payment, up to what was captured', async () => {
  await query(`
    with posted as (
      insert into ledger_postings (kind, reference) values ('payment_without_sale', 'pi_late') returning id)
    insert into ledger_entries (posting_id, account, amount_cents)
      select id, account, cents from posted
       cross join (values ('processor', 54999), ('refunds_due', -54999)) as entries (account, cents)`);
  const insertRefund = (cents: number) =>
    query(
      `insert into refunds (booking_id, transaction_id, amount_cents, reason) values ($1, 'pi_late', $2, 'sold_to_another')`,
      [bookings[1], cents],
    );
  await insertRefund(50_000);
  await insertRefund(4_999);
  const within = { constraint: 'refunds_within_payment' };
  await expect(insertRefund(1)).rejects.toMatchObject(within);
  await expect(
    query(`update refunds set amount_cents = 5000 where transaction_id = 'pi_late' and amount_cents = 4999`),
  ).rejects.toMatchObject(within);
});

test('of two transactions that refund the rest at once, one fails', async () => {
  await query(`
    with posted as (
      insert into ledger_postings (kind, reference) values ('payment_without_sale', 'pi_race') returning id)
    insert into ledger_entries (posting_id, account, amount_cents)
      select id, account, cents from posted
       cross join (values ('processor', 100), ('refunds_due', -100)) as entries (account, cents)`);
  const refund = () =>
    query(
      `insert into refunds (booking_id, transaction_id, amount_cents, reason) values ($1, 'pi_race', 60, 'paid_twice')`,
      [bookings[1]],
    );
  const outcomes = await Promise.allSettled([refund(), refund(), refund()]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('requires time and reason of a failed refund, rejects unknown states, and waiting ones that were made', async () => {
  const change = (to: string) => query(`update refunds set ${to} where transaction_id = 'pi_late'`);
  await expect(change(`state = 'failed'`)).rejects.toMatchObject({ constraint: 'failed_when_and_why' });
  await expect(change(`state = 'failed', failed_at = now()`)).rejects.toMatchObject({ code: '23514' });
  await expect(change(`failure_reason = 'declined'`)).rejects.toMatchObject({ code: '23514' });
  await expect(
    change(`state = 'failed', failed_at = now(), failure_reason = 'declined', done_at = now()`),
  ).rejects.toMatchObject({ code: '23514' });
  await expect(change(`state = 'lost'`)).rejects.toMatchObject({ constraint: 'refunds_state_check' });
  await expect(change(`state = 'waiting', card_refund_id = 're_1'`)).rejects.toMatchObject({
    constraint: 'waiting_refunds_are_not_made',
  });
});

test('allows one row per dispute and requires the time of its closing', async () => {
  const dispute = () =>
    query(
      `insert into disputes (card_dispute_id, booking_id, transaction_id, amount_cents, reason, state)
       values ('du_1', $1, 'pi_first', 54999, 'fraudulent', 'disputed')`,
      [bookings[0]],
    );
  await dispute();
  await expect(dispute()).rejects.toMatchObject({ constraint: 'disputed_once' });
  await expect(query(`update disputes set state = 'lost'`)).rejects.toMatchObject({
    constraint: 'closed_when',
  });
});

test('allows one open payment intent per booking', async () => {
  const insertIntent = () =>
    query(`insert into payment_intents (booking_id, amount_cents) values ($1, 54999)`, [bookings[2]]);
  await insertIntent();
  await expect(insertIntent()).rejects.toMatchObject({ constraint: 'one_open_intent_per_booking' });
});

test('allows one payment window per laptop, of at most 20 minutes', async () => {
  const openWindow = (booking: string | undefined, minutes: number) =>
    query(
      `insert into payment_windows (laptop_id, booking_id, started_at, expires_at) values ($1, $2, now(), now() + $3 * interval '1 minute')`,
      [laptop, booking, minutes],
    );
  await expect(openWindow(bookings[1], 21)).rejects.toMatchObject({ code: '23514' });
  await openWindow(bookings[1], 20);
  await expect(openWindow(bookings[2], 1)).rejects.toMatchObject({ code: '23505' });
});

test('rejects a sale without an order of the laptop', async () => {
  const { orderId } = await sellLaptop(shop);
  const sell = (sold: string | null) =>
    query(`update laptops set state = 'sold', sold_order_id = $2 where id = $1`, [laptop, sold]);
  await expect(sell(orderId)).rejects.toMatchObject({ constraint: 'sold_in_its_order' });
  await expect(sell(null)).rejects.toMatchObject({ constraint: 'sold_in_an_order' });
});

test('rejects a price below the minimum charge', async () => {
  const other = await shop.laptop(await shop.seller());
  const price = (cents: number) =>
    query('update laptops set resale_price_cents = $2 where id = $1', [other, cents]);
  await expect(price(49)).rejects.toMatchObject({ code: '23514', constraint: 'least_price' });
  await price(50);
});

test('allows two payment windows per buyer, concurrent ones included', async () => {
  const [seller, buyer] = [await shop.seller(), await shop.buyer()];
  const laptops = await Promise.all([1, 2, 3, 4].map(() => shop.laptop(seller)));
  const take = async (id: string) => {
    const booking = await shop.booking(buyer, id);
    return () =>
      query(
        `insert into payment_windows (laptop_id, booking_id, started_at, expires_at) values ($1, $2, now(), now() + interval '1 minute')`,
        [id, booking],
      );
  };
  const takes = await Promise.all(laptops.map(take));
  const outcomes = await Promise.allSettled(takes.map((one) => one()));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') {
      expect(outcome.reason).toMatchObject({ code: '23514', constraint: 'two_payment_windows_a_buyer' });
    }
  }
});

test('a booking is paid at the agreed price, which is its laptop’s, and neither changes after the sale', async () => {
  const seller = await shop.seller();
  const own = await shop.laptop(seller);
  const buyer = await shop.buyer();
  const booking = await shop.booking(buyer, own);
  const setPrice = (cents: number) =>
    query('update laptops set resale_price_cents = $2 where id = $1', [own, cents]);
  const pay = async (cents: number): Promise<string> => {
    const { rows } = await query(
      `insert into orders (booking_id, laptop_id, buyer_id, seller_id, transaction_id, price_cents, commission_cents,
                           state, due_at, promised_until, handover_code)
       select id, laptop_id, buyer_id, seller_id, 'pi_price', $2, 0, 'held', now(), now(), '123456' from bookings where id = $1
       returning id`,
      [booking, cents],
    );
    return rows[0].id;
  };
  await setPrice(49_999);
  await expect(pay(54_999)).rejects.toMatchObject({ constraint: 'paid_at_price_of_laptop' });
  await setPrice(54_999);
  await expect(pay(49_999)).rejects.toMatchObject({ constraint: 'paid_at_price_of_laptop' });
  // It was booked at this price, and a lower one applied since.
  await expect(pay(54_999)).rejects.toMatchObject({ constraint: 'paid_at_agreed_price' });
  await setPrice(49_999);
  await query('update bookings set cancelled_at = now(), cancelled_by = $2 where id = $1', [
    booking,
    'buyer',
  ]);
  await expect(pay(49_999)).rejects.toMatchObject({ constraint: 'open_bookings_are_paid' });
  await query('update bookings set cancelled_at = null, cancelled_by = null where id = $1', [booking]);
  const order = await pay(49_999);
  await query(`update laptops set state = 'sold', sold_order_id = $2 where id = $1`, [own, order]);
  await expect(setPrice(39_999)).rejects.toMatchObject({ constraint: 'price_of_sale_stays' });
  await expect(query('update bookings set price_cents = 1 where id = $1', [booking])).rejects.toMatchObject({
    constraint: 'price_of_sale_stays',
  });
});
