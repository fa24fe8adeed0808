// What Spree's payouts lacked: a schedule (spree#14606), and one effect of an event that two endpoints receive (spree#14622).
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readOwnMoney } from '#contract/money/payouts.ts';
import { createPaymentIntent } from '#contract/sales/payments.ts';
import * as harness from '#tests/harness/money/connected-seller.ts';
import { startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({
    settings: { commission: harness.commission },
    tasksEveryMs: 500,
  });
});
afterAll(() => shop.close());

test('a sale about which nobody does anything is released and paid out by the shop’s own schedule', async () => {
  const seller = await harness.onboardedSeller(shop);
  const { orderId } = await sellLaptop(shop, { seller });
  await shop.connection.pool.query('update orders set due_at = now() where id = $1', [orderId]);
  await vi.waitFor(
    async () =>
      expect(await seller.client.call(readOwnMoney, {})).toEqual({
        currency: 'USD',
        held: 0,
        due: 0,
        paid: 522,
        owed: 0,
      }),
    { timeout: 60_000, interval: 50 },
  );
  expect(await harness.transfersOf(shop, orderId)).toEqual([52_200]);
});

test('events that two endpoints receive at once open one order, post it once and tell each person once', async () => {
  const [seller, buyer] = [await shop.seller(), await shop.buyer()];
  const bookingId = await shop.booking(buyer, await shop.laptop(seller));
  await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
  const { clientSecret } = await buyer.client.call(createPaymentIntent, {
    body: { price: 549.99, bookingId },
  });
  const { transactionId } = await shop.pay(clientSecret);
  const events = await shop.cards.listEventIds(transactionId);
  await Promise.all([
    shop.cards.deliverEvents({ events, copies: 2 }),
    shop.cards.deliverEvents({ events, order: 'reversed', copies: 2 }),
  ]);
  await waitForEmptyQueue(shop.connection.pool);
  const { rows } = await shop.connection.pool.query(
    `select (select count(*)::int from orders where transaction_id = $1) as orders,
            (select count(*)::int from ledger_postings where reference = $1) as postings`,
    [transactionId],
  );
  expect(rows).toEqual([{ orders: 1, postings: 1 }]);
  for (const { email } of [seller, buyer]) {
    expect(shop.mails.filter(({ to, text }) => to === email && text.includes(transactionId))).toHaveLength(1);
  }
});
