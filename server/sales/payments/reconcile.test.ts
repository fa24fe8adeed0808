import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { deleteOwnLaptop } from '#contract/listings/catalogue.ts';
import { deleteOwnAccount } from '#contract/operations/privacy.ts';
import { readBooking } from '#contract/sales/bookings.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

let shop: TestShop;
let seller: Person;

beforeAll(async () => {
  shop = await startTestShop();
  seller = await shop.seller();
});
afterEach(() => shop.cards.setFaults({}));
afterAll(() => shop.close());

const cents = 54_999;
const anHourLater = () => new Date(Date.now() + 3_600_000);

async function booked() {
  const buyer = await shop.buyer();
  const laptop = await shop.laptop(seller);
  const bookingId = await shop.booking(buyer, laptop);
  return {
    buyer,
    laptop,
    bookingId,
    prepare: () => buyer.client.call(createPaymentIntent, { body: { price: 549.99, bookingId } }),
    report: (transactionId: string) =>
      buyer.client.call(recordPayment, { body: { transactionId, bookingId, price: 549.99 } }),
    state: async () => (await buyer.client.call(readBooking, { params: { _id: bookingId } })).state,
  };
}

const idOf = (clientSecret: string) => clientSecret.split('_secret_')[0] ?? '';
const statusOf = async (id: string) => (await shop.cards.stripe.paymentIntents.retrieve(id)).status;

async function intentsOf(bookingId: string): Promise<string[]> {
  const { data } = await shop.cards.stripe.paymentIntents.list({ limit: 100 });
  return data.filter(({ metadata }) => metadata.bookingId === bookingId).map(({ id }) => id);
}

/** Loses every job of a kind, as its last try would. */
async function giveUp(job: string): Promise<void> {
  await shop.connection.pool.query(
    `update pgboss.job set retry_limit = retry_count where data->>'type' = $1 and state in ('created', 'retry', 'active')`,
    [job],
  );
  await expect
    .poll(
      async () =>
        (
          await shop.connection.pool.query(
            `select from pgboss.job where data->>'type' = $1 and state in ('created', 'retry', 'active')`,
            [job],
          )
        ).rowCount,
      { timeout: 60_000 },
    )
    .toBe(0);
}

test('a refund is made even if its job has failed for good', async () => {
  const { laptop, prepare, state } = await booked();
  await shop.cards.setFaults({
    webhooks: { mode: 'hold' },
    calls: [{ kind: 'error', method: 'POST', path: '/v1/refunds', times: 1000 }],
  });
  const { clientSecret } = await prepare();
  const { transactionId } = await shop.pay(clientSecret);
  await seller.client.call(deleteOwnLaptop, { params: { _id: laptop } });
  await expect
    .poll(
      async () => (await shop.connection.pool.query(`select from refunds where state = 'pending'`)).rowCount,
    )
    .toBe(1);
  await giveUp('payments.refund-due');
  await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
  expect(await shop.cards.refundedCents(transactionId)).toBe(0);

  await shop.reconcile(anHourLater());

  expect(await shop.cards.refundedCents(transactionId)).toBe(cents);
  expect(await state()).toBe('Cancelled');
});

test('an intent with an unknown id is found and cancelled when its laptop is withdrawn', async () => {
  const { laptop, bookingId, prepare } = await booked();
  await shop.cards.setFaults({
    calls: [{ kind: 'disconnect', moment: 'after', method: 'POST', path: '/v1/payment_intents', times: 3 }],
  });
  await expect(prepare()).rejects.toMatchObject({ code: 'card_processor_unavailable' });
  const intents = await intentsOf(bookingId);
  expect(intents).toHaveLength(1);
  await seller.client.call(deleteOwnLaptop, { params: { _id: laptop } });

  await shop.reconcile(anHourLater());

  expect(await intentsOf(bookingId)).toEqual(intents);
  expect(await statusOf(intents[0] ?? '')).toBe('canceled');
});

test('an attempt recorded after its laptop was withdrawn is cancelled', async () => {
  const { laptop, prepare } = await booked();
  const { clientSecret } = await prepare();
  await shop.connection.database
    .updateTable('laptops')
    .set({ state: 'withdrawn' })
    .where('id', '=', laptop)
    .execute();
  await shop.reconcile(anHourLater());
  expect(await statusOf(idOf(clientSecret))).toBe('canceled');
});

test('a failing payment does not block the others', async () => {
  const [first, second] = [await booked(), await booked()];
  await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
  const troubled = await first.prepare();
  const fine = await second.prepare();
  await shop.cards.setFaults({
    webhooks: { mode: 'hold' },
    calls: [
      {
        kind: 'error',
        method: 'GET',
        path: `/v1/payment_intents/${idOf(troubled.clientSecret)}`,
        times: 1000,
      },
    ],
  });
  await shop.pay(troubled.clientSecret);
  await shop.pay(fine.clientSecret);
  await expect(shop.reconcile(anHourLater())).rejects.toMatchObject({ name: 'CardProcessorUnavailable' });
  expect(await second.state()).toBe('Paid');
  expect(await first.state()).toBe('Unpaid');
});

