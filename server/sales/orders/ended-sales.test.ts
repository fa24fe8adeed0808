// How sales end: what a buyer, a seller and the two together can do with the laptop afterwards, and what a held order waits for.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { relistLaptop } from '#contract/listings/catalogue.ts';
import { listWishlist, wish } from '#contract/listings/wishlist.ts';
import { AFTER_MEETING_MS, MAXIMUM_MEETING_DAYS } from '#contract/money/order-states.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { listBookings, readBooking } from '#contract/sales/bookings.ts';
import * as complaints from '#contract/sales/complaints.ts';
import { answerMeeting, proposeMeeting } from '#contract/sales/meetings.ts';
import { openConversation, readConversation } from '#contract/sales/messages.ts';
import { confirmOrder, readOrder } from '#contract/sales/orders.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { refundOrder } from '#tests/harness/money/connected-seller.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { type Sale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { moveOverdueOrders } from './actions.ts';

/** Stripe's test card whose charges are disputed. */
const DISPUTED_CARD = '4000000000000259';
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(async () => {
  await waitForJobs();
  const ledger = await readProcessorLedger(shop.cards.stripe);
  expect(await findMoneyViolations(shop.connection.pool, ledger, null)).toEqual([]);
  await shop.close();
});

const waitForJobs = async () => {
  await shop.cards.deliverEvents({});
  await waitForEmptyQueue(shop.connection.pool);
};
const read = ({ orderId, buyer }: Sale) => buyer.client.call(readOrder, { params: { _id: orderId } });
const cancel = ({ orderId, seller }: Sale) =>
  seller.client.call(complaints.cancelSale, { params: { _id: orderId }, body: { text: 'It fell down.' } });
const relist = ({ seller, laptopId }: Sale) =>
  seller.client.call(relistLaptop, { params: { _id: laptopId }, body: { posted_time: '' } });
const laptopState = async ({ laptopId }: Sale) =>
  (await shop.connection.pool.query('select state from laptops where id = $1', [laptopId])).rows[0]?.state;
const mailsTo = ({ email }: Person) =>
  shop.mails.filter(({ to }) => JSON.stringify(to).includes(email)).map(({ subject }) => subject);
const conversationOf = async ({ buyer, bookingId }: Sale) =>
  (await buyer.client.call(openConversation, { body: { bookingId } })).insertedId;
const complain = ({ buyer, orderId }: Sale, kind: complaints.ComplaintKind) =>
  buyer.client.call(complaints.complain, {
    params: { _id: orderId },
    body: { kind, text: 'The lid is broken.' },
  });

/** Pays a booking of a sale's buyer. @returns the sale with its new order */
async function payBooking(sale: Sale): Promise<Sale> {
  const { buyer, bookingId } = sale;
  const { clientSecret } = await buyer.client.call(createPaymentIntent, {
    body: { price: 549.99, bookingId },
  });
  const { transactionId } = await shop.pay(clientSecret);
  await buyer.client.call(recordPayment, { body: { bookingId, transactionId } });
  const { order } = await buyer.client.call(readBooking, { params: { _id: bookingId } });
  return { ...sale, transactionId, orderId: order?._id ?? '' };
}

/** The bank opens its dispute about a sale and decides for the buyer. */
async function chargeBack({ transactionId }: Sale): Promise<void> {
  await shop.cards.runDelayedOutcomes();
  await waitForJobs();
  const [found] = (await shop.cards.stripe.disputes.list({ payment_intent: transactionId })).data;
  await shop.cards.stripe.disputes.update(found?.id ?? '', {
    evidence: { uncategorized_text: 'losing_evidence' },
  });
  await waitForJobs();
}

