import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { startTestSandbox, type TestSandbox, WebhookEndpoint } from '../testing/index.ts';

/** Creates an account, onboarded unless stated otherwise. @returns its id */
async function createAccount(
  { stripe, control }: TestSandbox,
  options: { country?: string; bankAccount?: string; onboarded?: boolean } = {},
): Promise<string> {
  const { id } = await stripe.v2.core.accounts.create({
    dashboard: 'express',
    identity: { country: options.country ?? 'us' },
    configuration: {
      recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
    },
    defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
  });
  if (options.onboarded ?? true) {
    const { bankAccount } = options;
    const onboarding = { outcome: 'pass', ...(bankAccount !== undefined && { bankAccount }) };
    await control('POST', `accounts/${id}`, { onboarding });
  }
  return id;
}

/** Takes a payment of 100.00 USD. @returns the id of its charge */
async function charge({ stripe }: TestSandbox, method = 'pm_card_visa'): Promise<string> {
  const intent = await stripe.paymentIntents.create({
    amount: 10_000,
    currency: 'usd',
    transfer_group: 'order_1',
    payment_method: method,
    confirm: true,
  });
  return String(intent.latest_charge);
}

const transfer = (
  { stripe }: TestSandbox,
  destination: string,
  changes: Partial<Stripe.TransferCreateParams> = {},
) => stripe.transfers.create({ destination, amount: 9_000, currency: 'usd', ...changes });

const balance = async ({ stripe }: TestSandbox, stripeAccount?: string) => {
  const { available, pending } = await stripe.balance.retrieve({}, stripeAccount ? { stripeAccount } : {});
  return { available: available[0]?.amount, pending: pending[0]?.amount };
};

test('a charge has a balance transaction with the fee, which is pending and then available', async () => {
  const sandbox = await startTestSandbox();
  const { stripe } = sandbox;
  const intent = await stripe.paymentIntents.create({
    amount: 10_050,
    currency: 'usd',
    payment_method: 'pm_card_visa',
    confirm: true,
    expand: ['latest_charge.balance_transaction'],
  });
  expect(intent.latest_charge).toMatchObject({
    balance_transaction: {
      object: 'balance_transaction',
      amount: 10_050,
      // 2.9 % of 100.50 USD are 2.9145 USD.
      fee: 321,
      net: 9_729,
      fee_details: [{ amount: 321, type: 'stripe_fee' }],
      type: 'charge',
      reporting_category: 'charge',
      status: 'pending',
    },
  });
  expect(await balance(sandbox)).toEqual({ available: 0, pending: 9_729 });
  await sandbox.control('POST', 'later');
  expect(await balance(sandbox)).toEqual({ available: 9_729, pending: 0 });
});

test('transfers the money of a charge, up to its amount', async () => {
  const endpoint = new WebhookEndpoint();
  const sandbox = await startTestSandbox({ webhookUrl: await endpoint.listen() });
  const { stripe } = sandbox;
  const account = await createAccount(sandbox);
  const source_transaction = await charge(sandbox);
  const first = await transfer(sandbox, account, {
    source_transaction,
    metadata: { reference: 'first' },
  });
  expect(first).toMatchObject({
    object: 'transfer',
    amount: 9_000,
    destination: account,
    source_transaction,
    transfer_group: 'order_1',
    metadata: { reference: 'first' },
    reversed: false,
  });
  await expect(transfer(sandbox, account, { source_transaction, amount: 1_001 })).rejects.toMatchObject({
    statusCode: 400,
    param: 'amount',
  });
  const second = await transfer(sandbox, account, { source_transaction, amount: 1_000 });
  expect(await balance(sandbox, account)).toEqual({ available: 0, pending: 10_000 });
  expect(await stripe.transfers.retrieve(first.id)).toEqual(first);
  expect((await stripe.transfers.list({ transfer_group: 'order_1' })).data).toEqual([second, first]);
  expect((await stripe.transfers.list({ transfer_group: 'order_2' })).data).toEqual([]);
  await endpoint.waitFor(10);
  expect(endpoint.types().filter((type) => type === 'transfer.created')).toHaveLength(2);
});

