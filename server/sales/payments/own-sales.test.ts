// An admin who bought or sold before decides about other people's sales and money only.

import { expect, onTestFinished, test } from 'vitest';
import { recordSettlement } from '#contract/money/settlements.ts';
import { cancelSale, complain, decideComplaint } from '#contract/sales/complaints.ts';
import { payRefundByHand, payWaitingRefund, refundOrder } from '#contract/sales/orders.ts';
import { decideDelivered } from '#contract/sales/shipping.ts';
import { startTestShop } from '#tests/harness/operations/shop.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

test('an admin who was the seller or the buyer of an order decides nothing about it', async () => {
  const shop = await startTestShop();
  onTestFinished(() => shop.close());
  const { seller, buyer, orderId } = await sellLaptop(shop);
  const complaint = { kind: 'does_not_work', text: 'It does not start.' } as const;
  await buyer.client.call(complain, { params: { _id: orderId }, body: complaint });
  const cancelled = await sellLaptop(shop, { seller, buyer });
  await seller.client.call(cancelSale, { params: { _id: cancelled.orderId }, body: { text: 'Broken.' } });
  const { pool } = shop.connection;
  const refunds = await pool.query<{ id: string }>('select id from refunds where transaction_id = $1', [
    cancelled.transactionId,
  ]);
  const refundId = refunds.rows[0]?.id ?? '';
  const ids = [seller.userId, buyer.userId];
  await pool.query(
    `update users set is_admin = true, is_owner = true, is_buyer = false, is_seller = false where id = any($1)`,
    [ids],
  );
  const own = { code: 'not_allowed', message: expect.stringContaining('of your own') };
  const params = { _id: orderId };
  const text = 'For myself.';
  for (const { client } of [seller, buyer]) {
    const doors = [
      client.call(refundOrder, { params, body: { amount: 1, from: 'shop', text } }),
      client.call(decideComplaint, { params, body: { move: 'decide_release', text } }),
      client.call(decideDelivered, { params, body: { text } }),
      client.call(payWaitingRefund, { params: { _id: refundId } }),
      client.call(payRefundByHand, { params: { _id: refundId }, body: { reference: 'SEPA-1' } }),
    ];
    for (const outcome of await Promise.allSettled(doors)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: own });
    }
  }
  await expect(
    seller.client.call(recordSettlement, {
      body: { kind: 'written_off', sellerId: seller.userId, amount: 100, note: text },
    }),
  ).rejects.toMatchObject(own);
});
