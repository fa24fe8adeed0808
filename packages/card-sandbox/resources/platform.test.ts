import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { startCardSandbox } from '../index.ts';
import { clientFor, keys, startTestSandbox, temporaryFolder, WebhookEndpoint } from '../testing/index.ts';

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

test('stops a payout that is due when the schedule becomes manual', async () => {
  const { stripe, control } = await startTestSandbox({ payouts: 'daily' });
  await stripe.paymentIntents.create(paid);
  await stripe.balanceSettings.update({ payments: { payouts: { schedule: { interval: 'manual' } } } });
  await control('POST', 'later');
  expect((await stripe.payouts.list()).data).toEqual([]);
});

test('an account whose payouts are restricted keeps its money until they are active again', async () => {
  const { stripe, control } = await startTestSandbox();
  const { id } = await stripe.v2.core.accounts.create({
    dashboard: 'express',
    identity: { country: 'us', entity_type: 'company', business_details: { registered_name: 'Dealer Ltd' } },
    configuration: {
      recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
    },
    defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
  });
  await control('POST', `accounts/${id}`, { onboarding: { outcome: 'pass' } });
  await control('POST', `accounts/${id}`, { payouts: { status: 'restricted' } });
  const { latest_charge: charge } = await stripe.paymentIntents.create(paid);
  await stripe.transfers.create({
    destination: id,
    amount: 9_000,
    currency: 'usd',
    source_transaction: String(charge),
  });
  const payouts = async () => (await stripe.payouts.list({}, { stripeAccount: id })).data;
  await control('POST', 'payouts');
  expect(await payouts()).toEqual([]);
  await control('POST', `accounts/${id}`, { payouts: { status: 'active' } });
  await control('POST', 'payouts');
  expect(await payouts()).toMatchObject([{ amount: 9_000, status: 'paid' }]);
});

test('warns about a payment once, with an event', async () => {
  const endpoint = new WebhookEndpoint();
  const { stripe, control } = await startTestSandbox({ webhookUrl: await endpoint.listen() });
  const { id } = await stripe.paymentIntents.create({
    ...paid,
    payment_method: 'pm_card_createIssuerFraudRecord',
  });
  await control('POST', 'later');
  await control('POST', 'later');
  const { data } = await stripe.radar.earlyFraudWarnings.list({ payment_intent: id });
  expect(data).toMatchObject([{ object: 'radar.early_fraud_warning', fraud_type: 'misc', actionable: true }]);
  await endpoint.waitFor(5);
  expect(endpoint.types().slice(4)).toEqual(['radar.early_fraud_warning.created']);
});

test('refuses another version of the API, whose formats it does not have', async () => {
  const { stripe } = await startTestSandbox();
  await expect(
    stripe.paymentIntents.create({ amount: 500, currency: 'usd' }, { apiVersion: '2025-04-30.basil' }),
  ).rejects.toThrow(`only version ${Stripe.API_VERSION}`);
});

test('a schedule by days needs the days, and a minimum is unset by an empty text', async () => {
  const { stripe } = await startTestSandbox();
  const { balanceSettings } = stripe;
  await expect(
    balanceSettings.update({ payments: { payouts: { schedule: { interval: 'weekly' } } } }),
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
