// A price that was lowered: each rise above it needs a new agreement, whatever the buyer agreed to before.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readBooking } from '#contract/sales/bookings.ts';
import type { EmailMessage } from '#server/people/notifications/email-sender.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { bookOneLaptop, expectMoneyInOrder, priceTexts } from '#tests/harness/sales/booked-laptop.ts';
import { heldWebhooks } from '#tests/harness/sales/payment-shop.ts';

let shop: TestShop;
let seller: Person;
let rejectsEmail: (mail: EmailMessage) => boolean = () => false;

beforeAll(async () => {
  shop = await startTestShop({ rejectsEmail: (mail) => rejectsEmail(mail) });
  seller = await shop.seller();
});
afterEach(async () => {
  rejectsEmail = () => false;
  await shop.cards.setFaults({});
});
afterAll(() => shop.close());

const booked = (laptop?: string) => bookOneLaptop(shop, seller, laptop);
type Booked = Awaited<ReturnType<typeof booked>>;
const waitForJobs = () => waitForEmptyQueue(shop.connection.pool);

/** Changes a price several times; the buyer gets the emails about each before the next. */
async function repriceSlowly({ reprice }: Booked, prices: readonly number[]) {
  for (const price of prices) {
    await reprice(price);
    await waitForJobs();
  }
}

/** Expects that a booking cannot be paid at any of these prices, and shows what applied before. */
async function expectAgreementNeeded({ read, prepare }: Booked, price: number, newPrice: number) {
  await expect(read()).resolves.toMatchObject({ state: 'Unpaid', price, newPrice });
  for (const paid of [price, newPrice, 549.99]) {
    await expect(prepare(paid)).rejects.toMatchObject({ code: 'price_not_agreed' });
  }
}

async function agreeAndPay({ laptop, agree, prepare, report, read }: Booked, price: number) {
  await expect(agree(price)).resolves.toMatchObject({ modifiedCount: 1 });
  await report((await shop.pay((await prepare(price)).clientSecret)).transactionId);
  await expect(read()).resolves.toMatchObject({ state: 'Paid', price });
  await expectMoneyInOrder(shop, laptop);
}

/** Books a laptop for a new buyer at its present price. @returns reads the booking */
async function bookAt(laptop: string, price: number) {
  const buyer = await shop.buyer();
  const _id = await shop.booking(buyer, laptop, { price });
  return () => buyer.client.call(readBooking, { params: { _id } });
}

describe('a price that rises after it was lowered needs an agreement', () => {
  test.each([
    ['below the price at the booking', 530],
    ['to the price at the booking', 549.99],
    ['above the price at the booking', 600],
  ])('%s', async (_title, raised) => {
    const booking = await booked();
    await repriceSlowly(booking, [500, raised]);
    await expectAgreementNeeded(booking, 500, raised);
    const [lowering, rise, ...others] = priceTexts(shop, booking.buyer);
    expect(others).toEqual([]);
    expect(lowering).toContain('has lowered the price from $549.99 to $500.00');
    expect(lowering).toContain('Your booking is kept at $500.00');
    const now = `$${raised.toFixed(2)}`;
    expect(rise).toContain(`has raised the price from $500.00 to ${now}`);
    expect(rise).toContain(`To buy at ${now}, agree to the new price in My Orders and pay`);
    expect(rise).toContain('Agree or cancel');
    await agreeAndPay(booking, raised);
  });

  test('after each lowering again', async () => {
    const booking = await booked();
    await repriceSlowly(booking, [600]);
    await booking.agree(600);
    await repriceSlowly(booking, [520, 560]);
    await expectAgreementNeeded(booking, 520, 560);
    await repriceSlowly(booking, [500, 560]);
    await expectAgreementNeeded(booking, 500, 560);
    await agreeAndPay(booking, 560);
  });

  test('of each buyer by the prices since that buyer’s booking', async () => {
    const early = await booked();
    await early.reprice(500);
    const readLate = await bookAt(early.laptop, 500);
    await early.reprice(530);
    await early.agree(530);
    await early.reprice(510);
    await early.reprice(525);
    await expectAgreementNeeded(early, 510, 525);
    await expect(readLate()).resolves.toMatchObject({ price: 500, newPrice: 525 });
  });

  test('and not while it is still above the lowest price', async () => {
    const booking = await booked();
    await repriceSlowly(booking, [600, 580]);
    await expectAgreementNeeded(booking, 549.99, 580);
    expect(priceTexts(shop, booking.buyer)[1]).toContain(
      'has lowered the price from $600.00 to $580.00. Your booking was last valid at $549.99',
    );
    await booking.reprice(549.99);
    await expect(booking.read()).resolves.not.toHaveProperty('newPrice');
  });
});

