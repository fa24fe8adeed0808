import { expect, test } from 'vitest';
import { startShop } from './test-shop.ts';

const paid = { amount: 10_000, currency: 'usd', payment_method: 'pm_card_visa', confirm: true } as const;

test('a payment is returned whole, once', async () => {
  const { stripe } = await startShop();
  const intent = await stripe.paymentIntents.create(paid);
  const refund = await stripe.refunds.create({ payment_intent: intent.id, reason: 'requested_by_customer' });
  expect(refund).toMatchObject({
    amount: 10_000,
    status: 'succeeded',
    payment_intent: intent.id,
    currency: 'usd',
  });
  expect(await stripe.charges.retrieve(String(intent.latest_charge))).toMatchObject({
    refunded: true,
    amount_refunded: 10_000,
  });
  await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({
    statusCode: 400,
    code: 'charge_already_refunded',
  });
  expect(await stripe.refunds.retrieve(refund.id)).toEqual(refund);
  expect((await stripe.refunds.list({ payment_intent: intent.id })).data).toEqual([refund]);
});

test('refunds never return more than was taken', async () => {
  const { stripe } = await startShop();
  const intent = await stripe.paymentIntents.create(paid);
  await stripe.refunds.create({ payment_intent: intent.id, amount: 6_000 });
  await expect(stripe.refunds.create({ payment_intent: intent.id, amount: 4_001 })).rejects.toMatchObject({
    param: 'amount',
    message: 'Refund amount ($40.01) is greater than unrefunded amount on charge ($40.00)',
  });
  const rest = await stripe.refunds.create({ charge: String(intent.latest_charge) });
  expect(rest.amount).toBe(4_000);
});

test('racing refunds return the money once', async () => {
  const { stripe } = await startShop();
  const intent = await stripe.paymentIntents.create(paid);
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, () => stripe.refunds.create({ payment_intent: intent.id })),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('what was never paid cannot be returned, and lists keep payments apart', async () => {
  const { stripe } = await startShop();
  const unpaid = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
  await expect(stripe.refunds.create({ payment_intent: unpaid.id })).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
  });
  const other = await stripe.paymentIntents.create(paid);
  await stripe.refunds.create({ payment_intent: other.id });
  expect((await stripe.refunds.list({ payment_intent: unpaid.id })).data).toEqual([]);
});
