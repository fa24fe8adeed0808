import { beforeAll, expect, test } from 'vitest';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { findOrder, moveOrder, selectOrderForUpdate } from '#server/sales/orders/steps.ts';
import { findDueOrderIds } from '#server/sales/orders/store.ts';
import { payableTo } from '#tests/harness/money/payable.ts';
import { type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { post } from './steps.ts';

let shop: SharedShop;

beforeAll(async () => {
  shop = await sharedShop();
});

test('a paid booking becomes a held order, and its release is owed to the seller once', async () => {
  const { database, pool } = shop.connection;
  const [seller, buyer] = [await shop.seller(), await shop.buyer()];
  const bookingId = await shop.booking(buyer, await shop.laptop(seller));
  const { clientSecret } = await buyer.client.call(createPaymentIntent, {
    body: { price: 549.99, bookingId },
  });
  const { transactionId } = await shop.pay(clientSecret);
  await buyer.client.call(recordPayment, { body: { bookingId, transactionId } });
  const { rows } = await pool.query('select id from orders where transaction_id = $1', [transactionId]);
  const orderId = rows[0].id;
  expect(await findOrder(database, orderId)).toMatchObject({ state: 'held', price_cents: 54_999 });
  expect(await payableTo(database, seller.userId)).toBe(0);

  const inEightDays = new Date(Date.now() + 8 * 24 * 3_600_000);
  // Other tests of this shop may have held orders, too.
  const all = 10_000;
  expect(await findDueOrderIds(database, ['held'], inEightDays, all)).toContain(orderId);
  expect(await findDueOrderIds(database, ['held'], new Date(), all)).not.toContain(orderId);

  const release = () =>
    database.transaction().execute(async (transaction) => {
      const order = await selectOrderForUpdate(transaction, orderId);
      if (order === undefined) throw new Error('The order is missing');
      return moveOrder(transaction, async () => undefined, order, 'release');
    });
  const moves = await Promise.all([release(), release()]);
  expect(moves.filter((moved) => moved !== null)).toEqual([{ to: 'released', refundId: null }]);
  expect(await payableTo(database, seller.userId)).toBe(54_999);
});

test('a posting that does not balance is refused at the end of its transaction', async () => {
  const posting = {
    kind: 'correction',
    reference: 'unbalanced',
    entries: [
      { account: 'processor', amountCents: 100, orderId: null },
      { account: 'commission', amountCents: -99, orderId: null },
    ],
  } as const;
  const { database } = shop.connection;
  await expect(
    database.transaction().execute((transaction) => post(transaction, posting)),
  ).rejects.toMatchObject({ constraint: 'postings_balance' });
});