test('failing attempts and refunds, more than one batch, do not block other refunds', async () => {
  const { bookingId, prepare } = await booked();
  const { clientSecret } = await prepare();
  await shop.connection.pool.query(
    `insert into refunds (booking_id, transaction_id, amount_cents, reason, card_refund_id)
     select $1, 'pi_lost_' || number, 1, 'paid_twice', 're_lost_' || number from generate_series(1, 21) number`,
    [bookingId],
  );
  const inTrouble = (path: string) => ({ kind: 'error', method: 'GET', path, times: 1000 }) as const;
  await shop.cards.setFaults({
    webhooks: { mode: 'hold' },
    calls: [inTrouble(`/v1/payment_intents/${idOf(clientSecret)}`), inTrouble('/v1/refunds/re_lost_1')],
  });
  await expect(shop.reconcile(anHourLater())).rejects.toMatchObject({ name: 'CardProcessorUnavailable' });
  const { rows } = await shop.connection.pool.query(
    `select transaction_id from refunds where transaction_id like 'pi_lost_%' and state = 'pending'`,
  );
  expect(rows).toEqual([{ transaction_id: 'pi_lost_1' }]);
});

test('an intent that the card processor no longer has is replaced', async () => {
  const { bookingId, prepare, report } = await booked();
  await prepare();
  await shop.connection.database
    .updateTable('payment_intents')
    .set({ transaction_id: `pi_of_another_account_${bookingId.slice(0, 8)}` })
    .where('booking_id', '=', bookingId)
    .execute();
  const { transactionId } = await shop.pay((await prepare()).clientSecret);
  await expect(report(transactionId)).resolves.toMatchObject({ acknowledged: true });
  expect(await shop.cards.refundedCents(transactionId)).toBe(0);
});

const attemptsOf = async (bookingId: string): Promise<unknown[]> =>
  (
    await shop.connection.pool.query(
      'select state, transaction_id from payment_intents where booking_id = $1',
      [bookingId],
    )
  ).rows;

test('a payment that the card processor permanently refuses is reported to the buyer and not retried', async () => {
  const { bookingId, prepare } = await booked();
  await shop.cards.setFaults({
    calls: [{ kind: 'error', status: 400, method: 'POST', path: '/v1/payment_intents', times: 2 }],
  });
  await expect(prepare()).rejects.toMatchObject({ status: 409, code: 'card_processor_refused' });
  expect(await attemptsOf(bookingId)).toEqual([{ state: 'closed', transaction_id: null }]);

  await shop.connection.pool.query(
    'insert into payment_intents (booking_id, amount_cents, next_check_at) values ($1, $2, now())',
    [bookingId, cents],
  );
  await shop.reconcile(anHourLater());
  expect(await attemptsOf(bookingId)).toEqual([
    { state: 'closed', transaction_id: null },
    { state: 'closed', transaction_id: null },
  ]);
});

test('an attempt without an intent is closed after a day without a request to the card processor', async () => {
  const { bookingId } = await booked();
  await shop.connection.pool.query(
    `insert into payment_intents (booking_id, amount_cents, created_at, next_check_at)
     values ($1, $2, now() - interval '25 hours', now() - interval '1 second')`,
    [bookingId, cents],
  );
  await shop.reconcile();
  expect(await attemptsOf(bookingId)).toEqual([{ state: 'closed', transaction_id: null }]);
  expect(await intentsOf(bookingId)).toEqual([]);
});

test('an attempt without an intent is closed when the account of its buyer has ended', async () => {
  const { buyer, bookingId, prepare } = await booked();
  await shop.cards.setFaults({
    calls: [{ kind: 'disconnect', moment: 'before', method: 'POST', path: '/v1/payment_intents', times: 3 }],
  });
  await expect(prepare()).rejects.toMatchObject({ code: 'card_processor_unavailable' });
  await buyer.client.call(deleteOwnAccount, { query: { email: buyer.email } });
  const users = shop.connection.database.selectFrom('users').select('card_customer_id');
  const customer = () => users.where('id', '=', buyer.userId).executeTakeFirst();
  await expect.poll(customer).toEqual({ card_customer_id: null });
  await shop.reconcile(anHourLater());
  expect(await attemptsOf(bookingId)).toEqual([{ state: 'closed', transaction_id: null }]);
  expect(await intentsOf(bookingId)).toEqual([]);
});

test.each([409, 429, 500])('a refusal with status %d is retried', async (status) => {
  const { bookingId, prepare } = await booked();
  await shop.cards.setFaults({
    calls: [{ kind: 'error', status, method: 'POST', path: '/v1/payment_intents', times: 3 }],
  });
  await expect(prepare()).rejects.toMatchObject({ code: 'card_processor_unavailable' });
  await shop.cards.setFaults({});
  await shop.reconcile(anHourLater());
  expect(await attemptsOf(bookingId)).toMatchObject([{ state: 'open', transaction_id: expect.any(String) }]);
});

test('an old attempt that is paid is checked soon', async () => {
  const { bookingId, prepare, state } = await booked();
  await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
  const { clientSecret } = await prepare();
  const nextCheck = (at: Date) =>
    shop.connection.database
      .updateTable('payment_intents')
      .set({ next_check_at: at })
      .where('booking_id', '=', bookingId)
      .execute();
  await nextCheck(anHourLater());
  await prepare();
  await shop.pay(clientSecret);
  await shop.reconcile(new Date(Date.now() + 31_000));
  expect(await state()).toBe('Paid');
});

test('a payment of another amount than the price is refunded', async () => {
  const { bookingId, report, state } = await booked();
  const { client_secret: clientSecret } = await shop.cards.stripe.paymentIntents.create({
    amount: 100,
    currency: 'usd',
    metadata: { bookingId },
  });
  const { transactionId } = await shop.pay(clientSecret ?? '');
  await expect(report(transactionId)).rejects.toMatchObject({
    code: 'refunded',
    message: expect.stringContaining('not its price'),
  });
  await expect.poll(() => shop.cards.refundedCents(transactionId)).toBe(100);
  expect(await state()).toBe('Unpaid');
});
