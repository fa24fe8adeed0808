import { expect, test } from 'vitest';
import { payByCard, startTestSandbox, WebhookEndpoint } from '../testing/index.ts';

const paid = { amount: 10_000, currency: 'usd', payment_method: 'pm_card_visa', confirm: true } as const;

test('refunds a whole payment once', async () => {
  const { stripe } = await startTestSandbox();
  const intent = await stripe.paymentIntents.create(paid);
  const refund = await stripe.refunds.create({ payment_intent: intent.id });
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

test('rejects refunds over the charged amount', async () => {
  const { stripe } = await startTestSandbox();
  const intent = await stripe.paymentIntents.create(paid);
  await stripe.refunds.create({ payment_intent: intent.id, amount: 6_000 });
  await expect(stripe.refunds.create({ payment_intent: intent.id, amount: 4_001 })).rejects.toMatchObject({
    param: 'amount',
    message: 'Refund amount ($40.01) is greater than unrefunded amount on charge ($40.00)',
  });
  const rest = await stripe.refunds.create({ charge: String(intent.latest_charge) });
  expect(rest.amount).toBe(4_000);
});

test('refunds once for concurrent requests', async () => {
  const { stripe } = await startTestSandbox();
  const intent = await stripe.paymentIntents.create(paid);
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, () => stripe.refunds.create({ payment_intent: intent.id })),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('rejects the refund of an unpaid intent, and lists refunds by payment', async () => {
  const { stripe } = await startTestSandbox();
  const unpaid = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
  await expect(stripe.refunds.create({ payment_intent: unpaid.id })).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
  });
  const other = await stripe.paymentIntents.create(paid);
  await stripe.refunds.create({ payment_intent: other.id });
  expect((await stripe.refunds.list({ payment_intent: unpaid.id })).data).toEqual([]);
});

const charged = (method: string) => ({ ...paid, payment_method: method });

test('fails a refund to 4000 0000 0000 5126 after it succeeded, and restores the refundable amount', async () => {
  const endpoint = new WebhookEndpoint();
  const sandbox = await startTestSandbox({ webhookUrl: await endpoint.listen() });
  const { stripe } = sandbox;
  const intent = await payByCard(
    sandbox,
    await stripe.paymentIntents.create({ amount: 10_000, currency: 'usd' }),
    '4000000000005126',
  );
  const made = await stripe.refunds.create({ payment_intent: intent.id });
  expect(made).toMatchObject({ status: 'succeeded' });
  expect(made.failure_reason).toBeUndefined();
  await sandbox.control('POST', 'later');
  expect(await stripe.refunds.retrieve(made.id)).toMatchObject({
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
  });
  expect(await stripe.charges.retrieve(String(intent.latest_charge))).toMatchObject({
    refunded: false,
    amount_refunded: 0,
  });
  await endpoint.waitFor(10);
  expect(endpoint.types().slice(7)).toEqual(['refund.updated', 'charge.refund.updated', 'refund.failed']);
  const failed = endpoint.received.at(-1)?.event;
  expect(failed?.data.object).toMatchObject({ id: made.id, payment_intent: intent.id, status: 'failed' });
  expect(failed?.request).toEqual({ id: null, idempotency_key: null });

  await sandbox.control('POST', 'movements', { kind: 'topup', amount: 10_000 });
  await sandbox.control('POST', 'faults', { refunds: 'good' });
  const again = await stripe.refunds.create({ payment_intent: intent.id });
  await sandbox.control('POST', 'later');
  expect(await stripe.refunds.retrieve(again.id)).toMatchObject({ status: 'succeeded', amount: 10_000 });
});

test('keeps a refund to 4000 0000 0000 7726 pending first', async () => {
  const { stripe, control } = await startTestSandbox();
  const intent = await stripe.paymentIntents.create(charged('pm_card_pendingRefund'));
  const made = await stripe.refunds.create({ payment_intent: intent.id });
  expect(made).toMatchObject({ status: 'pending', pending_reason: 'processing' });
  await control('POST', 'later');
  expect(await stripe.refunds.retrieve(made.id)).toMatchObject({ status: 'succeeded' });
});

test('applies scheduled changes once after a restart', async () => {
  const sandbox = await startTestSandbox({ delay: 3_600_000 });
  const failing = await sandbox.stripe.paymentIntents.create(charged('pm_card_refundFail'));
  const disputed = await sandbox.stripe.paymentIntents.create(charged('pm_card_createDispute'));
  const refund = await sandbox.stripe.refunds.create({ payment_intent: failing.id });
  await sandbox.close();
  const waiting = await startTestSandbox({ dataFolder: sandbox.dataFolder, delay: 3_600_000 });
  expect((await waiting.stripe.refunds.retrieve(refund.id)).status).toBe('succeeded');
  expect((await waiting.stripe.disputes.list()).data).toEqual([]);
  await waiting.close();
  const endpoint = new WebhookEndpoint();
  const webhookUrl = await endpoint.listen();
  const restarted = await startTestSandbox({ dataFolder: sandbox.dataFolder, delay: 0, webhookUrl });
  await expect.poll(() => endpoint.types()).toContain('refund.failed');
  const { data } = await restarted.stripe.disputes.list({ payment_intent: disputed.id });
  expect(data).toMatchObject([{ status: 'needs_response' }]);
  const failed = await restarted.stripe.refunds.retrieve(refund.id);
  await restarted.close();
  const last = await startTestSandbox({ dataFolder: sandbox.dataFolder, delay: 0 });
  await last.control('POST', 'later');
  expect(await last.stripe.refunds.retrieve(refund.id)).toEqual(failed);
  expect((await last.stripe.disputes.list()).data).toEqual(data);
});
