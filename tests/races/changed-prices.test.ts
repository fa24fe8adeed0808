// A price changes at the moment of another act, in both orders: whatever is first, no buyer pays a price that the buyer did
// not agree to, and no money is kept without a sale.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { deleteOwnLaptop, readOwnLaptop, relistLaptop } from '#contract/listings/catalogue.ts';
import { reportLaptop, takeDownLaptop } from '#contract/listings/reports.ts';
import { book, readBooking } from '#contract/sales/bookings.ts';
import type { EmailMessage } from '#server/people/notifications/email-sender.ts';
import { changeListing } from '#tests/harness/listings/change-listing.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import {
  bookOneLaptop,
  expectMoneyInOrder,
  priceSubject,
  subjectsTo,
} from '#tests/harness/sales/booked-laptop.ts';

const before = 549.99;
const after = 600;
/** Each act is first in two of them. */
const rounds = 4;

let shop: TestShop;
let seller: Person;
let admin: Person;
let rejectsEmail: (mail: EmailMessage) => boolean = () => false;
beforeAll(async () => {
  shop = await startTestShop({ rejectsEmail: (mail) => rejectsEmail(mail) });
  seller = await shop.seller();
  admin = await shop.admin();
});
afterEach(async () => {
  rejectsEmail = () => false;
  await shop.cards.setFaults({});
});
afterAll(() => shop.close());

const booked = (laptop?: string) => bookOneLaptop(shop, seller, laptop);
type Booked = Awaited<ReturnType<typeof booked>>;
const settled = () => waitForEmptyQueue(shop.connection.pool);

/** Starts two acts at the same time, each of them first in half of the rounds. @returns their codes, `ok` for a success */
async function race(round: number, one: () => Promise<unknown>, other: () => Promise<unknown>) {
  const codeOf = async (act: () => Promise<unknown>) =>
    act().then(
      () => 'ok',
      (error: { code: string }) => error.code,
    );
  if (round % 2 === 0) {
    const [first, second] = [codeOf(one), codeOf(other)];
    return { one: await first, other: await second };
  }
  const [second, first] = [codeOf(other), codeOf(one)];
  return { one: await first, other: await second };
}

/** Runs a race for a new laptop with one booking, several times. */
async function inBothOrders(check: (booking: Booked, round: number) => Promise<void>) {
  for (let round = 0; round < rounds; round += 1) await check(await booked(), round);
}

test('with the beginning of a payment: one of them is refused', () =>
  inBothOrders(async ({ laptop, reprice, prepare }, round) => {
    const codes = await race(
      round,
      () => reprice(after),
      () => prepare(before),
    );
    expect([
      { one: 'ok', other: 'price_not_agreed' },
      { one: 'somebody_is_paying', other: 'ok' },
    ]).toContainEqual(codes);
    await expectMoneyInOrder(shop, laptop);
  }));

test('with the report of a payment whose hold has ended: a sale at the old price, or none', () =>
  inBothOrders(async ({ laptop, reprice, prepare, release, report, read }, round) => {
    const { transactionId } = await shop.pay((await prepare(before)).clientSecret);
    await release();
    const codes = await race(
      round,
      () => reprice(after),
      () => report(transactionId),
    );
    expect(codes).toEqual({ one: 'already_sold', other: 'ok' });
    await expect(read()).resolves.toMatchObject({ state: 'Paid', price: before });
    await expectMoneyInOrder(shop, laptop);
  }));

test('with the card’s confirmation: a sale at the old price, or no charge', () =>
  inBothOrders(async ({ laptop, reprice, prepare, release, read }, round) => {
    const { clientSecret } = await prepare(before);
    await release();
    let status = '';
    const pay = async () => {
      ({ status } = await shop.pay(clientSecret));
    };
    const { one } = await race(round, () => reprice(after), pay);
    await expectMoneyInOrder(shop, laptop);
    const order = await read();
    if (one === 'ok') {
      expect(status).toBe('refused');
      expect(order).toMatchObject({ state: 'Unpaid', newPrice: after });
    } else {
      expect({ one, status }).toEqual({ one: 'already_sold', status: 'succeeded' });
      expect(order).toMatchObject({ state: 'Paid', price: before });
    }
  }));

test('with an agreement to the price before it: the buyer agreed to that one only', () =>
  inBothOrders(async ({ laptop, reprice, agree, prepare, read }, round) => {
    await reprice(after);
    const codes = await race(
      round,
      () => reprice(620),
      () => agree(after),
    );
    expect(codes.one).toBe('ok');
    expect(['ok', 'price_differs']).toContain(codes.other);
    await expect(read()).resolves.toMatchObject({
      price: codes.other === 'ok' ? after : before,
      newPrice: 620,
    });
    await expect(prepare(620)).rejects.toMatchObject({ code: 'price_not_agreed' });
    await expectMoneyInOrder(shop, laptop);
  }));

const lower = 500;

test('a lowering with the beginning of a payment: one of them is refused', () =>
  inBothOrders(async ({ laptop, reprice, prepare, read }, round) => {
    const codes = await race(
      round,
      () => reprice(lower),
      () => prepare(before),
    );
    expect([
      { one: 'ok', other: 'price_differs' },
      { one: 'somebody_is_paying', other: 'ok' },
    ]).toContainEqual(codes);
    await expect(read()).resolves.toMatchObject({ price: codes.one === 'ok' ? lower : before });
    await expectMoneyInOrder(shop, laptop);
  }));

