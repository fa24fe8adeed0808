// Failures from the public issues of other shop software, reproduced in this shop. They stay in one file, because
// docs/reliability.md lists them as one suite.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { deleteOwnLaptop } from '#contract/listings/catalogue.ts';
import { deleteBuyer } from '#contract/operations/user-admin.ts';
import { listBookings, readBooking } from '#contract/sales/bookings.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';

const price = 549.99;
const cents = 54_999;

let shop: TestShop;
let seller: Person;

beforeAll(async () => {
  shop = await startTestShop();
  seller = await shop.seller();
});
afterEach(async () => {
  await shop.cards.setFaults({});
  await shop.cards.deliverEvents({});
  await waitForEmptyQueue(shop.connection.pool);
  await shop.reconcile(dueTime());
  await waitForEmptyQueue(shop.connection.pool);
  expect(
    await findMoneyViolations(shop.connection.pool, await readProcessorLedger(shop.cards.stripe), null),
  ).toEqual([]);
});
afterAll(() => shop.close());

/** Returns a time at which every open payment is due for reconciliation. */
const dueTime = () => new Date(Date.now() + 10 * 60_000);

/** Registers a buyer with a booking. @returns the steps of its payment */
async function createCustomer(laptop: string) {
  const person = await shop.buyer();
  const bookingId = await shop.booking(person, laptop);
  const { client } = person;
  return {
    person,
    bookingId,
    prepare: () => client.call(createPaymentIntent, { body: { price, bookingId } }),
    report: (transactionId: string) =>
      client.call(recordPayment, { body: { transactionId, bookingId, price } }),
    state: async () => (await client.call(readBooking, { params: { _id: bookingId } })).state,
    orders: () => client.call(listBookings, { query: {} }),
  };
}

/** Expires the payment window on a laptop, as three minutes without a renewal do. */
async function expirePaymentWindow(laptop: string) {
  await shop.connection.database
    .updateTable('payment_windows')
    .set({ started_at: new Date(Date.now() - 600_000), expires_at: new Date(Date.now() - 1000) })
    .where('laptop_id', '=', laptop)
    .execute();
}

const refundedCentsOf = (transactionId: string) => () => shop.cards.refundedCents(transactionId);

