import { expect, test } from 'vitest';
import { startCardSandbox } from '../index.ts';
import { clientFor, keys, startTestSandbox, temporaryFolder, WebhookEndpoint } from '../testing.ts';

const paid = { amount: 10_000, currency: 'usd', payment_method: 'pm_card_visa', confirm: true } as const;

test('pays the platform out every day unless it is told otherwise, as Stripe does', async () => {
  const endpoint = new WebhookEndpoint();
  const webhookUrl = await endpoint.listen();
  const dataFolder = await temporaryFolder();
  const sandbox = await startCardSandbox({ ...keys, port: 0, dataFolder, webhookUrl, delay: 1 });
  const stripe = clientFor(sandbox.origin, keys.secretKey);
  expect((await stripe.balanceSettings.retrieve()).payments.payouts?.schedule).toEqual({ interval: 'daily' });
  await stripe.paymentIntents.create(paid);
  await endpoint.waitFor(6);
  expect(endpoint.types().slice(4)).toEqual(['payout.created', 'payout.paid']);
  expect(endpoint.received.at(-1)?.event).not.toHaveProperty('account');
  const { data } = await stripe.payouts.list();
  expect(data).toMatchObject([{ amount: 9_680, automatic: true, status: 'paid' }]);
  expect(await stripe.payouts.retrieve(data[0]?.id ?? '')).toEqual(data[0]);
  await sandbox.close();
});

test('pays out what has come in once a manual schedule becomes daily, and keeps the schedule over a restart', async () => {
  const sandbox = await startTestSandbox();
  const { stripe, control } = sandbox;
  await stripe.paymentIntents.create(paid);
  await control('POST', 'payouts');
  expect((await stripe.payouts.list()).data).toEqual([]);
  await stripe.balanceSettings.update({ payments: { payouts: { schedule: { interval: 'daily' } } } });
  await sandbox.close();
  const again = await startTestSandbox({ dataFolder: sandbox.dataFolder });
  await again.control('POST', 'payouts');
  expect((await again.stripe.payouts.list()).data).toMatchObject([{ amount: 9_680 }]);
});

test('a schedule by days needs the days, and a minimum is unset by an empty text', async () => {
  const { stripe } = await startTestSandbox();
  const { balanceSettings } = stripe;
  await expect(
    balanceSettings.update({ payments: { payouts: { schedule: { interval: 'monthly' } } } }),
  ).rejects.toMatchObject({ code: 'parameter_missing' });
  const minimum = (minimum_balance_by_currency: { usd: number | '' }) =>
    balanceSettings.update({ payments: { payouts: { minimum_balance_by_currency } } });
  expect((await minimum({ usd: 700 })).payments.payouts?.minimum_balance_by_currency).toEqual({ usd: 700 });
  expect((await minimum({ usd: '' })).payments.payouts?.minimum_balance_by_currency).toBeNull();
});

test('a refund that lacks funds continues by itself when money is added', async () => {
  const endpoint = new WebhookEndpoint();
  const { stripe, control } = await startTestSandbox({ webhookUrl: await endpoint.listen() });
  const { id } = await stripe.paymentIntents.create(paid);
  await control('POST', 'settle');
  const refund = await stripe.refunds.create({ payment_intent: id });
  expect(refund).toMatchObject({
    status: 'pending',
    pending_reason: 'insufficient_funds',
    balance_transaction: null,
  });
  await control('POST', 'movements', { kind: 'topup', amount: 319 });
  expect(await stripe.refunds.retrieve(refund.id)).toEqual(refund);
  await control('POST', 'movements', { kind: 'topup', amount: 1 });
  await endpoint.waitFor(9);
  expect(endpoint.types().slice(7)).toEqual(['refund.updated', 'charge.refund.updated']);
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'succeeded' });
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 0 }]);
});

test('begins with the balance and the currency that the start states, once', async () => {
  const dataFolder = await temporaryFolder();
  const start = () =>
    startCardSandbox({
      ...keys,
      port: 0,
      dataFolder,
      openingBalance: 5_000,
      settlement: { currency: 'eur', exchangeRate: 0.5 },
    });
  await (await start()).close();
  const sandbox = await start();
  const stripe = clientFor(sandbox.origin, keys.secretKey);
  const { data } = await stripe.balanceTransactions.list({ expand: ['data.source'] });
  expect(data).toMatchObject([
    {
      amount: 5_000,
      currency: 'eur',
      reporting_category: 'topup',
      source: { object: 'topup', amount: 5_000 },
    },
  ]);
  await stripe.paymentIntents.create(paid);
  expect(await stripe.balance.retrieve()).toMatchObject({
    available: [{ amount: 5_000, currency: 'eur' }],
    pending: [{ amount: 4_840, currency: 'eur' }],
  });
  await sandbox.close();
});

test('makes a payout on request, as far as the balance suffices', async () => {
  const { stripe, control } = await startTestSandbox();
  await control('POST', 'movements', { kind: 'topup', amount: 1_000 });
  await expect(stripe.payouts.create({ amount: 1_001, currency: 'usd' })).rejects.toMatchObject({
    code: 'balance_insufficient',
  });
  const payout = await stripe.payouts.create({ amount: 1_000, currency: 'usd' });
  expect(payout).toMatchObject({ status: 'pending', automatic: false });
  await control('POST', 'later');
  expect((await stripe.payouts.retrieve(payout.id)).status).toBe('paid');
});
