import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { deleteOwnLaptop, relistLaptop } from '#contract/listings/catalogue.ts';
import { book, cancelBooking, listBookings, listOwnBuyers, readBooking } from '#contract/sales/bookings.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { heldWebhooks, inOneHour } from '#tests/harness/sales/payment-shop.ts';

let shop: TestShop;
let seller: Person;

beforeAll(async () => {
  shop = await startTestShop();
  seller = await shop.seller();
});
afterEach(() => shop.cards.setFaults({}));
afterAll(() => shop.close());

const waitForJobs = () => waitForEmptyQueue(shop.connection.pool);
const mailsTo = ({ email }: Person) =>
  shop.mails.filter(({ to }) => to === email).map(({ subject }) => subject);

/** Books a laptop of a new seller for a new buyer. */
async function booked() {
  const [owner, buyer] = [await shop.seller(), await shop.buyer()];
  const laptop = await shop.laptop(owner);
  const bookingId = await shop.booking(buyer, laptop);
  const params = { _id: bookingId };
  return {
    owner,
    buyer,
    laptop,
    bookingId,
    cancel: () => buyer.client.call(cancelBooking, { params }),
    prepare: (price = 549.99) => buyer.client.call(createPaymentIntent, { body: { price, bookingId } }),
    report: (transactionId: string) =>
      buyer.client.call(recordPayment, { body: { price: 549.99, transactionId, bookingId } }),
    read: () => buyer.client.call(readBooking, { params }),
    bookAgain: (price = 549.99) =>
      buyer.client.call(book, {
        body: { price, phone: '+351 900 000 001', location: 'Museum', productCode: laptop },
      }),
  };
}

/** A fault under which an intent cannot be cancelled at the card processor. */
const unreachableCancel = {
  kind: 'disconnect',
  moment: 'before',
  method: 'POST',
  path: '/v1/payment_intents/*/cancel',
} as const;

/** Expects that no money is kept without a sale, once everything under way is done. */
async function expectMoneyInOrder(laptop: string) {
  await shop.cards.setFaults({});
  await shop.cards.deliverEvents({});
  await waitForJobs();
  await shop.reconcile(inOneHour());
  await waitForJobs();
  const ledger = await readProcessorLedger(shop.cards.stripe);
  expect(await findMoneyViolations(shop.connection.pool, ledger, [laptop])).toEqual([]);
}