describe('while the email about the lowering is late', () => {
  /** Lowers a price to $500 and then changes it again while no email can be sent. @returns the emails that are sent then */
  async function repriceSilently(
    { buyer, reprice }: Booked,
    laterPrices: readonly number[],
    act = async (): Promise<unknown> => undefined,
  ) {
    let rejected = 0;
    rejectsEmail = ({ to }) => {
      if (to === buyer.email) rejected += 1;
      return to === buyer.email;
    };
    await reprice(500);
    await expect.poll(() => rejected).toBeGreaterThan(0);
    for (const price of laterPrices) {
      const before = rejected;
      await reprice(price);
      // Otherwise its email may be on the way when `act` makes it needless.
      await expect.poll(() => rejected).toBeGreaterThan(before);
    }
    await act();
    rejectsEmail = () => false;
    await waitForJobs();
    return priceTexts(shop, buyer);
  }

  test.each([
    ['below the known price', 530],
    ['to the known price', 549.99],
    ['above the known price', 600],
  ])('a rise %s is told with the lowering', async (_title, raised) => {
    const booking = await booked();
    const now = `$${raised.toFixed(2)}`;
    await expect(repriceSilently(booking, [raised])).resolves.toEqual([
      expect.stringContaining(
        `lowered the price from $549.99 to $500.00, and has raised it to ${now} since. Your booking was last valid at $500.00. To buy at ${now}, agree to the new price in My Orders`,
      ),
    ]);
    await expectAgreementNeeded(booking, 500, raised);
    await agreeAndPay(booking, raised);
  });

  test('a price that is lowered again at last is told as lowered, once', async () => {
    const booking = await booked();
    await expect(repriceSilently(booking, [549.99, 500])).resolves.toEqual([
      expect.stringContaining(
        'has lowered the price from $549.99 to $500.00. Your booking is kept at $500.00',
      ),
    ]);
    await expect(booking.read()).resolves.toMatchObject({ price: 500 });
  });

  test('a buyer who agreed to the rise is not told of it any more', async () => {
    const booking = await booked();
    await expect(repriceSilently(booking, [530], () => booking.agree(530))).resolves.toEqual([]);
    await expect(booking.read()).resolves.not.toHaveProperty('newPrice');
  });
});

describe('while the payment page is open without a hold', () => {
  test('the payment from before the lowering cannot charge after the rise', async () => {
    const booking = await booked();
    const { clientSecret } = await booking.prepare(549.99);
    await booking.release();
    await booking.reprice(500);
    await booking.reprice(549.99);
    await expect(shop.pay(clientSecret)).resolves.toMatchObject({ status: 'refused' });
    await expectAgreementNeeded(booking, 500, 549.99);
    await agreeAndPay(booking, 549.99);
  });

  test('a payment that the card processor creates meanwhile is closed', async () => {
    const booking = await booked();
    await shop.cards.setFaults({
      calls: [{ method: 'POST', path: '/v1/payment_intents', kind: 'hold', moment: 'after' }],
    });
    const refused = expect(booking.prepare(549.99)).rejects.toMatchObject({
      code: 'price_not_agreed',
      message: expect.stringContaining('from $500.00 to $549.99'),
    });
    await shop.cards.waitForHeldCalls(1);
    await booking.release();
    await booking.reprice(500);
    await booking.reprice(549.99);
    await shop.cards.releaseHeldCalls();
    await refused;
    const { rows } = await shop.connection.pool.query(
      'select state, amount_cents from payment_intents where booking_id = $1',
      [booking.bookingId],
    );
    expect(rows).toEqual([{ state: 'closed', amount_cents: 54_999 }]);
    await expectMoneyInOrder(shop, booking.laptop);
  });

  test.each([
    ['lowered', [50_000]],
    ['lowered and raised again', [50_000, 54_999]],
  ])('money taken at the price before it was %s goes back, with that reason', async (_title, prices) => {
    const { bookingId, laptop, prepare, report, read } = await booked();
    await shop.cards.setFaults(heldWebhooks);
    const { transactionId } = await shop.pay((await prepare(549.99)).clientSecret);
    const { pool } = shop.connection;
    // No process does this: it settles the payment first.
    for (const cents of prices) {
      await pool.query('update laptops set resale_price_cents = $2 where id = $1', [laptop, cents]);
    }
    await expect(report(transactionId)).rejects.toMatchObject({
      code: 'refunded',
      message: expect.stringContaining('changed before your payment arrived'),
    });
    const { rows } = await pool.query('select reason from refunds where booking_id = $1', [bookingId]);
    expect(rows).toEqual([{ reason: 'price_changed' }]);
    await expect(read()).resolves.toMatchObject({ state: 'Unpaid', price: 500 });
    await expectMoneyInOrder(shop, laptop);
  });
});