test('a lowering with an agreement to the price before it: the lower price, and a rise is asked for again', () =>
  inBothOrders(async ({ laptop, reprice, agree, prepare, read }, round) => {
    await reprice(after);
    const codes = await race(
      round,
      () => reprice(lower),
      () => agree(after),
    );
    expect(codes.one).toBe('ok');
    expect(['ok', 'price_differs']).toContain(codes.other);
    await expect(read()).resolves.toMatchObject({ price: lower });
    await reprice(after);
    await expect(read()).resolves.toMatchObject({ price: lower, newPrice: after });
    await expect(prepare(after)).rejects.toMatchObject({ code: 'price_not_agreed' });
    await expectMoneyInOrder(shop, laptop);
  }));

test('a rise after a lowering with the beginning of a payment: not at a price without an agreement', () =>
  inBothOrders(async ({ laptop, reprice, prepare, read }, round) => {
    await reprice(lower);
    const codes = await race(
      round,
      () => reprice(before),
      () => prepare(lower),
    );
    expect([
      { one: 'ok', other: 'price_not_agreed' },
      { one: 'somebody_is_paying', other: 'ok' },
    ]).toContainEqual(codes);
    if (codes.one === 'ok') await expect(read()).resolves.toMatchObject({ price: lower, newPrice: before });
    await expectMoneyInOrder(shop, laptop);
  }));

test('a lowering and a rise with a booking: at the price that it named, and asked for what is above it', () =>
  inBothOrders(async ({ laptop, reprice, read }, round) => {
    const late = await shop.buyer();
    const body = { price: lower, phone: '+351 900 000 000', location: 'Museum', productCode: laptop };
    let booked: { acknowledged: boolean; insertedId?: string | undefined } = { acknowledged: false };
    const bookLate = async () => {
      booked = await late.client.call(book, { body });
    };
    await race(round, () => reprice(lower).then(() => reprice(before)), bookLate);
    const wanted = { price: lower, newPrice: before };
    await expect(read()).resolves.toMatchObject(wanted);
    if (booked.insertedId === undefined) return;
    const params = { _id: booked.insertedId };
    await expect(late.client.call(readBooking, { params })).resolves.toMatchObject(wanted);
  }));

test('with a booking: at the old price, and told of the new one, or refused', () =>
  inBothOrders(async ({ laptop, reprice }, round) => {
    const late = await shop.buyer();
    const body = { price: before, phone: '+351 900 000 000', location: 'Museum', productCode: laptop };
    let isBooked = false;
    const bookLate = async () => {
      isBooked = (await late.client.call(book, { body })).acknowledged;
    };
    await expect(race(round, () => reprice(after), bookLate)).resolves.toEqual({ one: 'ok', other: 'ok' });
    await settled();
    expect(subjectsTo(shop, late)).toEqual(isBooked ? [priceSubject('$600.00')] : []);
  }));

test('with a withdrawal, or a take-down: the laptop leaves the shop at either price', () =>
  inBothOrders(async ({ laptop, buyer, reprice, read }, round) => {
    const params = { _id: laptop };
    const withdraw = () => seller.client.call(deleteOwnLaptop, { params });
    await buyer.client.call(reportLaptop, { body: { productCode: laptop, reason: 'Stolen' } });
    const takeDown = () => admin.client.call(takeDownLaptop, { params, body: { note: 'Stolen.' } });
    const codes = await race(round, () => reprice(after), round < rounds / 2 ? withdraw : takeDown);
    expect(codes.other).toBe('ok');
    expect(['ok', 'no_longer_for_sale']).toContain(codes.one);
    const { resale_price } = await seller.client.call(readOwnLaptop, { params });
    expect(resale_price).toBe(codes.one === 'ok' ? after : before);
    await expect(read()).resolves.toMatchObject({ state: 'Cancelled' });
    await settled();
    expect(subjectsTo(shop, buyer)).toContain('Your booking of EliteBook 840 G8 was cancelled');
  }));

test('with the listing of a withdrawn laptop: changed only once it is for sale', () =>
  inBothOrders(async ({ laptop, reprice, read }, round) => {
    const params = { _id: laptop };
    await seller.client.call(deleteOwnLaptop, { params });
    const relist = () => seller.client.call(relistLaptop, { params, body: {} });
    const codes = await race(round, () => reprice(after), relist);
    expect(codes.other).toBe('ok');
    expect(['ok', 'no_longer_for_sale']).toContain(codes.one);
    await expect(read()).resolves.toMatchObject({ state: 'Cancelled' });
  }));

test('a price that is changed to and fro while no email can be sent is told once, and not lost', async () => {
  const { buyer, laptop } = await booked();
  let rejected = 0;
  rejectsEmail = ({ to }) => {
    if (to === buyer.email) rejected += 1;
    return to === buyer.email;
  };
  for (const resale_price of [after, before, after]) await changeListing(seller, laptop, { resale_price });
  await expect.poll(() => rejected).toBeGreaterThan(0);
  rejectsEmail = () => false;
  await settled();
  expect(subjectsTo(shop, buyer)).toEqual([priceSubject('$600.00')]);
});

test('a price that is changed back before an email is sent is not told', async () => {
  const { buyer, laptop } = await booked();
  rejectsEmail = ({ to }) => to === buyer.email;
  for (const resale_price of [after, before]) await changeListing(seller, laptop, { resale_price });
  // A job that still had something to tell would wait for its next try, so the queue would not be empty.
  await settled();
  rejectsEmail = () => false;
  expect(subjectsTo(shop, buyer)).toEqual([]);
});
