import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listReceipts } from '#contract/money/accounting.ts';
import { readOwnMoney } from '#contract/money/payouts.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { answerAsBuyer, answerAsSeller, complain, decideComplaint } from '#contract/sales/complaints.ts';
import { confirmOrder, type Order, readOrder, refundOrder } from '#contract/sales/orders.ts';
import { reportParcel, shipParcel } from '#contract/sales/shipping.ts';
import { commission } from '#tests/harness/money/connected-seller.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { completeOrder, type Sale, sampleAddress, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

const DISPUTED_CARD = '4000000000000259';

let shop: TestShop;
let admin: Person;

beforeAll(async () => {
  shop = await startTestShop({ settings: { commission } });
  admin = await shop.admin();
});
afterEach(async () => {
  await waitForJobs();
  const ledger = await readProcessorLedger(shop.cards.stripe);
  expect(await findMoneyViolations(shop.connection.pool, ledger, null)).toEqual([]);
});
afterAll(() => shop.close());

async function waitForJobs() {
  await shop.cards.deliverEvents({});
  await waitForEmptyQueue(shop.connection.pool);
}

const params = ({ orderId }: Sale) => ({ _id: orderId });
const read = (sale: Sale): Promise<Order> => admin.client.call(readOrder, { params: params(sale) });
const refund = (sale: Sale, amount: number, from: 'seller' | 'shop' = 'seller') =>
  admin.client.call(refundOrder, {
    params: params(sale),
    body: { amount, from, text: 'The battery is worn out.' },
  });
const confirm = (sale: Sale) => sale.buyer.client.call(confirmOrder, { params: params(sale) });
const moneyOf = ({ seller }: Sale) => seller.client.call(readOwnMoney, {});
const refundedCents = ({ transactionId }: Sale) => shop.cards.refundedCents(transactionId);

