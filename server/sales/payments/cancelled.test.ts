import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { deleteOwnLaptop, relistLaptop } from '#contract/listings/catalogue.ts';
import { createPaymentIntent } from '#contract/sales/payments.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';

/** Addresses of which the mail server refuses so many letters more. */
const refusals = new Map<string, number>();
const notCharged = 'You have not been charged';
const comesBack = 'If your card was charged for it, the money comes back.';

let shop: TestShop;
let seller: Person;

beforeAll(async () => {
  shop = await startTestShop({
    rejectsEmail: ({ to }) => {
      const left = refusals.get(to) ?? 0;
      refusals.set(to, left - 1);
      return left > 0;
    },
  });
  seller = await shop.seller();
});
afterEach(() => shop.cards.setFaults({}));
afterAll(() => shop.close());

async function booked(laptop: string) {
  const buyer = await shop.buyer();
  const bookingId = await shop.booking(buyer, laptop);
  const prepare = () => buyer.client.call(createPaymentIntent, { body: { price: 549.99, bookingId } });
  return { ...buyer, prepare };
}

const leave = (laptop: string) => seller.client.call(deleteOwnLaptop, { params: { _id: laptop } });
const waitForJobs = () => waitForEmptyQueue(shop.connection.pool);
const lettersTo = ({ email }: { email: string }) => shop.mails.filter(({ to }) => to === email);

test('each buyer of a withdrawn laptop gets one email, even if another buyer’s email is rejected', async () => {
  const laptop = await shop.laptop(seller);
  const buyers = [await booked(laptop), await booked(laptop), await booked(laptop)];
  refusals.set(buyers[1]?.email ?? '', 3);
  await leave(laptop);
  await waitForJobs();
  for (const buyer of buyers) {
    expect(lettersTo(buyer).map(({ subject }) => subject)).toEqual([
      'Your booking of EliteBook 840 G8 was cancelled',
    ]);
    expect(lettersTo(buyer)[0]?.text).toContain(notCharged);
  }
});

/** Acts in a process whose clock differs from the database's. @param ms how far it is ahead */
async function withClock(ms: number, act: () => Promise<unknown>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  try {
    await act();
  } finally {
    vi.useRealTimers();
  }
}

test('a buyer is told of the withdrawal that cancelled the booking, and of no later one, by clocks that differ too', async () => {
  const laptop = await shop.laptop(seller);
  const earlier = await booked(laptop);
  await leave(laptop);
  await waitForJobs();
  // Listing again stores when the booking was cancelled; the later withdrawal is compared with it.
  await withClock(60_000, () =>
    seller.client.call(relistLaptop, { params: { _id: laptop }, body: { posted_time: '' } }),
  );
  const later = await booked(laptop);
  await withClock(-60_000, () => leave(laptop));
  await waitForJobs();
  for (const buyer of [earlier, later]) expect(lettersTo(buyer)).toHaveLength(1);
});

test('a buyer charged meanwhile is notified of the refund, never of a missing charge', async () => {
  const laptop = await shop.laptop(seller);
  const buyer = await booked(laptop);
  await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
  const { transactionId } = await shop.pay((await buyer.prepare()).clientSecret);
  await leave(laptop);
  await waitForJobs();
  expect(await shop.cards.refundedCents(transactionId)).toBe(54_999);
  expect(lettersTo(buyer).map(({ subject }) => subject)).toEqual([
    'Your money for EliteBook 840 G8 is on its way back',
  ]);
  await expect(buyer.prepare()).rejects.toMatchObject({
    code: 'booking_cancelled',
    message: expect.stringContaining(comesBack),
  });
});

test('a buyer who may still be charged is not told that there was no charge', async () => {
  const laptop = await shop.laptop(seller);
  const buyer = await booked(laptop);
  // An attempt whose name the shop never learned, so that it cannot be ended at once.
  await shop.cards.setFaults({
    calls: [{ kind: 'disconnect', moment: 'after', method: 'POST', path: '/v1/payment_intents', times: 3 }],
  });
  await expect(buyer.prepare()).rejects.toMatchObject({ code: 'card_processor_unavailable' });
  await leave(laptop);
  await waitForJobs();
  expect(lettersTo(buyer)).toMatchObject([{ text: expect.stringContaining(comesBack) }]);
});
