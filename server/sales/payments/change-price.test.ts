import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readOwnLaptop } from '#contract/listings/catalogue.ts';
import { agreeToPrice, listBookings } from '#contract/sales/bookings.ts';
import { changeListing } from '#tests/harness/listings/change-listing.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import {
  bookOneLaptop,
  expectMoneyInOrder,
  priceSubject,
  subjectsTo,
} from '#tests/harness/sales/booked-laptop.ts';
import { heldWebhooks } from '#tests/harness/sales/payment-shop.ts';

let shop: SharedShop;
let seller: Person;

beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});
afterEach(() => shop.cards.setFaults({}));

const waitForJobs = () => waitForEmptyQueue(shop.connection.pool);

const booked = (laptop?: string) => bookOneLaptop(shop, seller, laptop);

describe('a raised price', () => {
  test('is told once, and paid only after the buyer agreed to it', async () => {
    const { buyer, laptop, reprice, prepare, agree, read, report } = await booked();
    await reprice(600);
    await waitForJobs();
    expect(subjectsTo(shop, buyer)).toEqual([priceSubject('$600.00')]);
    expect(shop.mails.find(({ to }) => to === buyer.email)?.text).toContain('from $549.99 to $600.00');
    await expect(read()).resolves.toMatchObject({ state: 'Unpaid', price: 549.99, newPrice: 600 });
    for (const price of [549.99, 600]) {
      await expect(prepare(price)).rejects.toMatchObject({
        code: 'price_not_agreed',
        message: expect.stringContaining('from $549.99 to $600.00'),
      });
    }
    await expect(agree(600)).resolves.toMatchObject({ modifiedCount: 1 });
    await expect(agree(600)).resolves.toMatchObject({ modifiedCount: 0 });
    const [order] = await buyer.client.call(listBookings, { query: {} });
    expect(order).toMatchObject({ price: 600 });
    expect(order).not.toHaveProperty('newPrice');
    const { transactionId } = await shop.pay((await prepare(600)).clientSecret);
    await report(transactionId);
    await expect(read()).resolves.toMatchObject({ state: 'Paid', price: 600 });
    await expectMoneyInOrder(shop, laptop);
    expect(subjectsTo(shop, buyer).filter((subject) => subject.startsWith('New price'))).toHaveLength(1);
  });

  test('is shown to the seller before it is saved, with the bookings that it concerns', async () => {
    const first = await booked();
    await booked(first.laptop);
    const cancelled = await booked(first.laptop);
    await cancelled.cancel();
    await first.reprice(600);
    await first.agree(600);
    await expect(seller.client.call(readOwnLaptop, { params: { _id: first.laptop } })).resolves.toMatchObject(
      {
        unpaidBookings: [
          { agreedPrice: 600, count: 1 },
          { agreedPrice: 549.99, count: 1 },
        ],
      },
    );
  });

  test('that changed again cannot be agreed to, and is told once more', async () => {
    const { buyer, reprice, agree, read } = await booked();
    await reprice(600);
    await waitForJobs();
    await reprice(620);
    await waitForJobs();
    await expect(agree(600)).rejects.toMatchObject({
      code: 'price_differs',
      message: expect.stringContaining('$620.00'),
    });
    await expect(read()).resolves.toMatchObject({ price: 549.99, newPrice: 620 });
    expect(subjectsTo(shop, buyer)).toEqual([priceSubject('$600.00'), priceSubject('$620.00')]);
  });

  test('that is changed back is payable again; the buyer who was told is told', async () => {
    const { buyer, laptop, reprice, prepare, read } = await booked();
    await reprice(600);
    await waitForJobs();
    await reprice(549.99);
    await waitForJobs();
    expect(subjectsTo(shop, buyer)).toEqual([priceSubject('$600.00'), priceSubject('$549.99')]);
    await expect(read()).resolves.not.toHaveProperty('newPrice');
    await expect(prepare(549.99)).resolves.toMatchObject({ waiting: 0 });
    await expectMoneyInOrder(shop, laptop);
  });

  test('cannot be agreed to in a cancelled, paid or foreign booking', async () => {
    const { agree, cancel, reprice, laptop } = await booked();
    const other = await booked(laptop);
    await reprice(600);
    await cancel();
    await expect(agree(600)).rejects.toMatchObject({ code: 'booking_cancelled' });
    await other.agree(600);
    await other.report((await shop.pay((await other.prepare(600)).clientSecret)).transactionId);
    await expect(other.agree(600)).rejects.toMatchObject({ code: 'already_paid' });
    const [{ _id = '' } = {}] = await other.buyer.client.call(listBookings, { query: {} });
    const foreign = (await shop.buyer()).client.call(agreeToPrice, { params: { _id }, body: { price: 600 } });
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('a lowered price applies without an agreement and is told; the old attempt cannot charge', async () => {
  const { buyer, laptop, reprice, prepare, release, read, report } = await booked();
  const { clientSecret } = await prepare(549.99);
  await release();
  await reprice(500);
  await waitForJobs();
  expect(subjectsTo(shop, buyer)).toEqual([priceSubject('$500.00')]);
  await expect(shop.pay(clientSecret)).resolves.toMatchObject({ status: 'refused' });
  await expect(read()).resolves.toMatchObject({ price: 500 });
  await expect(prepare(549.99)).rejects.toMatchObject({ code: 'price_differs' });
  await report((await shop.pay((await prepare(500)).clientSecret)).transactionId);
  await expect(read()).resolves.toMatchObject({ state: 'Paid', price: 500 });
  await expectMoneyInOrder(shop, laptop);
});

test('a price that changes while the card processor creates the payment is not charged at the old price', async () => {
  const { bookingId, laptop, reprice, prepare, release, agree, read, report } = await booked();
  await shop.cards.setFaults({
    calls: [{ method: 'POST', path: '/v1/payment_intents', kind: 'hold', moment: 'after' }],
  });
  const refused = expect(prepare(549.99)).rejects.toMatchObject({ code: 'price_not_agreed' });
  await shop.cards.waitForHeldCalls(1);
  await release();
  await reprice(600);
  await shop.cards.releaseHeldCalls();
  await refused;
  const { rows } = await shop.connection.pool.query(
    'select state, amount_cents from payment_intents where booking_id = $1',
    [bookingId],
  );
  expect(rows).toEqual([{ state: 'closed', amount_cents: 54_999 }]);
  await agree(600);
  await report((await shop.pay((await prepare(600)).clientSecret)).transactionId);
  await expect(read()).resolves.toMatchObject({ state: 'Paid', price: 600 });
  await expectMoneyInOrder(shop, laptop);
});

test('a payment that was captured before the change, and not yet reported, is a sale at the old price', async () => {
  const { laptop, reprice, prepare, release, read } = await booked();
  await shop.cards.setFaults(heldWebhooks);
  await shop.pay((await prepare(549.99)).clientSecret);
  await release();
  await expect(reprice(600)).rejects.toMatchObject({ code: 'already_sold' });
  await expect(read()).resolves.toMatchObject({ state: 'Paid', price: 549.99 });
  await expectMoneyInOrder(shop, laptop);
});

test('a change at the same price closes the attempt, too: it must not buy what its buyer did not see', async () => {
  const { laptop, prepare, release, read } = await booked();
  const { clientSecret } = await prepare(549.99);
  await release();
  await changeListing(seller, laptop, { condition: 'Fair' });
  await expect(shop.pay(clientSecret)).resolves.toMatchObject({ status: 'refused' });
  await expect(read()).resolves.toMatchObject({ state: 'Unpaid' });
  await expectMoneyInOrder(shop, laptop);
});

test('while the card processor is silent, a laptop with an open attempt cannot be changed', async () => {
  const { laptop, reprice, prepare, release, read } = await booked();
  await prepare(549.99);
  await release();
  await shop.cards.setFaults({
    calls: [
      {
        kind: 'disconnect',
        moment: 'before',
        method: 'POST',
        path: '/v1/payment_intents/*/cancel',
        times: 50,
      },
    ],
  });
  await expect(reprice(600)).rejects.toMatchObject({
    code: 'card_processor_unavailable',
    message: expect.stringContaining('Nothing was saved'),
  });
  await expect(changeListing(seller, laptop, { location: 'Faro' })).rejects.toMatchObject({
    code: 'card_processor_unavailable',
  });
  await shop.cards.setFaults({});
  await reprice(600);
  await expect(read()).resolves.toMatchObject({ newPrice: 600 });
});