describe('an admin', () => {
  test('refunds parts of a held order, more than once, and the seller gets the rest', async () => {
    const sale = await sellLaptop(shop);
    await refund(sale, 100);
    await refund(sale, 50.5);
    await waitForJobs();
    expect(await read(sale)).toMatchObject({
      state: 'held',
      refunded: 150.5,
      refunds: [
        { amount: 100, reason: 'by_admin', state: 'done', text: 'The battery is worn out.' },
        { amount: 50.5, reason: 'by_admin', state: 'done' },
      ],
      timeline: [{ event: 'paid' }, { event: 'refund_part', amount: 100 }, { event: 'refund_part' }],
    });
    expect(await refundedCents(sale)).toBe(15_050);
    await confirm(sale);
    // Of the commission of $27.99, $20.33 are left in proportion.
    expect(await moneyOf(sale)).toMatchObject({ held: 0, due: 379.16 });
    const credits = await sale.buyer.client.call(listReceipts, { query: {} });
    expect(credits.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['sale_credit', 50.5],
      ['sale_credit', 100],
      ['sale', 549.99],
    ]);
    const textsTo = (person: Person) =>
      shop.mails.filter(({ to }) => to === person.email).map(({ text }) => text);
    const reason = expect.stringContaining('The battery is worn out.');
    expect(textsTo(sale.buyer)).toContainEqual(reason);
    expect(textsTo(sale.seller)).toContainEqual(reason);
    const entries = await admin.client.call(listAuditTrail, { query: {} });
    expect(entries.find(({ act }) => act === 'Refunded order')).toMatchObject({
      note: '$50.50: The battery is worn out.',
    });
  });

  test('refunds the rest of a completed order, which then is refunded; the buyer keeps the laptop', async () => {
    const sale = await sellLaptop(shop);
    await confirm(sale);
    await completeOrder(shop, sale.orderId);
    expect((await read(sale)).state).toBe('completed');
    await refund(sale, 200);
    expect((await read(sale)).state).toBe('completed');
    await refund(sale, 349.99);
    await waitForJobs();
    expect(await read(sale)).toMatchObject({ state: 'refunded', refunded: 549.99 });
    expect(await refundedCents(sale)).toBe(54_999);
    expect(await moneyOf(sale)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 0, owed: 0 });
    await expect(refund(sale, 1)).rejects.toMatchObject({ code: 'refund_refused' });
  });

  test('gives goodwill: the seller’s proceeds stay, and the shop bears it', async () => {
    const sale = await sellLaptop(shop);
    await refund(sale, 49.99, 'shop');
    await confirm(sale);
    await waitForJobs();
    expect(await read(sale)).toMatchObject({
      state: 'released',
      refunded: 0,
      goodwill: 49.99,
      refunds: [{ reason: 'goodwill', state: 'done' }],
    });
    expect(await moneyOf(sale)).toMatchObject({ due: 522 });
    expect(await refundedCents(sale)).toBe(4_999);
    // What goes back is the price at most, whoever bears it.
    await expect(refund(sale, 500.01)).rejects.toMatchObject({
      code: 'refund_refused',
      message: expect.stringContaining('$500.00 is left'),
    });
    await expect(refund(sale, 500.01, 'shop')).rejects.toMatchObject({ code: 'refund_refused' });
    // A complaint that ends with the whole price makes the seller bear all of it.
    await sale.buyer.client.call(complain, {
      params: params(sale),
      body: { kind: 'locked', text: 'It is locked.' },
    });
    await admin.client.call(decideComplaint, {
      params: params(sale),
      body: { move: 'decide_refund', text: 'It is.' },
    });
    await waitForJobs();
    expect(await read(sale)).toMatchObject({ state: 'refunded', refunded: 549.99, goodwill: 0 });
    expect(await refundedCents(sale)).toBe(54_999);
    expect(await moneyOf(sale)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 0, owed: 0 });
  });

  describe.each([
    ['a held', 'withdrawn', false, async () => undefined],
    [
      'a completed',
      'sold',
      true,
      async (sale: Sale) => {
        await confirm(sale);
        await completeOrder(shop, sale.orderId);
      },
    ],
  ] as const)('after goodwill, the rest of %s order', (_name, laptop, laptopWithBuyer, come) => {
    test.each([
      ['by an admin', (sale: Sale) => refund(sale, 499.99)],
      [
        'at the card processor',
        (sale: Sale) => shop.cards.stripe.refunds.create({ payment_intent: sale.transactionId }),
      ],
    ])('ends it, %s', async (_way, giveRest) => {
      const sale = await sellLaptop(shop);
      await come(sale);
      await refund(sale, 50, 'shop');
      await waitForJobs();
      await giveRest(sale);
      await waitForJobs();
      // The seller bears the whole price, as after a complaint.
      const order = await read(sale);
      expect(order).toMatchObject({ state: 'refunded', refunded: 549.99, goodwill: 0, laptopWithBuyer });
      expect(order.refunds.map(({ amount, state }) => [amount, state])).toEqual([
        [50, 'done'],
        [499.99, 'done'],
      ]);
      expect(await refundedCents(sale)).toBe(54_999);
      expect(await moneyOf(sale)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 0, owed: 0 });
      const { rows } = await shop.connection.pool.query('select state from laptops where id = $1', [
        sale.laptopId,
      ]);
      expect(rows).toEqual([{ state: laptop }]);
    });
  });

  test('is asked once: a repeated request refunds nothing more', async () => {
    const sale = await sellLaptop(shop);
    const request = {
      params: params(sale),
      body: { amount: 20, from: 'seller' as const, text: 'Once.' },
      idempotencyKey: 'refund-once-0001',
    };
    const first = await admin.client.call(refundOrder, request);
    expect(await admin.client.call(refundOrder, request)).toEqual(first);
    await waitForJobs();
    expect(await refundedCents(sale)).toBe(2_000);
  });

  test('two at once refund no more than the price', async () => {
    const sale = await sellLaptop(shop);
    const outcomes = await Promise.allSettled([
      refund(sale, 300),
      refund(sale, 300),
      refund(sale, 300, 'shop'),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await waitForJobs();
    expect(await refundedCents(sale)).toBe(30_000);
  });

  test('refunds nothing while a bank disputes the payment', async () => {
    const sale = await sellLaptop(shop, { card: DISPUTED_CARD });
    await shop.cards.runDelayedOutcomes();
    await waitForJobs();
    await expect(refund(sale, 20)).rejects.toMatchObject({
      code: 'refund_refused',
      message: expect.stringContaining('wait until the bank has decided'),
    });
    expect((await read(sale)).refunds).toEqual([]);
  });
});

test('the rest of the price of a parcel that was delivered leaves the laptop to the buyer', async () => {
  const sale = await sellLaptop(shop, { address: sampleAddress });
  const parcel = { carrier: 'UPS', trackingNumber: '1Z 999 AA1 0123' };
  await sale.seller.client.call(shipParcel, { params: params(sale), body: parcel });
  const proof = { move: 'prove_delivery', text: 'The carrier says so.' } as const;
  await sale.seller.client.call(reportParcel, { params: params(sale), body: proof });
  await refund(sale, 549.99);
  expect(await read(sale)).toMatchObject({ state: 'refunded', laptopWithBuyer: true });
});

test('after a part refund a complaint goes on, and an offer gives back what is left at most', async () => {
  const sale = await sellLaptop(shop);
  await confirm(sale);
  await sale.buyer.client.call(complain, {
    params: params(sale),
    body: { kind: 'does_not_work', text: 'It does not start.' },
  });
  await sale.seller.client.call(answerAsSeller, {
    params: params(sale),
    body: { move: 'offer', amount: 300 },
  });
  await refund(sale, 349.99);
  await sale.buyer.client.call(answerAsBuyer, {
    params: params(sale),
    body: { move: 'take_offer', amount: 300 },
  });
  await waitForJobs();
  expect(await read(sale)).toMatchObject({ state: 'released', refunded: 549.99 });
  expect(await refundedCents(sale)).toBe(54_999);
  expect(await moneyOf(sale)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 0, owed: 0 });
});