describe('the last item is sold twice', () => {
  test('vendure #3508: of two concurrent payments for one laptop, one sells it and the other is refunded', async () => {
    const laptop = await shop.laptop(seller);
    const one = await createCustomer(laptop);
    const other = await createCustomer(laptop);
    // Both open the payment form: the first payment window is expired by hand.
    const first = await one.prepare();
    await expirePaymentWindow(laptop);
    const second = await other.prepare();
    const [paidOne, paidOther] = await Promise.all([
      shop.pay(first.clientSecret),
      shop.pay(second.clientSecret),
    ]);
    expect([paidOne.status, paidOther.status]).toEqual(['succeeded', 'succeeded']);

    const reports = await Promise.allSettled([
      one.report(paidOne.transactionId),
      other.report(paidOther.transactionId),
      one.report(paidOne.transactionId),
      other.report(paidOther.transactionId),
    ]);

    expect(reports.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect([await one.state(), await other.state()].sort()).toEqual(['Paid', 'Sold']);
    const loser = (await one.state()) === 'Sold' ? paidOne : paidOther;
    await expect.poll(refundedCentsOf(loser.transactionId)).toBe(cents);
  });

  test('vendure #1738: a booking made before the sale cannot be paid after it', async () => {
    const laptop = await shop.laptop(seller);
    const early = await createCustomer(laptop);
    const buyer = await createCustomer(laptop);
    const { transactionId } = await shop.pay((await buyer.prepare()).clientSecret);
    await buyer.report(transactionId);

    await expect(early.prepare()).rejects.toMatchObject({
      status: 409,
      code: 'already_sold',
      message: expect.stringContaining('sold to another buyer'),
    });
    expect(await early.state()).toBe('Sold');
  });
});

describe('charged but the item is gone', () => {
  test('vendure #3065: a buyer charged after the laptop was sold is refunded', async () => {
    const laptop = await shop.laptop(seller);
    const slow = await createCustomer(laptop);
    const fast = await createCustomer(laptop);
    await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
    const card = await slow.prepare();
    await expirePaymentWindow(laptop);
    // The sale would cancel the other intent; here the cancellation fails three times.
    await shop.cards.setFaults({
      webhooks: { mode: 'hold' },
      calls: [{ kind: 'error', method: 'POST', path: '/v1/payment_intents/*/cancel', times: 3 }],
    });
    const won = await shop.pay((await fast.prepare()).clientSecret);
    await fast.report(won.transactionId);
    const charged = await shop.pay(card.clientSecret);
    expect(charged.status).toBe('succeeded');

    await shop.cards.setFaults({});
    await shop.cards.deliverEvents({});

    await expect.poll(refundedCentsOf(charged.transactionId)).toBe(cents);
    await expect(slow.report(charged.transactionId)).rejects.toMatchObject({
      code: 'refunded',
      message: expect.stringContaining('on its way back'),
    });
    await expect
      .poll(() => shop.mails.filter(({ to }) => to === slow.person.email).map(({ subject }) => subject))
      .toContainEqual(expect.stringMatching(/money|back|refund/i));
    expect(await shop.cards.refundedCents(won.transactionId)).toBe(0);
  });

  test('refunds a buyer whose account ended during the charge', async () => {
    const buyer = await createCustomer(await shop.laptop(seller));
    // Set before the intent is created: a late event of its creation would find it paid.
    await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
    const { transactionId } = await shop.pay((await buyer.prepare()).clientSecret);
    const admin = await shop.admin();
    await admin.client.call(deleteBuyer, { params: { _id: buyer.person.userId } });
    await expect.poll(refundedCentsOf(transactionId)).toBe(cents);
  });

  test('refunds a buyer whose laptop was removed during the charge', async () => {
    const laptop = await shop.laptop(seller);
    const buyer = await createCustomer(laptop);
    // Set before the intent is created: a late event of its creation would find it paid.
    await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
    const { clientSecret } = await buyer.prepare();
    const { transactionId } = await shop.pay(clientSecret);
    await seller.client.call(deleteOwnLaptop, { params: { _id: laptop } });
    await expect.poll(refundedCentsOf(transactionId)).toBe(cents);
    expect(await buyer.state()).toBe('Cancelled');
  });
});

describe('the card was charged and there is no order', () => {
  test('medusa #12790: the webhook event alone completes the order', async () => {
    const buyer = await createCustomer(await shop.laptop(seller));
    await shop.pay((await buyer.prepare()).clientSecret);
    await expect.poll(buyer.state).toBe('Paid');
  });

  test('medusa #12790: reconciliation completes the order without browser and event', async () => {
    const buyer = await createCustomer(await shop.laptop(seller));
    await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
    await shop.pay((await buyer.prepare()).clientSecret);
    expect(await buyer.state()).toBe('Unpaid');
    await shop.reconcile(dueTime());
    expect(await buyer.state()).toBe('Paid');
  });

  test('medusa #4798: a concurrent event and report cause no conflict', async () => {
    const buyer = await createCustomer(await shop.laptop(seller));
    await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
    const { transactionId } = await shop.pay((await buyer.prepare()).clientSecret);
    const [first, second] = await Promise.all([
      buyer.report(transactionId),
      buyer.report(transactionId),
      shop.cards.deliverEvents({ events: await shop.cards.listEventIds(transactionId), copies: 3 }),
    ]);
    expect(first).toEqual(second);
    expect(await buyer.orders()).toMatchObject([{ state: 'Paid', transactionId }]);
  });

  test('medusa #4798: a repeated event is recorded once and processed once', async () => {
    const buyer = await createCustomer(await shop.laptop(seller));
    await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
    const { transactionId } = await shop.pay((await buyer.prepare()).clientSecret);
    const events = await shop.cards.listEventIds(transactionId);
    await shop.cards.deliverEvents({ events, copies: 3 });
    await shop.cards.deliverEvents({ events });
    const { rows } = await shop.connection.pool.query(
      `select (select count(*)::int from webhook_events where transaction_id = $1) as recorded,
              (select count(*)::int from pgboss.job
               where data->>'type' = 'payments.card-event' and data ->> 'transactionId' = $1) as processed`,
      [transactionId],
    );
    // One of the payment's three events is about a charge, which the shop ignores.
    expect(rows).toEqual([{ recorded: 2, processed: 2 }]);
  });

  test('medusa #4798: repeated events in reverse order change nothing', async () => {
    const buyer = await createCustomer(await shop.laptop(seller));
    await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
    const { clientSecret } = await buyer.prepare();
    const { transactionId } = await shop.pay(clientSecret, '4000000000000002');
    await shop.pay(clientSecret);
    await buyer.report(transactionId);
    const events = await shop.cards.listEventIds(transactionId);
    await shop.cards.deliverEvents({ events, order: 'reversed', copies: 2 });
    await waitForEmptyQueue(shop.connection.pool);
    expect(await buyer.state()).toBe('Paid');
    expect(await shop.cards.refundedCents(transactionId)).toBe(0);
  });
});

describe('a payment window that expires during payment', () => {
  test('saleor #15246: a payment after the payment window has expired buys the laptop if it is not sold', async () => {
    const laptop = await shop.laptop(seller);
    const slow = await createCustomer(laptop);
    const next = await createCustomer(laptop);
    const { clientSecret } = await slow.prepare();
    await expirePaymentWindow(laptop);
    const other = await next.prepare();
    const { transactionId } = await shop.pay(clientSecret);
    await expect(slow.report(transactionId)).resolves.toMatchObject({ acknowledged: true });

    // The other buyer's card form is still open; its intent is cancelled before the charge.
    const intentOfNext = other.clientSecret.split('_secret_')[0] ?? '';
    await expect
      .poll(async () => (await shop.cards.stripe.paymentIntents.retrieve(intentOfNext)).status, {
        timeout: 60_000,
      })
      .toBe('canceled');
    await expect(shop.pay(other.clientSecret)).resolves.toMatchObject({ status: 'refused' });
    expect(await next.state()).toBe('Sold');
  });

  test('saleor #15246: during a payment window other buyers cannot start to pay', async () => {
    const laptop = await shop.laptop(seller);
    const paying = await createCustomer(laptop);
    const waiting = await createCustomer(laptop);
    await paying.prepare();
    await expect(waiting.prepare()).rejects.toMatchObject({
      code: 'somebody_is_paying',
      retryAt: expect.any(Date),
    });
  });
});

describe('paying again after the back button', () => {
  test('sharetribe #3498: submitting a paid form again charges nothing', async () => {
    const buyer = await createCustomer(await shop.laptop(seller));
    const { clientSecret } = await buyer.prepare();
    const { transactionId } = await shop.pay(clientSecret);
    await buyer.report(transactionId);

    // The browser restores the page with its filled form, and it is submitted again.
    await expect(shop.pay(clientSecret)).resolves.toMatchObject({ status: 'refused' });
    await expect(buyer.prepare()).rejects.toMatchObject({ code: 'already_paid' });
    await expect(buyer.report(transactionId)).resolves.toMatchObject({ acknowledged: true });
    expect(await intentsOf(buyer.bookingId)).toEqual([[transactionId, 'succeeded']]);
  });

  test('sharetribe #3498: a second charge for a paid booking is refunded with a message', async () => {
    const buyer = await createCustomer(await shop.laptop(seller));
    const { transactionId } = await shop.pay((await buyer.prepare()).clientSecret);
    await buyer.report(transactionId);
    const again = await shop.cards.stripe.paymentIntents.create({
      amount: cents,
      currency: 'usd',
      metadata: { bookingId: buyer.bookingId },
    });
    const second = await shop.pay(again.client_secret ?? '');
    await expect(buyer.report(second.transactionId)).rejects.toMatchObject({
      message: expect.stringContaining('is yours already'),
    });
    await expect.poll(refundedCentsOf(second.transactionId)).toBe(cents);
    expect(await buyer.state()).toBe('Paid');
    expect(await shop.cards.refundedCents(transactionId)).toBe(0);
  });

  test('sharetribe #3498: two tabs submitted concurrently make one charge', async () => {
    const buyer = await createCustomer(await shop.laptop(seller));
    const [one, other] = await Promise.all([buyer.prepare(), buyer.prepare()]);
    expect(one.clientSecret).toBe(other.clientSecret);
    const paid = await Promise.all([shop.pay(one.clientSecret), shop.pay(other.clientSecret)]);
    expect(paid.map(({ status }) => status).sort()).toEqual(['refused', 'succeeded']);
    expect(await intentsOf(buyer.bookingId)).toHaveLength(1);
  });
});

async function intentsOf(bookingId: string): Promise<[string, string][]> {
  const { intents } = await readProcessorLedger(shop.cards.stripe);
  return intents
    .filter((intent) => intent.bookingId === bookingId)
    .map(({ id, status }): [string, string] => [id, status]);
}