test('transfers once per idempotency key, also after the answer was lost', async () => {
  const sandbox = await startTestSandbox();
  const account = await createAccount(sandbox);
  const source_transaction = await charge(sandbox);
  await sandbox.control('POST', 'faults', {
    calls: [{ path: '/v1/transfers', kind: 'disconnect', moment: 'after' }],
  });
  const create = () =>
    sandbox.stripe.transfers.create(
      { destination: account, amount: 6_000, currency: 'usd', source_transaction },
      { idempotencyKey: 'transfer-1' },
    );
  // Stripe's library repeats the first request itself.
  await create();
  await create();
  expect((await sandbox.stripe.transfers.list()).data).toHaveLength(1);
});

test('without a charge, transfers only what is available', async () => {
  const sandbox = await startTestSandbox();
  const account = await createAccount(sandbox);
  await charge(sandbox);
  await expect(transfer(sandbox, account)).rejects.toMatchObject({ code: 'balance_insufficient' });
  await sandbox.control('POST', 'later');
  await transfer(sandbox, account);
  expect(await balance(sandbox)).toEqual({ available: 680, pending: 0 });
  expect(await balance(sandbox, account)).toEqual({ available: 9_000, pending: 0 });
});

test('refuses an account that is not onboarded, closed, unknown or in another region', async () => {
  const sandbox = await startTestSandbox();
  const source_transaction = await charge(sandbox);
  const attempt = (account: string) => transfer(sandbox, account, { source_transaction });
  await expect(attempt(await createAccount(sandbox, { onboarded: false }))).rejects.toMatchObject({
    statusCode: 400,
    code: 'insufficient_capabilities_for_transfer',
  });
  await expect(attempt(await createAccount(sandbox, { country: 'jp' }))).rejects.toMatchObject({
    message: expect.stringMatching(/^Funds can't be sent to accounts located in JP/),
  });
  const closed = await createAccount(sandbox);
  await sandbox.control('POST', `accounts/${closed}`, { closed: true });
  for (const account of [closed, 'acct_unknown']) {
    await expect(attempt(account)).rejects.toMatchObject({ code: 'resource_missing', param: 'destination' });
  }
});

test('reverses a transfer in parts, up to its amount, with events', async () => {
  const endpoint = new WebhookEndpoint();
  const sandbox = await startTestSandbox({ webhookUrl: await endpoint.listen() });
  const { stripe } = sandbox;
  const account = await createAccount(sandbox);
  const { id } = await transfer(sandbox, account, { source_transaction: await charge(sandbox) });
  await sandbox.control('POST', 'settle');
  const first = await stripe.transfers.createReversal(id, { amount: 4_000, metadata: { reference: 'one' } });
  expect(first).toMatchObject({ object: 'transfer_reversal', amount: 4_000, transfer: id });
  await expect(stripe.transfers.createReversal(id, { amount: 5_001 })).rejects.toMatchObject({
    param: 'amount',
  });
  await stripe.transfers.createReversal(id);
  await expect(stripe.transfers.createReversal(id)).rejects.toMatchObject({ param: 'amount' });
  expect(await stripe.transfers.retrieve(id)).toMatchObject({
    amount_reversed: 9_000,
    reversed: true,
    reversals: { data: [{ amount: 5_000 }, { amount: 4_000 }] },
  });
  expect((await stripe.transfers.listReversals(id)).data.map(({ amount }) => amount)).toEqual([5_000, 4_000]);
  expect(await balance(sandbox, account)).toEqual({ available: 0, pending: 0 });
  await endpoint.waitFor(13);
  expect(endpoint.types().slice(-4)).toEqual([
    'transfer.reversed',
    'transfer.updated',
    'transfer.reversed',
    'transfer.updated',
  ]);
});

test('refuses the reversal of money that was paid out', async () => {
  const sandbox = await startTestSandbox();
  const account = await createAccount(sandbox);
  const { id } = await transfer(sandbox, account, { source_transaction: await charge(sandbox) });
  await sandbox.control('POST', 'payouts');
  await expect(sandbox.stripe.transfers.createReversal(id)).rejects.toMatchObject({
    code: 'balance_insufficient',
  });
});

test('lists every movement of the balance, by type, source and time, page by page', async () => {
  const sandbox = await startTestSandbox();
  const { stripe } = sandbox;
  const account = await createAccount(sandbox);
  const source_transaction = await charge(sandbox);
  const { id } = await transfer(sandbox, account, { source_transaction, amount: 5_000 });
  await sandbox.control('POST', 'settle');
  const reversal = await stripe.transfers.createReversal(id, { amount: 1_000 });
  const refund = await stripe.refunds.create({ charge: source_transaction, amount: 2_000 });
  await charge(sandbox, 'pm_card_createDispute');
  await sandbox.control('POST', 'later');
  const [dispute] = (await stripe.disputes.list()).data;
  await stripe.disputes.update(dispute?.id ?? '', { evidence: { uncategorized_text: 'winning_evidence' } });
  const all = (await stripe.balanceTransactions.list({ limit: 100 })).data;
  expect(all.map((one) => [one.type, one.reporting_category, one.amount, one.fee]).reverse()).toEqual([
    ['charge', 'charge', 10_000, 320],
    ['transfer', 'transfer', -5_000, 0],
    ['transfer_refund', 'transfer_reversal', 1_000, 0],
    ['refund', 'refund', -2_000, 0],
    ['charge', 'charge', 10_000, 320],
    ['adjustment', 'dispute', -10_000, 1_500],
    ['adjustment', 'dispute_reversal', 10_000, 0],
  ]);
  expect(await balance(sandbox)).toEqual({
    available: all.reduce((sum, { net }) => sum + net, 0),
    pending: 0,
  });
  expect(await stripe.disputes.retrieve(dispute?.id ?? '')).toMatchObject({
    balance_transactions: [{ amount: -10_000, fee: 1_500 }, { amount: 10_000 }],
  });
  const ids = (list: Stripe.ApiList<Stripe.BalanceTransaction>) => list.data.map((one) => one.source);
  expect(ids(await stripe.balanceTransactions.list({ type: 'transfer_refund' }))).toEqual([reversal.id]);
  expect(ids(await stripe.balanceTransactions.list({ source: refund.id }))).toEqual([refund.id]);
  expect(ids(await stripe.balanceTransactions.list({ created: { gt: all[0]?.created ?? 0 } }))).toEqual([]);
  const paged: string[] = [];
  for await (const one of stripe.balanceTransactions.list({ limit: 3 })) paged.push(one.id);
  expect(paged).toEqual(all.map((one) => one.id));
  const expanded = await stripe.balanceTransactions.list({ source: id, expand: ['data.source'] });
  expect(expanded.data[0]?.source).toMatchObject({ object: 'transfer', id });
});

test('a refund that fails returns its money', async () => {
  const sandbox = await startTestSandbox();
  const { stripe } = sandbox;
  const refund = await stripe.refunds.create({ charge: await charge(sandbox, 'pm_card_refundFail') });
  await sandbox.control('POST', 'later');
  const { data } = await stripe.balanceTransactions.list({ source: refund.id });
  expect(data.map(({ reporting_category, amount }) => [reporting_category, amount])).toEqual([
    ['refund_failure', 10_000],
    ['refund', -10_000],
  ]);
});

/** Pays an account and lets its money be paid out. @returns its payouts, newest first */
async function payOut(sandbox: TestSandbox, account: string): Promise<Stripe.Payout[]> {
  await transfer(sandbox, account, { source_transaction: await charge(sandbox) });
  await sandbox.control('POST', 'payouts');
  return (await sandbox.stripe.payouts.list({}, { stripeAccount: account })).data;
}

test('pays an account out, with events that name it', async () => {
  const endpoint = new WebhookEndpoint();
  const sandbox = await startTestSandbox({ webhookUrl: await endpoint.listen() });
  const [account, other] = [await createAccount(sandbox), await createAccount(sandbox)];
  const [payout] = await payOut(sandbox, account);
  expect(payout).toMatchObject({ object: 'payout', amount: 9_000, status: 'paid', failure_code: null });
  const id = payout?.id ?? '';
  expect(await sandbox.stripe.payouts.retrieve(id, {}, { stripeAccount: account })).toEqual(payout);
  await expect(sandbox.stripe.payouts.retrieve(id, {}, { stripeAccount: other })).rejects.toMatchObject({
    statusCode: 404,
  });
  await expect(sandbox.stripe.payouts.list({}, { stripeAccount: 'acct_none' })).rejects.toMatchObject({
    statusCode: 403,
    code: 'account_invalid',
  });
  expect(await balance(sandbox, account)).toEqual({ available: 0, pending: 0 });
  await endpoint.waitFor(15);
  const paid = endpoint.received.find(({ event }) => event.type === 'payout.paid');
  expect(paid?.event).toMatchObject({ account, data: { object: { id } } });
});

test.each([
  ['000111111116', 'no_account'],
  ['000111111113', 'account_closed'],
  ['000222222227', 'insufficient_funds'],
  ['000333333335', 'debit_not_authorized'],
  ['000444444440', 'invalid_currency'],
])('a payout to %s fails with %s, and its money returns', async (bankAccount, code) => {
  const sandbox = await startTestSandbox();
  const account = await createAccount(sandbox, { bankAccount });
  const [payout] = await payOut(sandbox, account);
  expect(payout).toMatchObject({
    status: 'failed',
    failure_code: code,
    failure_message: expect.stringContaining(' '),
  });
  expect(await balance(sandbox, account)).toEqual({ available: 9_000, pending: 0 });
  const { requirements, configuration } = await sandbox.stripe.v2.core.accounts.retrieve(account, {
    include: ['requirements', 'configuration.recipient'],
  });
  expect(requirements?.entries).toMatchObject([{ description: 'external_account' }]);
  expect(configuration?.recipient?.capabilities?.stripe_balance).toMatchObject({
    payouts: { status: 'restricted' },
    stripe_transfers: { status: 'active' },
  });
  // With another bank account, the money is paid out.
  await sandbox.control('POST', `accounts/${account}`, { onboarding: { outcome: 'pass' } });
  await sandbox.control('POST', 'payouts');
  const { data } = await sandbox.stripe.payouts.list({}, { stripeAccount: account });
  expect(data.map(({ status, amount }) => [status, amount])).toEqual([
    ['paid', 9_000],
    ['failed', 9_000],
  ]);
});

test('a payout can be paid first and fail later', async () => {
  const endpoint = new WebhookEndpoint();
  const sandbox = await startTestSandbox({ webhookUrl: await endpoint.listen() });
  const account = await createAccount(sandbox, { bankAccount: '000999999991' });
  expect(await payOut(sandbox, account)).toMatchObject([{ status: 'paid' }]);
  await sandbox.control('POST', 'later');
  const { data } = await sandbox.stripe.payouts.list({}, { stripeAccount: account });
  expect(data).toMatchObject([{ status: 'failed', failure_code: 'account_closed' }]);
  expect(await balance(sandbox, account)).toEqual({ available: 9_000, pending: 0 });
  await endpoint.waitFor(14);
  const types = endpoint.types().filter((type) => type.startsWith('payout.'));
  expect(types).toEqual(['payout.created', 'payout.paid', 'payout.failed', 'payout.updated']);
});

test('pays out without being asked, after the delay', async () => {
  const endpoint = new WebhookEndpoint();
  const sandbox = await startTestSandbox({ webhookUrl: await endpoint.listen(), delay: 1 });
  const account = await createAccount(sandbox);
  await transfer(sandbox, account, { source_transaction: await charge(sandbox) });
  await endpoint.waitFor(11);
  expect(endpoint.types().slice(-2)).toEqual(['payout.created', 'payout.paid']);
});
