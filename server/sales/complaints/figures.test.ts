import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerAsBuyer, answerAsSeller, complain, decideComplaint } from '#contract/sales/complaints.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { readShopFigures } from '#contract/sales/shop-figures.ts';
import { startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { completeOrder, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { readFigures } from './figures-store.ts';

let shop: TestShop;

beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.close());

const figures = (minimum: number) => readFigures(shop.connection.database, minimum);

/** Moves the complaints about an order into the past. */
const complainedEarlier = (orderId: string, days: number) =>
  shop.connection.pool.query(
    "update complaints set complained_at = complained_at - $2 * interval '1 day' where order_id = $1",
    [orderId, days],
  );

test('counts sales, complaints, refunds and the median days to decide, once enough sales are completed', {
  tags: 'long',
}, async () => {
  const admin = await shop.admin();
  const complaintAbout = async (days: number) => {
    const sale = await sellLaptop(shop);
    const params = { _id: sale.orderId };
    const body = { kind: 'not_taken', text: 'It is scratched.' } as const;
    await sale.buyer.client.call(complain, { params, body });
    await complainedEarlier(sale.orderId, days);
    return { ...sale, params };
  };
  const completed = await sellLaptop(shop);
  await completed.buyer.client.call(confirmOrder, { params: { _id: completed.orderId } });
  const agreed = await complaintAbout(3);
  await agreed.seller.client.call(answerAsSeller, {
    params: agreed.params,
    body: { move: 'accept', text: 'Yes.' },
  });
  const decided = await complaintAbout(9);
  await decided.seller.client.call(answerAsSeller, {
    params: decided.params,
    body: { move: 'contest', text: 'No.' },
  });
  await admin.client.call(decideComplaint, {
    params: decided.params,
    body: { move: 'decide_release', text: 'It was shown.' },
  });
  const withdrawn = await complaintAbout(20);
  await withdrawn.buyer.client.call(answerAsBuyer, {
    params: withdrawn.params,
    body: { move: 'withdraw' },
  });

  expect(await figures(1)).toBeNull();
  await completeOrder(shop, completed.orderId);
  expect(await figures(1)).toEqual({
    sales: 4,
    complaints: 3,
    refunded: 1,
    medianDaysToDecide: expect.closeTo(6, 2),
  });
  expect(await figures(2)).toBeNull();
});

test('a visitor reads none before twenty completed sales', async () => {
  expect(await shop.visitor.call(readShopFigures, {})).toEqual({ figures: null });
});
