// Each failure here has happened in a shop of the field and stands in its public issues; each test is the story of
// that issue, told in this shop.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listBookings, readBooking } from '#contract/bookings.ts';
import { deleteOwnLaptop } from '#contract/catalogue.ts';
import { createPaymentIntent, recordPayment } from '#contract/payments.ts';
import { deleteBuyer } from '#contract/people.ts';
import { waitForEmptyQueue } from '#tests/harness/job-queue.ts';
import { findMoneyViolations } from '#tests/harness/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/shop.ts';

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
  await shop.reconcile(soon());
  await waitForEmptyQueue(shop.connection.pool);
  expect(
    await findMoneyViolations(shop.connection.pool, await readProcessorLedger(shop.cards.stripe), null),
  ).toEqual([]);
});
afterAll(() => shop.close());

/** A moment at which every payment that was begun is due to be asked about. */
const soon = () => new Date(Date.now() + 10 * 60_000);

/** A buyer with a booking, and the steps of paying for it one by one. */
async function customer(laptop: string) {
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

/** Ends the hold on a laptop, as three minutes without a sign from its buyer would. */
async function letHoldLapse(laptop: string) {
  await shop.connection.database
    .updateTable('holds')
    .set({ started_at: new Date(Date.now() - 600_000), expires_at: new Date(Date.now() - 1000) })
    .where('laptop_id', '=', laptop)
    .execute();
}

const refundOf = (transactionId: string) => () => shop.cards.refundedCents(transactionId);

describe('the last item sold twice', () => {
  test('vendure #3508: two customers check out the only one at the same moment, and one of them gets it', async () => {
    const laptop = await shop.laptop(seller);
    const one = await customer(laptop);
    const other = await customer(laptop);
    // Both pass the check before either has paid: the hold that would keep them apart is taken away.
    const first = await one.prepare();
    await letHoldLapse(laptop);
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
    await expect.poll(refundOf(loser.transactionId), { timeout: 10_000 }).toBe(cents);
  });

  test('vendure #1738: what was put aside before it was sold out cannot be bought afterwards', async () => {
    const laptop = await shop.laptop(seller);
    const early = await customer(laptop);
    const buyer = await customer(laptop);
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

describe('charged but the item gone', () => {
  test('vendure #3065: the slower customer is charged after the stock went to zero, and gets the money back', async () => {
    const laptop = await shop.laptop(seller);
    const slow = await customer(laptop);
    const fast = await customer(laptop);
    await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
    const card = await slow.prepare();
    await letHoldLapse(laptop);
    // The fast one's sale would close the slow one's attempt; here that news is late.
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

    await expect.poll(refundOf(charged.transactionId), { timeout: 10_000 }).toBe(cents);
    await expect(slow.report(charged.transactionId)).rejects.toMatchObject({
      code: 'refunded',
      message: expect.stringContaining('on its way back'),
    });
    await expect
      .poll(() => shop.mails.filter(({ to }) => to === slow.person.email).map(({ subject }) => subject))
      .toContainEqual(expect.stringMatching(/money|back|refund/i));
    expect(await shop.cards.refundedCents(won.transactionId)).toBe(0);
  });

  test('the buyer’s account was ended while the card was being charged', async () => {
    const buyer = await customer(await shop.laptop(seller));
    // Before the intent is made: the news of its making, followed late, would find it paid.
    await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
    const { transactionId } = await shop.pay((await buyer.prepare()).clientSecret);
    const admin = await shop.admin();
    await admin.client.call(deleteBuyer, { params: { _id: buyer.person.userId } });
    await expect.poll(refundOf(transactionId), { timeout: 10_000 }).toBe(cents);
  });

  test('the seller took it out of the shop while the card was being charged', async () => {
    const laptop = await shop.laptop(seller);
    const buyer = await customer(laptop);
    // Before the intent is made: the news of its making, followed late, would find it paid.
    await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
    const { clientSecret } = await buyer.prepare();
    const { transactionId } = await shop.pay(clientSecret);
    await seller.client.call(deleteOwnLaptop, { params: { _id: laptop } });
    await expect.poll(refundOf(transactionId), { timeout: 10_000 }).toBe(cents);
    expect(await buyer.state()).toBe('Cancelled');
  });
});

describe('the card was charged and there is no order', () => {
  test('medusa #12790: the browser never comes back, and the event alone makes the order', async () => {
    const buyer = await customer(await shop.laptop(seller));
    await shop.pay((await buyer.prepare()).clientSecret);
    await expect.poll(buyer.state, { timeout: 10_000 }).toBe('Paid');
  });

  test('medusa #12790: neither browser nor event comes, and the shop asks by itself', async () => {
    const buyer = await customer(await shop.laptop(seller));
    await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
    await shop.pay((await buyer.prepare()).clientSecret);
    expect(await buyer.state()).toBe('Unpaid');
    await shop.reconcile(soon());
    expect(await buyer.state()).toBe('Paid');
  });

  test('medusa #4798: event and browser arrive at the same moment, and none of them gets a conflict', async () => {
    const buyer = await customer(await shop.laptop(seller));
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

  test('medusa #4798: an event that comes again is noted once and followed once', async () => {
    const buyer = await customer(await shop.laptop(seller));
    await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
    const { transactionId } = await shop.pay((await buyer.prepare()).clientSecret);
    const events = await shop.cards.listEventIds(transactionId);
    await shop.cards.deliverEvents({ events, copies: 3 });
    await shop.cards.deliverEvents({ events });
    const { rows } = await shop.connection.pool.query(
      `select (select count(*)::int from webhook_events where transaction_id = $1) as noted,
              (select count(*)::int from pgboss.job
               where name = 'payments.card-event' and data ->> 'transactionId' = $1) as followed`,
      [transactionId],
    );
    // Of the payment's three events one is about a charge, which the shop has no use for.
    expect(rows).toEqual([{ noted: 2, followed: 2 }]);
  });

  test('medusa #4798: events of one payment come backwards and again, days late', async () => {
    const buyer = await customer(await shop.laptop(seller));
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

describe('a hold that lapses during payment', () => {
  test('saleor #15246: who pays after the hold has lapsed gets the laptop as long as nobody else has bought it', async () => {
    const laptop = await shop.laptop(seller);
    const slow = await customer(laptop);
    const next = await customer(laptop);
    const { clientSecret } = await slow.prepare();
    await letHoldLapse(laptop);
    const other = await next.prepare();
    const { transactionId } = await shop.pay(clientSecret);
    await expect(slow.report(transactionId)).resolves.toMatchObject({ acknowledged: true });

    // The next one's card form is still open: its intent is closed before a card can be charged.
    const intentOfNext = other.clientSecret.split('_secret_')[0] ?? '';
    await expect
      .poll(async () => (await shop.cards.stripe.paymentIntents.retrieve(intentOfNext)).status, {
        timeout: 10_000,
      })
      .toBe('canceled');
    await expect(shop.pay(other.clientSecret)).resolves.toMatchObject({ status: 'refused' });
    expect(await next.state()).toBe('Sold');
  });

  test('saleor #15246: while the hold lasts nobody else can begin to pay', async () => {
    const laptop = await shop.laptop(seller);
    const paying = await customer(laptop);
    const waiting = await customer(laptop);
    await paying.prepare();
    await expect(waiting.prepare()).rejects.toMatchObject({
      code: 'somebody_is_paying',
      retryAt: expect.any(Date),
    });
  });
});

describe('the back button pays twice', () => {
  test('sharetribe #3498: after paying, back and submit again charges nothing', async () => {
    const buyer = await customer(await shop.laptop(seller));
    const { clientSecret } = await buyer.prepare();
    const { transactionId } = await shop.pay(clientSecret);
    await buyer.report(transactionId);

    // The page comes out of the browser's cache with its form filled in, and is sent again.
    await expect(shop.pay(clientSecret)).resolves.toMatchObject({ status: 'refused' });
    await expect(buyer.prepare()).rejects.toMatchObject({ code: 'already_paid' });
    await expect(buyer.report(transactionId)).resolves.toMatchObject({ acknowledged: true });
    expect(await intentsOf(buyer.bookingId)).toEqual([[transactionId, 'succeeded']]);
  });

  test('sharetribe #3498: a second charge for what is paid already goes back, and says so', async () => {
    const buyer = await customer(await shop.laptop(seller));
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
    await expect.poll(refundOf(second.transactionId), { timeout: 10_000 }).toBe(cents);
    expect(await buyer.state()).toBe('Paid');
    expect(await shop.cards.refundedCents(transactionId)).toBe(0);
  });

  test('sharetribe #3498: two tabs, both submitted at once, are one charge', async () => {
    const buyer = await customer(await shop.laptop(seller));
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