describe('a cancelled booking', () => {
  test('shows as Cancelled to buyer and seller, tells the seller once, and cannot be paid', async () => {
    const { owner, buyer, cancel, prepare } = await booked();
    const { clientSecret } = await prepare();
    await expect(cancel()).resolves.toMatchObject({ deletedCount: 1 });
    await expect(cancel()).resolves.toMatchObject({ deletedCount: 0 });
    await waitForJobs();
    for (const list of [
      buyer.client.call(listBookings, { query: {} }),
      owner.client.call(listOwnBuyers, { query: {} }),
    ]) {
      await expect(list).resolves.toMatchObject([{ state: 'Cancelled', paid: false }]);
    }
    // Both wait until everything is settled, and are sent at the same time.
    expect(mailsTo(owner).toSorted()).toEqual([
      'A booking of EliteBook 840 G8 was cancelled',
      'EliteBook 840 G8 was booked',
    ]);
    expect(mailsTo(buyer)).toEqual([]);
    await expect(prepare()).rejects.toMatchObject({
      code: 'booking_cancelled',
      message: expect.stringContaining('You cancelled your booking'),
    });
    await expect(shop.pay(clientSecret)).resolves.toMatchObject({ status: 'refused' });
  });

  test('that is made and cancelled again and again is told to the seller four times a day', async () => {
    const { owner, buyer, laptop, cancel, bookAgain } = await booked();
    for (let round = 0; round < 4; round += 1) {
      await waitForJobs();
      await cancel();
      await waitForJobs();
      await bookAgain();
    }
    await waitForJobs();
    const told = ['A booking of EliteBook 840 G8 was cancelled', 'EliteBook 840 G8 was booked'];
    expect(mailsTo(owner).toSorted()).toEqual([...told, ...told].toSorted());
    // Other buyers are told of, and this one a day later.
    await shop.booking(await shop.buyer(), laptop);
    await waitForJobs();
    expect(mailsTo(owner)).toHaveLength(5);
    await shop.connection.pool.query(
      "update notifications set created_at = created_at - interval '1 day' where quoted_id = $1",
      [buyer.userId],
    );
    await cancel();
    await waitForJobs();
    expect(mailsTo(owner)).toHaveLength(6);
  });

  test('gives the laptop to the next buyer in line', async () => {
    const { laptop, cancel, prepare } = await booked();
    const next = await shop.buyer();
    const bookingId = await shop.booking(next, laptop);
    const prepareNext = () => next.client.call(createPaymentIntent, { body: { price: 549.99, bookingId } });
    await prepare();
    await expect(prepareNext()).rejects.toMatchObject({ code: 'somebody_is_paying' });
    await cancel();
    await expect(prepareNext()).resolves.toMatchObject({ waiting: 0 });
  });

  test('can be made again, with another telephone number, and paid', async () => {
    const { laptop, bookingId, cancel, bookAgain, prepare, read, report } = await booked();
    await prepare();
    await expect(bookAgain()).resolves.toMatchObject({ acknowledged: false });
    await cancel();
    await expect(bookAgain()).resolves.toMatchObject({ acknowledged: true, insertedId: bookingId });
    await expect(read()).resolves.toMatchObject({ state: 'Unpaid', phone: '+351 900 000 001' });
    await waitForJobs();
    const { transactionId } = await shop.pay((await prepare()).clientSecret);
    await report(transactionId);
    await expect(read()).resolves.toMatchObject({ state: 'Paid' });
    await expectMoneyInOrder(laptop);
  });

  test('made again at another price is paid at that price, not with the earlier attempt', async () => {
    const { laptop, cancel, bookAgain, prepare, report, read } = await booked();
    await prepare();
    // The cancellation cannot close the attempt, so that it is still open at the second booking.
    await shop.cards.setFaults({
      calls: [{ ...unreachableCancel, times: 50 }],
    });
    await cancel();
    await shop.connection.database
      .updateTable('laptops')
      .set({ resale_price_cents: 49_999 })
      .where('id', '=', laptop)
      .execute();
    await bookAgain(499.99);
    await shop.cards.setFaults({});
    const { transactionId } = await shop.pay((await prepare(499.99)).clientSecret);
    await report(transactionId);
    await expect(read()).resolves.toMatchObject({ state: 'Paid', price: 499.99 });
    await expectMoneyInOrder(laptop);
  });
});

describe('a late job', () => {
  test('of a withdrawal closes no attempt that was started after the laptop was listed again', async () => {
    const { owner, laptop, prepare } = await booked();
    const before = await prepare();
    await shop.cards.setFaults({ calls: [{ ...unreachableCancel, times: 1000 }] });
    const own = { params: { _id: laptop } };
    await owner.client.call(deleteOwnLaptop, own);
    await owner.client.call(relistLaptop, { ...own, body: {} });
    const next = await shop.buyer();
    const body = { price: 549.99, bookingId: await shop.booking(next, laptop) };
    const after = await next.client.call(createPaymentIntent, { body });
    await shop.cards.setFaults({});
    await waitForJobs();
    await expect(shop.pay(before.clientSecret)).resolves.toMatchObject({ status: 'refused' });
    await expect(shop.pay(after.clientSecret)).resolves.toMatchObject({ status: 'succeeded' });
    await expectMoneyInOrder(laptop);
  });

  test('of a cancellation does not close the attempt of a booking that was made again', async () => {
    const { laptop, cancel, prepare, bookAgain } = await booked();
    await prepare();
    await shop.cards.setFaults({ calls: [{ ...unreachableCancel, times: 1000 }] });
    await cancel();
    await bookAgain();
    await shop.cards.setFaults({});
    const { clientSecret } = await prepare();
    await waitForJobs();
    await expect(shop.pay(clientSecret)).resolves.toMatchObject({ status: 'succeeded' });
    await expectMoneyInOrder(laptop);
  });
});

