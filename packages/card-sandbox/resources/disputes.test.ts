import { expect, test } from 'vitest';
import { payByCard, startTestSandbox, WebhookEndpoint } from '../testing/index.ts';

/** Creates a disputed payment. */
async function createDisputedPayment() {
  const endpoint = new WebhookEndpoint();
  const sandbox = await startTestSandbox({ webhookUrl: await endpoint.listen() });
  const intent = await payByCard(
    sandbox,
    await sandbox.stripe.paymentIntents.create({ amount: 10_000, currency: 'usd' }),
    '4000000000000259',
  );
  expect(intent.status).toBe('succeeded');
  await sandbox.control('POST', 'later');
  const [dispute] = (await sandbox.stripe.disputes.list({ payment_intent: intent.id })).data;
  if (dispute === undefined) throw new Error('The sandbox has opened no dispute.');
  return { ...sandbox, endpoint, intent, dispute };
}

test('disputes a charge to 4000 0000 0000 0259 as fraudulent', async () => {
  const { stripe, endpoint, intent, dispute } = await createDisputedPayment();
  expect(dispute).toMatchObject({
    object: 'dispute',
    amount: 10_000,
    reason: 'fraudulent',
    status: 'needs_response',
    charge: intent.latest_charge,
  });
  expect(dispute.evidence_details.due_by).toBeGreaterThan(Date.now() / 1000);
  expect(await stripe.disputes.retrieve(dispute.id)).toEqual(dispute);
  expect(await stripe.charges.retrieve(String(intent.latest_charge))).toMatchObject({ disputed: true });
  await endpoint.waitFor(6);
  expect(endpoint.types().slice(4)).toEqual(['charge.dispute.created', 'charge.dispute.funds_withdrawn']);
  await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({
    code: 'charge_disputed',
  });
});

test.each([
  ['winning_evidence', 'won', ['charge.dispute.closed', 'charge.dispute.funds_reinstated']],
  ['losing_evidence', 'lost', ['charge.dispute.closed']],
  ['They were there.', 'under_review', []],
])('the evidence %j changes the status to %s', async (evidence, status, events) => {
  const { stripe, control, endpoint, intent, dispute } = await createDisputedPayment();
  const updated = await stripe.disputes.update(dispute.id, { evidence: { uncategorized_text: evidence } });
  expect(updated).toMatchObject({ status, evidence: { uncategorized_text: evidence } });
  await endpoint.waitFor(7 + events.length);
  expect(endpoint.types().slice(6)).toEqual(['charge.dispute.updated', ...events]);
  await control('POST', 'movements', { kind: 'topup', amount: 10_000 });
  const refund = stripe.refunds.create({ payment_intent: intent.id });
  if (status === 'won') expect((await refund).status).toBe('succeeded');
  else await expect(refund).rejects.toMatchObject({ code: 'charge_disputed' });
});

test('loses a dispute that is closed, and closes it once', async () => {
  const { stripe, dispute, close, dataFolder } = await createDisputedPayment();
  expect(await stripe.disputes.close(dispute.id)).toMatchObject({ status: 'lost' });
  await expect(stripe.disputes.close(dispute.id)).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
  });
  await close();
  const restarted = await startTestSandbox({ dataFolder });
  expect(await restarted.stripe.disputes.retrieve(dispute.id)).toMatchObject({ status: 'lost' });
});

test('disputes a wholly refunded charge for its whole amount', async () => {
  const { stripe, control } = await startTestSandbox();
  const intent = await stripe.paymentIntents.create({
    amount: 10_000,
    currency: 'usd',
    payment_method: 'pm_card_createDispute',
    confirm: true,
  });
  await stripe.refunds.create({ payment_intent: intent.id });
  await control('POST', 'later');
  expect((await stripe.disputes.list()).data).toMatchObject([{ amount: 10_000, status: 'needs_response' }]);
});
