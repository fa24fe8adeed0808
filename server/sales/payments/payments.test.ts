import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { deleteOwnLaptop, listCategory, listOwnLaptops } from '#contract/listings/catalogue.ts';
import { listWishlist, wish } from '#contract/listings/wishlist.ts';
import { listBookings, listOwnBuyers, readBooking } from '#contract/sales/bookings.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { removeOldEvents } from './reconciliation.ts';

let shop: SharedShop;
let seller: Person;

beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});
afterEach(() => shop.cards.setFaults({}));

/** A buyer who has booked a laptop and holds the client secret of its payment. */
async function readyToPay(laptopId?: string) {
  const buyer = await shop.buyer();
  const laptop = laptopId ?? (await shop.laptop(seller));
  const bookingId = await shop.booking(buyer, laptop);
  const prepare = () => buyer.client.call(createPaymentIntent, { body: { price: 549.99, bookingId } });
  const report = (transactionId: string) =>
    buyer.client.call(recordPayment, { body: { transactionId, bookingId, price: 549.99 } });
  return { buyer, laptop, bookingId, prepare, report };
}

/** Ends the payment window on a laptop, as three minutes without a sign from its buyer would. */
async function letPaymentWindowLapse(laptopId: string) {
  await shop.connection.database
    .updateTable('payment_windows')
    .set({ started_at: new Date(Date.now() - 600_000), expires_at: new Date(Date.now() - 1000) })
    .where('laptop_id', '=', laptopId)
    .execute();
}