describe('a payment at the moment of the cancellation', () => {
  test('that was captured before, and is settled after it, goes back', async () => {
    const { laptop, buyer, cancel, prepare, report, read } = await booked();
    await shop.cards.setFaults(heldWebhooks);
    const { transactionId } = await shop.pay((await prepare()).clientSecret);
    await cancel();
    await expect(report(transactionId)).rejects.toMatchObject({
      code: 'refunded',
      message: expect.stringContaining('You cancelled your booking'),
    });
    await waitForJobs();
    expect(await shop.cards.refundedCents(transactionId)).toBe(54_999);
    expect(mailsTo(buyer)).toEqual(['Your money for EliteBook 840 G8 is on its way back']);
    await expect(read()).resolves.toMatchObject({ state: 'Cancelled' });
    await expectMoneyInOrder(laptop);
  });

  test('that was settled before it stays a sale', async () => {
    const { laptop, cancel, prepare, report, read } = await booked();
    const { transactionId } = await shop.pay((await prepare()).clientSecret);
    await report(transactionId);
    await expect(cancel()).rejects.toMatchObject({ code: 'already_paid' });
    await expect(read()).resolves.toMatchObject({ state: 'Paid' });
    await expectMoneyInOrder(laptop);
  });

  test('ends as a sale or a refund in any order, also when the laptop is booked again', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { laptop, cancel, prepare, report, bookAgain, read } = await booked();
      const { transactionId } = await shop.pay((await prepare()).clientSecret);
      const calls = [cancel, () => report(transactionId), ...(round % 2 === 0 ? [] : [bookAgain])];
      await Promise.allSettled((round % 4 < 2 ? calls : calls.toReversed()).map((call) => call()));
      await expectMoneyInOrder(laptop);
      const { state } = await read();
      const refunded = await shop.cards.refundedCents(transactionId);
      expect(refunded, state).toBe(state === 'Paid' ? 0 : 54_999);
    }
  });
});

test('neither another buyer nor the seller can cancel a booking; a sold laptop’s cannot be cancelled', async () => {
  const { laptop, bookingId, cancel } = await booked();
  const winner = await booked();
  const params = { _id: bookingId };
  await expect(winner.buyer.client.call(cancelBooking, { params })).rejects.toMatchObject({ status: 404 });
  await expect(seller.client.call(cancelBooking, { params })).rejects.toMatchObject({ status: 403 });
  const other = await shop.buyer();
  const body = { price: 549.99, bookingId: await shop.booking(other, laptop) };
  const { clientSecret } = await other.client.call(createPaymentIntent, { body });
  const { transactionId } = await shop.pay(clientSecret);
  await other.client.call(recordPayment, { body: { ...body, transactionId } });
  await expect(cancel()).rejects.toMatchObject({
    code: 'already_sold',
    message: expect.stringContaining('was sold to another buyer'),
  });
});

test('a booking that a withdrawal cancelled stays cancelled when the laptop is sold again, and can be made again', async () => {
  const { owner, laptop, prepare, report, bookAgain, read } = await booked();
  const late = await shop.buyer();
  const lateBooking = await shop.booking(late, laptop);
  await shop.cards.setFaults(heldWebhooks);
  const { transactionId } = await shop.pay((await prepare()).clientSecret);
  const own = { params: { _id: laptop } };
  await owner.client.call(deleteOwnLaptop, own);
  await owner.client.call(relistLaptop, { ...own, body: {} });
  await expect(read()).resolves.toMatchObject({ state: 'Cancelled' });
  await expect(report(transactionId)).rejects.toMatchObject({
    code: 'refunded',
    message: expect.stringContaining('left the shop before your payment arrived'),
  });
  await expectMoneyInOrder(laptop);
  expect(mailsTo(late)).toEqual(['Your booking of EliteBook 840 G8 was cancelled']);
  await expect(
    late.client.call(createPaymentIntent, { body: { price: 549.99, bookingId: lateBooking } }),
  ).rejects.toMatchObject({ code: 'booking_cancelled' });
  await expect(bookAgain()).resolves.toMatchObject({ acknowledged: true });
  const second = await shop.pay((await prepare()).clientSecret);
  await report(second.transactionId);
  await expect(read()).resolves.toMatchObject({ state: 'Paid' });
  await expectMoneyInOrder(laptop);
});
