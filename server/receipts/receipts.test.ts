import { afterAll, beforeAll, expect, test } from 'vitest';
import { listReceipts, readReceipt } from '#contract/accounting.ts';
import type { OrderMove } from '#contract/order-states.ts';
import { confirmOrder } from '#contract/orders.ts';
import { moveOrder, selectOrderForUpdate } from '#server/orders/steps.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/shop.ts';
import { sellLaptop } from '#tests/harness/sold-laptop.ts';
import { issueSaleReceipt } from './steps.ts';

let shop: TestShop;
let seller: Person;
let buyer: Person;
const year = new Date().getUTCFullYear();

beforeAll(async () => {
  shop = await startTestShop({
    dependencies: async () => ({ commission: { basisPoints: 500, fixedCents: 0 }, taxScheme: 'margin' }),
  });
  [seller, buyer] = [await shop.seller(), await shop.buyer()];
});
afterAll(() => shop.close());

/** Moves an order, with its refund. */
const move = (orderId: string, name: OrderMove, amountCents?: number) =>
  shop.connection.database.transaction().execute(async (transaction) => {
    const order = await selectOrderForUpdate(transaction, orderId);
    if (order === undefined) throw new Error('The order is missing');
    const details = amountCents === undefined ? {} : { amountCents };
    const moved = await moveOrder(transaction, async () => undefined, [order, name], details);
    if (moved === null || moved.refundCents === 0) return;
    await transaction
      .insertInto('refunds')
      .values({
        booking_id: order.booking_id,
        transaction_id: order.transaction_id,
        amount_cents: moved.refundCents,
        reason: 'complaint',
      })
      .execute();
  });

/** The sequences of the receipts so far. */
async function sequences(): Promise<number[]> {
  const { rows } = await shop.connection.pool.query<{ sequence: number }>(
    'select sequence from receipts order by sequence',
  );
  return rows.map(({ sequence }) => sequence);
}

test('a sale has a receipt for its buyer, and its release a commission note for its seller', async () => {
  const { orderId, transactionId } = await sellLaptop(shop, { seller, buyer });
  const [sale] = await buyer.client.call(listReceipts, { query: {} });
  expect(sale).toMatchObject({ kind: 'sale', orderId, amount: 549.99, productName: 'EliteBook 840 G8' });
  expect(sale?.number).toMatch(new RegExp(`^${year}-\\d{6}$`));
  expect(await seller.client.call(listReceipts, { query: {} })).toEqual([]);

  await buyer.client.call(confirmOrder, { params: { _id: orderId } });
  const [commission, ...others] = await seller.client.call(listReceipts, { query: {} });
  expect(commission).toMatchObject({ kind: 'commission', orderId, amount: 27.49 });
  expect(others).toEqual([]);

  const params = { number: sale?.number ?? '' };
  expect(await buyer.client.call(readReceipt, { params })).toMatchObject({
    recipientName: 'Bea Buyer',
    sellerName: 'Sam Seller',
    transactionId,
    taxScheme: 'margin',
    corrects: null,
  });
  const unknown = { params: { number: '2020-000001' } };
  for (const stranger of [seller, await shop.buyer()]) {
    await expect(stranger.client.call(readReceipt, { params })).rejects.toMatchObject({ code: 'not_found' });
    await expect(stranger.client.call(readReceipt, unknown)).rejects.toMatchObject({ code: 'not_found' });
  }
  expect(await (await shop.admin()).client.call(readReceipt, { params })).toMatchObject({ orderId });
});

test('a refund has a credit note that names the corrected receipt, and gives the commission back', async () => {
  const { orderId } = await sellLaptop(shop, { seller, buyer });
  const [sale] = await buyer.client.call(listReceipts, { query: {} });
  await move(orderId, 'confirm');
  const [commission] = await seller.client.call(listReceipts, { query: {} });
  await move(orderId, 'complain');
  await move(orderId, 'decide_part', 27_500);

  const [credit] = await buyer.client.call(listReceipts, { query: {} });
  expect(credit).toMatchObject({ kind: 'sale_credit', orderId, amount: 275 });
  const toCredit = { params: { number: credit?.number ?? '' } };
  expect(await buyer.client.call(readReceipt, toCredit)).toMatchObject({ corrects: sale?.number });
  const [commissionCredit] = await seller.client.call(listReceipts, { query: {} });
  expect(commissionCredit).toMatchObject({ kind: 'commission_credit', orderId, amount: 13.75 });
  const toCommissionCredit = { params: { number: commissionCredit?.number ?? '' } };
  expect(await seller.client.call(readReceipt, toCommissionCredit)).toMatchObject({
    corrects: commission?.number,
  });
});

test('numbers have no gaps, although some of the concurrent transactions fail after they took one', async () => {
  const sales = await Promise.all(
    Array.from({ length: 8 }, async () => sellLaptop(shop, { seller, buyer: await shop.buyer() })),
  );
  const before = await sequences();
  const outcomes = await Promise.allSettled(
    sales.map(({ orderId }, index) =>
      shop.connection.database.transaction().execute(async (transaction) => {
        const order = await selectOrderForUpdate(transaction, orderId);
        if (order === undefined) throw new Error('The order is missing');
        await moveOrder(transaction, async () => undefined, [order, 'confirm']);
        if (index % 2 === 1) throw new Error('after the number');
      }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4);
  const after = await sequences();
  expect(after).toHaveLength(before.length + 4);
  expect(after).toEqual(after.map((_sequence, index) => index + 1));
});

test('a sale has one receipt, receipts are never changed, and a year’s number is given once', async () => {
  const { orderId } = await sellLaptop(shop, { seller, buyer });
  const { pool, database } = shop.connection;
  const order = {
    ...{ id: orderId, sellerId: seller.userId, buyerId: buyer.userId, laptopName: 'Inspiron 14' },
    ...{ priceCents: 54_999, commissionCents: 0, refundedCents: 0, isReleased: false },
  };
  await expect(
    database.transaction().execute((transaction) => issueSaleReceipt(transaction, order)),
  ).rejects.toMatchObject({ constraint: 'one_receipt_per_sale' });
  await expect(pool.query('update receipts set amount_cents = 1')).rejects.toThrow(/never changed/);
  await expect(pool.query('delete from receipts')).rejects.toThrow(/never changed/);
  const copy = (of: string) =>
    pool.query(
      `insert into receipts (year, sequence, kind, order_id, recipient_id, amount_cents, laptop_name, tax_scheme)
       select ${of}, 'sale_credit', order_id, recipient_id, 1, '', 'none' from receipts limit 1`,
    );
  await expect(copy('year, sequence')).rejects.toMatchObject({ constraint: 'receipts_pkey' });
  await pool.query('insert into receipt_counters values (2020, 1)');
  await expect(copy('2020, 1')).rejects.toMatchObject({ constraint: 'issued_in_its_year' });
});