describe('paying for a booking', () => {
  test('marks booking, wishlist item and laptop as paid once, and removes the laptop from the lists', async () => {
    const { buyer, laptop, bookingId, prepare, report } = await readyToPay();
    await buyer.client.call(wish, { body: { productCode: laptop } });
    const { clientSecret } = await prepare();
    const { transactionId, status } = await shop.pay(clientSecret);
    expect(status).toBe('succeeded');

    const first = await report(transactionId);
    const second = await report(transactionId);

    expect(second).toEqual(first);
    const paid = await buyer.client.call(readBooking, { params: { _id: bookingId } });
    expect(paid).toMatchObject({ paid: true, state: 'Paid', transactionId });
    const ofOrder = { params: { _id: paid.order?._id ?? '' } };
    expect(await buyer.client.call(readBooking, ofOrder)).toEqual(paid);
    const stranger = await shop.buyer();
    await expect(stranger.client.call(readBooking, ofOrder)).rejects.toMatchObject({ status: 404 });
    expect(await buyer.client.call(listWishlist, { query: {} })).toMatchObject([
      { paid: true, state: 'Purchased' },
    ]);
    const shelf = await shop.visitor.call(listCategory, { params: { id: 'HP' }, query: {} });
    expect(shelf.map(({ _id }) => _id)).not.toContain(laptop);
    const buyers = await seller.client.call(listOwnBuyers, { query: {} });
    const { bookedAt = '', paidAt = '' } = buyers.find(({ _id }) => _id === bookingId) ?? {};
    expect(Date.parse(paidAt)).toBeGreaterThan(Date.parse(bookedAt));
    const own = await seller.client.call(listOwnLaptops, { query: { list: 'sold' } });
    expect(own.find(({ _id }) => _id === laptop)).toMatchObject({ paid: true, state: 'Sold', actions: [] });
    expect(await seller.client.call(listOwnLaptops, { query: { list: 'unsold' } })).not.toContainEqual(
      expect.objectContaining({ _id: laptop }),
    );
    expect(await seller.client.call(listOwnLaptops, { query: {} })).toContainEqual(
      expect.objectContaining({ _id: laptop }),
    );
  });

  test('is settled by the signed event if the browser never reports it', async () => {
    const { buyer, bookingId, prepare } = await readyToPay();
    await shop.pay((await prepare()).clientSecret);
    await expect
      .poll(async () => (await buyer.client.call(readBooking, { params: { _id: bookingId } })).state, {
        timeout: 60_000,
      })
      .toBe('Paid');
  });

  test('sends an email to the buyer and to the seller', async () => {
    const { buyer, prepare, report } = await readyToPay();
    const { transactionId } = await shop.pay((await prepare()).clientSecret);
    await report(transactionId);
    const about = (to: string) =>
      shop.mails
        .filter((mail) => mail.to === to && mail.text.includes(transactionId))
        .map(({ subject }) => subject);
    await expect.poll(() => about(buyer.email)).toEqual(['You have paid for EliteBook 840 G8']);
    await expect.poll(() => about(seller.email)).toEqual(['EliteBook 840 G8 is sold']);
  });

  test('returns the same intent while it can be paid', async () => {
    const { prepare } = await readyToPay();
    const { clientSecret } = await prepare();
    await expect(prepare()).resolves.toMatchObject({ clientSecret });
  });

  test('reuses the intent after a declined card', async () => {
    const { prepare, report } = await readyToPay();
    const { clientSecret } = await prepare();
    const declined = await shop.pay(clientSecret, '4000000000000002');
    expect(declined.status).toBe('refused');
    await expect(report(declined.transactionId)).rejects.toMatchObject({ code: 'payment_not_proven' });
    await expect(prepare()).resolves.toMatchObject({ clientSecret });
    const { transactionId } = await shop.pay(clientSecret);
    await expect(report(transactionId)).resolves.toMatchObject({ acknowledged: true });
  });

  test('settles an unreported payment when the buyer returns, instead of charging again', async () => {
    const { buyer, prepare } = await readyToPay();
    await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
    await shop.pay((await prepare()).clientSecret);
    await expect(prepare()).rejects.toMatchObject({ code: 'already_paid' });
    await expect(buyer.client.call(listBookings, { query: {} })).resolves.toMatchObject([{ state: 'Paid' }]);
  });

  test('is settled once if its event is repeated', async () => {
    const { buyer, prepare } = await readyToPay();
    await shop.cards.setFaults({ webhooks: { copies: 3 } });
    const { transactionId } = await shop.pay((await prepare()).clientSecret);
    const receipts = () =>
      shop.mails.filter((mail) => mail.to === buyer.email && mail.text.includes(transactionId));
    await expect.poll(() => receipts().length).toBe(1);
    await expect(buyer.client.call(listBookings, { query: {} })).resolves.toMatchObject([{ state: 'Paid' }]);
  });

  test('cannot be prepared while the card processor is unavailable, and can afterwards', async () => {
    const { prepare } = await readyToPay();
    await shop.cards.setFaults({
      calls: [{ kind: 'error', method: 'POST', path: '/v1/payment_intents', times: 20 }],
    });
    await expect(prepare()).rejects.toMatchObject({ status: 503, code: 'card_processor_unavailable' });
    await shop.cards.setFaults({});
    await expect(prepare()).resolves.toMatchObject({ clientSecret: expect.any(String) });
  });

  test('creates one intent if the card processor’s response is lost', async () => {
    const { prepare } = await readyToPay();
    await shop.cards.setFaults({
      calls: [{ kind: 'disconnect', moment: 'after', method: 'POST', path: '/v1/payment_intents' }],
    });
    const { clientSecret } = await prepare();
    await expect(prepare()).resolves.toMatchObject({ clientSecret });
  });

  test('can be prepared after a lost response although the buyer’s name has changed', async () => {
    const { buyer, prepare } = await readyToPay();
    await shop.cards.setFaults({
      calls: [
        { kind: 'disconnect', moment: 'after', method: 'POST', path: '/v1/payment_intents', times: 20 },
      ],
    });
    await expect(prepare()).rejects.toMatchObject({ code: 'card_processor_unavailable' });
    await shop.cards.setFaults({});
    await shop.connection.pool.query(`update users set name = 'Another Name' where id = $1`, [buyer.userId]);
    await expect(prepare()).resolves.toMatchObject({ clientSecret: expect.any(String) });
  });
});