describe('the buyer of a refunded order', () => {
  test('books the same laptop again and pays for it, and sees both orders', async () => {
    const sale = await sellLaptop(shop);
    const id = await conversationOf(sale);
    await cancel(sale);
    await waitForJobs();
    const meet = async () =>
      (await sale.buyer.client.call(readConversation, { params: { _id: id } })).canMeet;
    // The sale is over, and nobody has booked it since.
    expect(await meet()).toBe(false);
    await relist(sale);
    expect(await meet()).toBe(false);

    const { buyer, seller, laptopId } = sale;
    await buyer.client.call(wish, { body: { productCode: laptopId } });
    const again = await sellLaptop(shop, { buyer, seller, laptopId });
    expect(again.bookingId).not.toBe(sale.bookingId);
    expect(await meet()).toBe(true);
    const own = await sale.buyer.client.call(listBookings, { query: {} });
    expect(own.map(({ state, order }) => [state, order?.state])).toEqual([
      ['Paid', 'held'],
      ['Paid', 'refunded'],
    ]);
    // The seller’s number belongs to a sale that stands.
    expect(own.map(({ sellerPhone }) => sellerPhone !== undefined)).toEqual([true, false]);
    const [item] = await sale.buyer.client.call(listWishlist, { query: {} });
    expect(item).toMatchObject({ state: 'Purchased' });
    await cancel(again);
    await waitForJobs();
  });

  test('cannot pay the ended booking, and cannot book twice after it', async () => {
    const sale = await sellLaptop(shop);
    await cancel(sale);
    await waitForJobs();
    await relist(sale);
    const booking = await shop.booking(sale.buyer, sale.laptopId);
    expect(booking).not.toBe(sale.bookingId);
    await expect(shop.booking(sale.buyer, sale.laptopId)).rejects.toThrow();
    const { rows } = await shop.connection.pool.query(
      'select count(*)::int as count from bookings where laptop_id = $1 and buyer_id = $2 and ended_at is null',
      [sale.laptopId, sale.buyer.userId],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });
});

describe('a chargeback that is lost', () => {
  test('before the hand-over gives the laptop back to its seller, who is told what to do', async () => {
    const sale = await sellLaptop(shop, { card: DISPUTED_CARD });
    await chargeBack(sale);
    expect(await read(sale)).toMatchObject({ state: 'charged_back' });
    expect(await laptopState(sale)).toBe('withdrawn');
    expect(mailsTo(sale.seller).at(-1)).toBe('EliteBook 840 G8 is yours again');
    await relist(sale);
    // Somebody else buys it, and a late event about the first payment changes nothing for that buyer.
    const next = await sellLaptop(shop, { seller: sale.seller, laptopId: sale.laptopId });
    await shop.cards.deliverEvents({ events: await shop.cards.listEventIds(sale.transactionId) });
    await waitForJobs();
    expect(await read(next)).toMatchObject({ state: 'held' });
    expect(await laptopState(sale)).toBe('sold');
  });

  test('after the hand-over leaves the laptop with the buyer', async () => {
    const sale = await sellLaptop(shop, { card: DISPUTED_CARD });
    await sale.buyer.client.call(confirmOrder, { params: { _id: sale.orderId } });
    await chargeBack(sale);
    expect(await read(sale)).toMatchObject({ state: 'charged_back' });
    expect(await laptopState(sale)).toBe('sold');
    expect(mailsTo(sale.seller)).not.toContain('EliteBook 840 G8 is yours again');
  });
});

test('a seller is told once that the laptop is back, also when earlier notices are sent late', async () => {
  const sale = await sellLaptop(shop);
  await waitForJobs();
  // The complaint and its decision are committed before the notice of either.
  await refundOrder(shop, sale.orderId);
  await waitForJobs();
  const told = mailsTo(sale.seller);
  expect(told.filter((subject) => subject === 'EliteBook 840 G8 is yours again')).toHaveLength(1);
  expect(told).toContain('Complaint to answer: EliteBook 840 G8');
});

describe('a laptop that the buyer looked at and did not take', () => {
  test('returns to the seller with the money going back at once when the seller agrees', async () => {
    const sale = await sellLaptop(shop);
    await complain(sale, 'not_taken');
    // Neither a part of the price nor a return settles it.
    const offer = { move: 'offer' as const, amount: 100, text: 'Take it for less.' };
    await expect(
      sale.seller.client.call(complaints.answerAsSeller, { params: { _id: sale.orderId }, body: offer }),
    ).rejects.toMatchObject({ code: 'complaint_refused' });
    await sale.seller.client.call(complaints.answerAsSeller, {
      params: { _id: sale.orderId },
      body: { move: 'accept' },
    });
    await waitForJobs();
    expect(await read(sale)).toMatchObject({ state: 'refunded', refunded: 549.99 });
    expect(await laptopState(sale)).toBe('withdrawn');
    expect(await shop.cards.refundedCents(sale.transactionId)).toBe(54_999);
    // It was never measured, and has no certificate.
    const mail = shop.mails.findLast(
      ({ to, subject }) => to === sale.seller.email && subject === 'EliteBook 840 G8 is yours again',
    );
    expect(mail?.text).toContain(
      'Its buyer looked at it and did not take it, so it must be measured before it is sold again.',
    );
    expect(mail?.text).not.toMatch(/not working|measured and inspected|certificate|measure it again/);
  });

  test('cannot be said after the hand-over, and can be taken back before it', async () => {
    const sale = await sellLaptop(shop);
    await complain(sale, 'not_taken');
    await sale.buyer.client.call(complaints.answerAsBuyer, {
      params: { _id: sale.orderId },
      body: { move: 'withdraw' },
    });
    expect(await read(sale)).toMatchObject({ state: 'held' });
    await sale.buyer.client.call(confirmOrder, { params: { _id: sale.orderId } });
    await expect(complain(sale, 'not_taken')).rejects.toMatchObject({ code: 'complaint_refused' });
  });
});

describe('the deadline of a held order', () => {
  const propose = async ({ seller }: Sale, id: string, startsAt: Date) =>
    (
      await seller.client.call(proposeMeeting, {
        params: { _id: id },
        body: { place: 'Café Central', startsAt: startsAt.toISOString() },
      })
    ).insertedId;
  const answer = ({ client }: Person, id: string, meeting: string, given: 'agree' | 'cancel') =>
    client.call(answerMeeting, { params: { _id: id }, body: { meeting, answer: given } });
  const dueAt = async (sale: Sale) => new Date((await read(sale)).dueAt ?? 0);
  const deadlines = (now: Date) =>
    moveOverdueOrders({ database: shop.connection.database, enqueue: shop.enqueue }, now);

  test('follows the meeting on which both agree: nothing is released before it', async () => {
    const sale = await sellLaptop(shop);
    const id = await conversationOf(sale);
    const first = await dueAt(sale);
    const startsAt = inDays(16);
    const meeting = await propose(sale, id, startsAt);
    expect(await dueAt(sale)).toEqual(first);
    await answer(sale.buyer, id, meeting, 'agree');
    expect((await dueAt(sale)).getTime()).toBe(startsAt.getTime() + AFTER_MEETING_MS);
    await deadlines(inDays(18.9));
    expect(await read(sale)).toMatchObject({ state: 'held' });
    await deadlines(inDays(19.1));
    expect(await read(sale)).toMatchObject({ state: 'released' });
  });

  test('leaves time to agree again after a cancellation, and does not follow an earlier proposal', async () => {
    const sale = await sellLaptop(shop);
    const id = await conversationOf(sale);
    const first = await dueAt(sale);
    await answer(sale.buyer, id, await propose(sale, id, inDays(2)), 'agree');
    // A meeting within the first days shortens nothing.
    expect(await dueAt(sale)).toEqual(first);
    await answer(sale.buyer, id, await propose(sale, id, inDays(20)), 'agree');
    expect((await dueAt(sale)).getTime()).toBeGreaterThan(inDays(22).getTime());
    // A new proposal ends the agreed meeting, and a cancellation does. Neither releases the money earlier.
    const agreed = await dueAt(sale);
    const later = await propose(sale, id, inDays(25));
    expect(await dueAt(sale)).toEqual(agreed);
    await answer(sale.buyer, id, later, 'agree');
    const moved = await dueAt(sale);
    expect(moved.getTime()).toBeGreaterThan(inDays(27).getTime());
    await answer(sale.seller, id, later, 'cancel');
    expect(await dueAt(sale)).toEqual(moved);
    // An earlier meeting on which both agree does.
    const sooner = await propose(sale, id, inDays(1));
    await answer(sale.buyer, id, sooner, 'agree');
    expect(await dueAt(sale)).toEqual(first);
    // Ten days later, three days are left after a cancellation.
    await shop.connection.pool.query(
      `update orders set state_since = state_since - interval '10 days',
              promised_until = promised_until - interval '10 days', due_at = due_at - interval '10 days' where id = $1`,
      [sale.orderId],
    );
    await answer(sale.buyer, id, sooner, 'cancel');
    const left = (await dueAt(sale)).getTime() - Date.now();
    expect(left).toBeGreaterThan(2.9 * DAY_MS);
    expect(left).toBeLessThanOrEqual(AFTER_MEETING_MS);
  });

  test('counts a meeting that was agreed on before the payment, and one about an earlier sale does not count', async () => {
    const sale = await sellLaptop(shop);
    const id = await conversationOf(sale);
    await answer(sale.buyer, id, await propose(sale, id, inDays(15)), 'agree');
    await cancel(sale);
    await waitForJobs();
    await relist(sale);
    const { buyer, seller, laptopId } = sale;
    const bookingId = await shop.booking(buyer, laptopId);
    expect((await dueAt(await payBooking({ ...sale, bookingId }))).getTime()).toBeLessThan(
      inDays(7.1).getTime(),
    );

    const other = await shop.laptop(seller);
    const booked = { ...sale, laptopId: other, bookingId: await shop.booking(buyer, other) };
    const conversation = await conversationOf(booked);
    await answer(buyer, conversation, await propose(booked, conversation, inDays(15)), 'agree');
    expect((await dueAt(await payBooking(booked))).getTime()).toBeGreaterThan(inDays(17.9).getTime());
  });

  test('has an end: a proposal after it is refused with the date', async () => {
    const sale = await sellLaptop(shop);
    const id = await conversationOf(sale);
    const { meetBy = '' } = await read(sale);
    const latest = new Date(meetBy).getTime();
    expect(Math.round((latest - Date.now()) / DAY_MS)).toBe(MAXIMUM_MEETING_DAYS);
    await shop.connection.pool.query(
      `update orders set state_since = state_since - interval '5 days' where id = $1`,
      [sale.orderId],
    );
    await expect(propose(sale, id, new Date(latest - DAY_MS))).rejects.toMatchObject({
      code: 'invalid_input',
      errors: {
        startsAt: expect.stringContaining('the shop holds the buyer’s money for a meeting until then'),
      },
    });
    await propose(sale, id, new Date(latest - 6 * DAY_MS));
  });
});
