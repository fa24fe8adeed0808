// The promises about money that hold whatever the code does: each is broken here by plain SQL, and must not break.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestShop, type TestShop } from '#tests/harness/shop.ts';

let shop: TestShop;
let laptop: string;
let bookings: string[];

beforeAll(async () => {
  shop = await startTestShop();
  laptop = await shop.laptop(await shop.seller());
  bookings = await Promise.all(
    Array.from({ length: 3 }, async () => shop.booking(await shop.buyer(), laptop)),
  );
  await query(`update bookings set paid_at = now(), transaction_id = 'pi_first' where id = $1`, [
    bookings[0],
  ]);
  await query(
    `insert into payments (booking_id, transaction_id, amount_cents) values ($1, 'pi_first', 54999)`,
    [bookings[0]],
  );
});
afterAll(() => shop.close());

const query = (text: string, values: unknown[] = []) => shop.connection.pool.query(text, values);

test('a laptop has one paid booking', async () => {
  await expect(
    query(`update bookings set paid_at = now(), transaction_id = 'pi_second' where id = $1`, [bookings[1]]),
  ).rejects.toMatchObject({ code: '23505', constraint: 'one_paid_booking_per_laptop' });
});

test('a transaction id pays one booking', async () => {
  const seller = await shop.seller();
  const other = await shop.booking(await shop.buyer(), await shop.laptop(seller));
  await expect(
    query(`update bookings set paid_at = now(), transaction_id = 'pi_first' where id = $1`, [other]),
  ).rejects.toMatchObject({ constraint: 'transaction_pays_once' });
});

test('a booking has one payment, and that of its own transaction', async () => {
  const pay = (booking: string | undefined, transaction: string) =>
    query(`insert into payments (booking_id, transaction_id, amount_cents) values ($1, $2, 54999)`, [
      booking,
      transaction,
    ]);
  await expect(pay(bookings[0], 'pi_other')).rejects.toMatchObject({ code: '23505' });
  await expect(pay(bookings[1], 'pi_other')).rejects.toMatchObject({ code: '23503' });
});

test('a payment is given back once', async () => {
  const giveBack = () =>
    query(
      `insert into refunds (booking_id, transaction_id, amount_cents, reason) values ($1, 'pi_late', 54999, 'sold_to_another')`,
      [bookings[1]],
    );
  await giveBack();
  await expect(giveBack()).rejects.toMatchObject({ constraint: 'refunded_once' });
});

test('a refund has failed at a time and for a reason, is done at a time, and has a name of its own', async () => {
  const change = (to: string) => query(`update refunds set ${to} where transaction_id = 'pi_late'`);
  await expect(change(`state = 'failed'`)).rejects.toMatchObject({ constraint: 'failed_when_and_why' });
  await expect(change(`state = 'failed', failed_at = now()`)).rejects.toMatchObject({ code: '23514' });
  await expect(change(`failure_reason = 'declined'`)).rejects.toMatchObject({ code: '23514' });
  await expect(
    change(`state = 'failed', failed_at = now(), failure_reason = 'declined', done_at = now()`),
  ).rejects.toMatchObject({ code: '23514' });
  await expect(change(`state = 'lost'`)).rejects.toMatchObject({ constraint: 'refunds_state_check' });
  await change(`state = 'failed', failed_at = now(), failure_reason = 'declined', card_refund_id = 're_1'`);
  await expect(
    query(
      `insert into refunds (booking_id, transaction_id, amount_cents, reason, card_refund_id)
       values ($1, 'pi_later', 54999, 'sold_to_another', 're_1')`,
      [bookings[1]],
    ),
  ).rejects.toMatchObject({ constraint: 'refund_named_once' });
});

test('a dispute is written down once, and is closed at a time', async () => {
  const dispute = () =>
    query(
      `insert into disputes (card_dispute_id, booking_id, transaction_id, amount_cents, reason)
       values ('du_1', $1, 'pi_first', 54999, 'fraudulent')`,
      [bookings[0]],
    );
  await dispute();
  await expect(dispute()).rejects.toMatchObject({ constraint: 'disputed_once' });
  await expect(query(`update disputes set state = 'lost'`)).rejects.toMatchObject({
    constraint: 'closed_when',
  });
});

test('a booking has one attempt that is open', async () => {
  const attempt = () =>
    query(`insert into payment_intents (booking_id, amount_cents) values ($1, 54999)`, [bookings[2]]);
  await attempt();
  await expect(attempt()).rejects.toMatchObject({ constraint: 'one_open_intent_per_booking' });
});

test('a laptop has one hold, of at most 20 minutes', async () => {
  const hold = (booking: string | undefined, minutes: number) =>
    query(
      `insert into holds (laptop_id, booking_id, started_at, expires_at) values ($1, $2, now(), now() + $3 * interval '1 minute')`,
      [laptop, booking, minutes],
    );
  await expect(hold(bookings[1], 21)).rejects.toMatchObject({ code: '23514' });
  await hold(bookings[1], 20);
  await expect(hold(bookings[2], 1)).rejects.toMatchObject({ code: '23505' });
});

test('a laptop is sold only to somebody who has booked it', async () => {
  const stranger = await shop.buyer();
  await expect(
    query(`update laptops set state = 'sold', sold_to_id = $2 where id = $1`, [laptop, stranger.userId]),
  ).rejects.toMatchObject({ constraint: 'sold_to_a_booker' });
});

test('a laptop on sale costs at least what a card can be charged', async () => {
  const other = await shop.laptop(await shop.seller());
  const price = (cents: number) =>
    query('update laptops set resale_price_cents = $2 where id = $1', [other, cents]);
  await expect(price(49)).rejects.toMatchObject({ code: '23514', constraint: 'least_price' });
  await price(50);
});

test('a buyer holds at most two laptops at once, also when two holds are taken at the same moment', async () => {
  const [seller, buyer] = [await shop.seller(), await shop.buyer()];
  const laptops = await Promise.all([1, 2, 3, 4].map(() => shop.laptop(seller)));
  const take = async (id: string) => {
    const booking = await shop.booking(buyer, id);
    return () =>
      query(
        `insert into holds (laptop_id, booking_id, started_at, expires_at) values ($1, $2, now(), now() + interval '1 minute')`,
        [id, booking],
      );
  };
  const takes = await Promise.all(laptops.map(take));
  const outcomes = await Promise.allSettled(takes.map((one) => one()));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') {
      expect(outcome.reason).toMatchObject({ code: '23514', constraint: 'two_holds_a_buyer' });
    }
  }
});