describe('rejects', () => {
  test('a price that differs from the booking’s, and states the right one', async () => {
    const { buyer, bookingId } = await readyToPay();
    await expect(
      buyer.client.call(createPaymentIntent, { body: { price: 1, bookingId } }),
    ).rejects.toMatchObject({ code: 'price_differs', message: expect.stringContaining('$549.99') });
  });

  test('another user’s booking like an unknown one', async () => {
    const { bookingId } = await readyToPay();
    const stranger = await shop.buyer();
    await expect(
      stranger.client.call(createPaymentIntent, { body: { price: 549.99, bookingId } }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test('a payment made for another booking', async () => {
    const [one, other] = [await readyToPay(), await readyToPay()];
    const { transactionId } = await shop.pay((await one.prepare()).clientSecret);
    await expect(other.report(transactionId)).rejects.toMatchObject({ code: 'payment_not_proven' });
  });

  describe('an event without the card processor’s signature', () => {
    const secret = 'whsec_harness';
    const event = (id: string) =>
      JSON.stringify({
        id,
        object: 'event',
        type: 'payment_intent.succeeded',
        data: { object: { object: 'payment_intent', id: 'pi_1' } },
      });
    const sign = (payload: string, more: { secret?: string; timestamp?: number } = {}) =>
      shop.cards.stripe.webhooks.generateTestHeaderString({ payload, secret, ...more });
    const now = () => Math.floor(Date.now() / 1000);

    async function deliver(body: string, signature: string | null): Promise<number> {
      const response = await fetch(`${shop.origin}/webhooks/stripe`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(signature !== null && { 'stripe-signature': signature }),
        },
        body,
      });
      return response.status;
    }
    const noted = async (id: string) =>
      (await shop.connection.pool.query('select from webhook_events where id = $1', [id])).rowCount;

    test.each<[string, (body: string) => string | null]>([
      ['none at all', () => null],
      ['an empty one', () => ''],
      ['one without a value', () => `t=${now()},v1=`],
      ['one without a sign', () => `t=${now()},v1`],
      ['one of zeros', () => `t=${now()},v1=${'0'.repeat(64)}`],
      ['one by another secret', (body) => sign(body, { secret: 'whsec_other' })],
      ['the one of another event', () => sign(event('evt_other'))],
      ['one that is six minutes old', (body) => sign(body, { timestamp: now() - 360 })],
      ['a good one without its time', (body) => sign(body).replace(/^t=\d+,/, '')],
    ])('but with %s is rejected and not recorded', async (what, signatureOf) => {
      const id = `evt_forged_${what.replace(/\W/g, '_')}`;
      expect(await deliver(event(id), signatureOf(event(id)))).toBe(400);
      expect(await noted(id)).toBe(0);
    });

    test('is distinguished from one with a valid signature', async () => {
      expect(await deliver(event('evt_signed'), sign(event('evt_signed')))).toBe(200);
      expect(await noted('evt_signed')).toBe(1);
    });

    test('is distinguished from a valid one, which is recorded only while it can be repeated', async () => {
      await deliver(event('evt_kept'), sign(event('evt_kept')));
      const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000);
      await removeOldEvents(shop.connection.database, inDays(30));
      expect(await noted('evt_kept')).toBe(1);
      await removeOldEvents(shop.connection.database, inDays(32));
      expect(await noted('evt_kept')).toBe(0);
    });
  });
});

describe('a laptop is sold once', () => {
  test('while one buyer pays, another is asked to wait, and until when', async () => {
    const first = await readyToPay();
    await first.prepare();
    const second = await readyToPay(first.laptop);
    await expect(second.prepare()).rejects.toMatchObject({
      code: 'somebody_is_paying',
      retryAt: expect.any(Date),
    });
    await letPaymentWindowLapse(first.laptop);
    await expect(second.prepare()).resolves.toMatchObject({ paymentWindowEndsAt: expect.any(String) });
  });

  test('of two concurrent payments one is settled and the other is refunded', async () => {
    const first = await readyToPay();
    const one = await first.prepare();
    await letPaymentWindowLapse(first.laptop);
    const second = await readyToPay(first.laptop);
    const other = await second.prepare();
    const [paidOne, paidOther] = await Promise.all([
      shop.pay(one.clientSecret),
      shop.pay(other.clientSecret),
    ]);

    const outcomes = await Promise.allSettled([
      first.report(paidOne.transactionId),
      second.report(paidOther.transactionId),
    ]);

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const loser = outcomes[0].status === 'rejected' ? paidOne : paidOther;
    const winner = outcomes[0].status === 'rejected' ? paidOther : paidOne;
    expect(outcomes.find((outcome) => outcome.status === 'rejected')).toMatchObject({
      reason: { code: 'refunded' },
    });
    await expect.poll(() => shop.cards.refundedCents(loser.transactionId)).toBe(54_999);
    expect(await shop.cards.refundedCents(winner.transactionId)).toBe(0);
  });

  test('a payment is refunded if the laptop left the shop after the card was confirmed', async () => {
    const { laptop, prepare, report } = await readyToPay();
    // Before the intent is made: the news of its making, followed late, would find it paid.
    await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
    const { clientSecret } = await prepare();
    const { transactionId } = await shop.pay(clientSecret);
    await seller.client.call(deleteOwnLaptop, { params: { _id: laptop } });
    await expect(report(transactionId)).rejects.toMatchObject({ code: 'refunded' });
    await expect.poll(() => shop.cards.refundedCents(transactionId)).toBe(54_999);
  });
});
