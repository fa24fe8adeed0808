import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CardSandbox, type CardSandboxOptions, startCardSandbox } from '@coomercio/card-sandbox';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { PayoutEntityType } from '#contract/money/payouts.ts';
import { type CardProcessorControl, controlCardProcessor } from '#tests/harness/money/card-processor.ts';
import { testPayoutProcessor } from '#tests/harness/ports/payout-processor.ts';
import { createCardProcessor } from './stripe.ts';
import { createPayoutProcessor } from './stripe-connect.ts';

const keys = {
  secretKey: 'sk_test_payouts',
  publishableKey: 'pk_test_payouts',
  webhookSecret: 'whsec_payouts',
};

let folder: string;
let sandbox: CardSandbox;
let control: CardProcessorControl;
let processor: ReturnType<typeof createPayoutProcessor>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-payouts-'));
  sandbox = await startCardSandbox({
    port: 0,
    dataFolder: folder,
    ...keys,
    delay: 24 * 3_600_000,
    payouts: 'manual',
  });
  control = controlCardProcessor(sandbox.origin, keys.secretKey);
  processor = createPayoutProcessor({ secretKey: keys.secretKey, apiUrl: new URL(sandbox.origin) });
});

afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

let count = 0;
/** Returns a key that no other call has used. */
const newKey = () => {
  count += 1;
  return `key-${count}`;
};

const createAccount = (country = 'US', entityType: PayoutEntityType = 'individual') =>
  processor.createAccount({
    sellerId: 'seller-1',
    email: 'sally@example.com',
    name: 'Sally Seller',
    entityType,
    country,
    idempotencyKey: newKey(),
  });

/** Creates an account that can receive transfers. @returns its id */
async function onboardedAccount(options: { country?: string; bankAccount?: string } = {}): Promise<string> {
  const { accountId } = await createAccount(options.country);
  const { bankAccount } = options;
  await control.changeAccount(accountId, {
    onboarding: { outcome: 'pass', ...(bankAccount !== undefined && { bankAccount }) },
  });
  return accountId;
}

/** Takes a payment of 100.00 USD. @returns the id of the intent */
async function pay(): Promise<string> {
  const intent = await control.stripe.paymentIntents.create({
    amount: 10_000,
    currency: 'usd',
    payment_method: 'pm_card_visa',
    confirm: true,
  });
  return intent.id;
}

const chargeIdOf = async (transactionId: string) =>
  (await processor.chargeOf(transactionId))?.chargeId ?? 'none';

/** Transfers 90.00 USD of a new payment. */
async function transferTo(accountId: string, changes: { amountCents?: number; orderId?: string } = {}) {
  return processor.createTransfer({
    accountId,
    amountCents: 9_000,
    orderId: newKey(),
    chargeId: await chargeIdOf(await pay()),
    reference: 'release',
    idempotencyKey: newKey(),
    ...changes,
  });
}

testPayoutProcessor(() => ({
  ...{ processor, newKey, onboardedAccount },
  charge: async () => chargeIdOf(await pay()),
  settleFunds: () => control.settleFunds(),
  loseNextTransfer: () =>
    control.setFaults({ calls: [{ path: '/v1/transfers', kind: 'disconnect', moment: 'after' }] }),
}));

describe('an account', () => {
  test('has its requirements in words', async () => {
    const account = await createAccount();
    expect(account).toMatchObject({ isClosed: false, transfers: 'restricted' });
    expect(account.requirements.map(({ text }) => text)).toEqual([
      'Your name',
      'Your date of birth',
      'Your address',
      'Your tax or identity number',
      'Your agreement to the terms of service',
      'A bank account',
    ]);
  });

  test('can receive transfers after the onboarding', async () => {
    const { accountId } = await createAccount();
    const url = await processor.createOnboardingLink({
      accountId,
      returnUrl: 'http://shop.example/back',
      refreshUrl: 'http://shop.example/again',
    });
    const opened = await fetch(url);
    await fetch(opened.url, {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'pass', bank_account: '000123456789' }),
      redirect: 'manual',
    });
    expect(await processor.readAccount(accountId)).toMatchObject({ transfers: 'active', requirements: [] });
  });

  test('says what is wrong with the information, that it is verified, or that it is refused', async () => {
    const { accountId } = await createAccount();
    await control.changeAccount(accountId, { onboarding: { outcome: 'ask' } });
    expect(await processor.readAccount(accountId)).toMatchObject({
      transfers: 'restricted',
      requirements: [
        {
          text: 'A photo of an identity document',
          due: 'overdue',
          waitsFor: 'seller',
          problems: [expect.stringContaining('not readable')],
        },
      ],
    });
    await control.changeAccount(accountId, {
      transfers: { status: 'pending', detail: { code: 'determining_status', resolution: 'no_resolution' } },
      requirements: [{ path: 'something.new', awaiting: 'stripe' }],
    });
    expect(await processor.readAccount(accountId)).toMatchObject({
      transfers: 'pending',
      requirements: [{ text: 'More information (something.new)', due: 'now', waitsFor: 'processor' }],
    });
    await control.changeAccount(accountId, { onboarding: { outcome: 'refuse' } });
    // Nothing that the seller could provide.
    expect(await processor.readAccount(accountId)).toMatchObject({
      transfers: 'restricted',
      requirements: [],
    });
  });

  test('of a company is asked for what a company has', async () => {
    const account = await createAccount('US', 'company');
    const stored = await control.stripe.v2.core.accounts.retrieve(account.accountId, {
      include: ['identity'],
    });
    expect(stored.identity?.entity_type).toBe('company');
    const texts = account.requirements.map(({ text }) => text);
    expect(texts).toContain('The registered name of your organization');
    expect(texts).toContain('The tax or registration number of your organization');
    expect(texts).toContain('Who owns, directs and represents your organization');
    expect(texts).not.toContain('Your name');
    expect(texts.filter((text) => text.startsWith('More information'))).toEqual([]);
  });

  test.each([
    ['identity.persons.person_1Ab2.address.line1', /people of your organization/],
    ['person_1Ab2.relationship.owner', /owns, directs/],
    ['identity.persons.person_1Ab2.documents.primary', /identity document of a person/],
    ['identity.attestations.ownership_declaration.date', /all owners are named/],
    ['identity.entity_type', /person or an organization/],
  ])('puts the requirement %s in words', async (path, words) => {
    const { accountId } = await createAccount('US', 'company');
    await control.changeAccount(accountId, { requirements: [{ path }] });
    const account = await processor.readAccount(accountId);
    expect(account?.requirements).toMatchObject([{ text: expect.stringMatching(words) }]);
  });

  test('that receives transfers and cannot pay out is not active', async () => {
    const accountId = await onboardedAccount();
    expect(await processor.readAccount(accountId)).toMatchObject({ transfers: 'active', payouts: 'active' });
    await control.changeAccount(accountId, {
      payouts: {
        status: 'restricted',
        detail: { code: 'requirements_past_due', resolution: 'provide_info' },
      },
    });
    expect(await processor.readAccount(accountId)).toMatchObject({
      transfers: 'active',
      payouts: 'restricted',
    });
  });

  test('can be closed or unknown', async () => {
    const accountId = await onboardedAccount();
    await control.changeAccount(accountId, { closed: true });
    expect(await processor.readAccount(accountId)).toMatchObject({ isClosed: true, transfers: 'restricted' });
    expect(await processor.readAccount('acct_unknown')).toBeNull();
    await expect(
      processor.createOnboardingLink({
        accountId,
        returnUrl: 'http://shop.example/back',
        refreshUrl: 'http://shop.example/again',
      }),
    ).rejects.toMatchObject({ name: 'PayoutRefusal', reason: 'unknown_account' });
  });
});

describe('a transfer', () => {
  test('has the group of its charge, and is found whichever that is', async () => {
    const accountId = await onboardedAccount();
    const cards = createCardProcessor({ ...keys, apiUrl: new URL(sandbox.origin) });
    const customerId = await cards.createCustomer({ buyerId: 'b', idempotencyKey: newKey() });
    const grouped = await cards.createIntent({
      amountCents: 10_000,
      bookingId: 'booking-7',
      description: 'A laptop',
      brand: 'HP',
      buyer: {
        id: 'b',
        customerId,
        name: 'Bea',
        verifiedEmail: null,
        phone: '1',
        address: { line1: 'Here' },
      },
      seller: { id: 's' },
      idempotencyKey: newKey(),
    });
    await control.stripe.paymentIntents.confirm(grouped.transactionId, { payment_method: 'pm_card_visa' });
    // Payments of earlier versions have no group, and Stripe makes one up.
    for (const [transactionId, group] of [
      [grouped.transactionId, 'booking-7'],
      [await pay(), expect.stringMatching(/^group_pi_/)],
    ] as const) {
      const reference = newKey();
      const transferId = await processor.createTransfer({
        accountId,
        amountCents: 100,
        orderId: 'order-7',
        chargeId: await chargeIdOf(transactionId),
        reference,
        idempotencyKey: reference,
      });
      expect(await control.stripe.transfers.retrieve(transferId)).toMatchObject({
        transfer_group: group,
        metadata: { orderId: 'order-7', reference },
      });
      expect(await processor.findTransfer({ accountId, reference, since: new Date() })).toBe(transferId);
    }
  });

  test.each<[string, () => Promise<string>, string]>([
    [
      'an account that is not onboarded',
      async () => (await createAccount()).accountId,
      'account_cannot_receive',
    ],
    ['an unknown account', async () => 'acct_unknown', 'unknown_account'],
    ['an account of another region', () => onboardedAccount({ country: 'JP' }), 'other_region'],
  ])('to %s is refused', async (_, account, reason) => {
    await expect(transferTo(await account())).rejects.toMatchObject({ name: 'PayoutRefusal', reason });
  });

  test('to a closed account is refused', async () => {
    const accountId = await onboardedAccount();
    await control.changeAccount(accountId, { closed: true });
    await expect(transferTo(accountId)).rejects.toMatchObject({ reason: 'unknown_account' });
  });

  test('of more than the charge, or than the balance, is refused', async () => {
    const accountId = await onboardedAccount();
    await expect(transferTo(accountId, { amountCents: 10_001 })).rejects.toMatchObject({
      reason: 'insufficient_funds',
    });
    const request = { accountId, amountCents: 99_999_999, orderId: 'order-3', chargeId: null };
    await expect(
      processor.createTransfer({ ...request, reference: 'release', idempotencyKey: newKey() }),
    ).rejects.toMatchObject({ reason: 'insufficient_funds' });
  });

  test('that was paid out cannot be reversed', async () => {
    const accountId = await onboardedAccount();
    const transferId = await transferTo(accountId);
    await control.payOut();
    const request = { transferId, amountCents: 9_000, reference: 'refund-1', idempotencyKey: newKey() };
    await expect(processor.reverseTransfer(request)).rejects.toMatchObject({ reason: 'insufficient_funds' });
  });
});

describe('payouts', () => {
  test('are read, also when they fail, and not from a closed account', async () => {
    const accountId = await onboardedAccount({ bankAccount: '000111111113' });
    await transferTo(accountId);
    await control.payOut();
    const items = await processor.listPayouts({ accountId, limit: 10 });
    expect(items).toMatchObject([
      {
        accountId,
        amountCents: 9_000,
        status: 'failed',
        failureCode: 'account_closed',
        failureText: 'The bank account has been closed.',
      },
    ]);
    const payoutId = items[0]?.payoutId ?? '';
    expect(await processor.readPayout({ accountId, payoutId })).toEqual(items[0]);
    expect(await processor.readPayout({ accountId, payoutId: 'po_unknown' })).toBeNull();
    await control.changeAccount(accountId, { closed: true });
    expect(await processor.readPayout({ accountId, payoutId })).toBeNull();
    await expect(processor.listPayouts({ accountId, limit: 10 })).rejects.toMatchObject({
      reason: 'unknown_account',
    });
  });

  test('are listed, the latest first', async () => {
    const accountId = await onboardedAccount();
    for (const amountCents of [100, 200]) {
      await transferTo(accountId, { amountCents });
      await control.payOut();
    }
    expect(await processor.listPayouts({ accountId, limit: 1 })).toMatchObject([
      { amountCents: 200, status: 'paid' },
    ]);
  });
});

describe('the balance', () => {
  test('lists its movements of a period page by page, with the payments they belong to', async () => {
    const transactionId = await pay();
    const { refund } = createCardProcessor({ ...keys, apiUrl: new URL(sandbox.origin) });
    const { refundId } = await refund({
      transactionId,
      amountCents: 10_000,
      reference: 'refund-1',
      idempotencyKey: newKey(),
    });
    const charge = await processor.chargeOf(transactionId);
    const from = new Date(Date.now() - 60_000);
    const until = new Date(Date.now() + 60_000);
    const list = (cursor: string | null) =>
      processor.listBalanceTransactions({ from, until, cursor, limit: 1 });
    const newest = await list(null);
    expect(newest.items).toMatchObject([
      {
        type: 'refund',
        category: 'refund',
        currency: 'usd',
        amountCents: -10_000,
        feeCents: 0,
        sourceId: refundId,
        transactionId,
      },
    ]);
    expect((await list(newest.nextCursor)).items).toMatchObject([
      {
        type: 'charge',
        amountCents: 10_000,
        feeCents: 320,
        sourceId: charge?.chargeId,
        transactionId,
      },
    ]);
    const later = { from: until, until: new Date(until.getTime() + 60_000), cursor: null, limit: 100 };
    expect(await processor.listBalanceTransactions(later)).toEqual({ items: [], nextCursor: null });
  });

  test('tells transfers, reversals and disputes apart', async () => {
    const from = new Date();
    const transferId = await transferTo(await onboardedAccount());
    await control.settleFunds();
    await processor.reverseTransfer({
      transferId,
      amountCents: 9_000,
      reference: 'all',
      idempotencyKey: newKey(),
    });
    const intent = await control.stripe.paymentIntents.create({
      amount: 5_000,
      currency: 'usd',
      payment_method: 'pm_card_createDispute',
      confirm: true,
    });
    await control.runDelayedOutcomes();
    const until = new Date(Date.now() + 60_000);
    const { items } = await processor.listBalanceTransactions({ from, until, cursor: null, limit: 4 });
    expect(items.map(({ type }) => type)).toEqual(['dispute', 'charge', 'transfer_reversal', 'transfer']);
    // Reversals are compared per transfer.
    expect(items.map((item) => item.transferId)).toEqual([null, null, transferId, null]);
    expect(items[0]).toMatchObject({ amountCents: -5_000, feeCents: 1_500, transactionId: intent.id });
  });

  test('has no charge of an unpaid or unknown intent', async () => {
    const unpaid = await control.stripe.paymentIntents.create({ amount: 10_000, currency: 'usd' });
    expect(await processor.chargeOf(unpaid.id)).toBeNull();
    expect(await processor.chargeOf('pi_unknown')).toBeNull();
  });
});

describe('failures', () => {
  test.each([
    ['a failure of the processor', 500],
    ['too many requests', 429],
    ['a wrong key', 401],
  ])('%s can be retried', async (_, status) => {
    await control.setFaults({ calls: [{ kind: 'error', status, times: 3 }] });
    await expect(processor.readAccount('acct_1')).rejects.toMatchObject({
      name: 'PayoutProcessorUnavailable',
    });
    await control.setFaults({});
  });

  test.each([
    ['an account without an id', { object: 'v2.core.account' }],
    ['a list', []],
    ['an id of another type', { id: 7 }],
    ['requirements that are a text', { id: 'acct_1', requirements: 'none' }],
  ])('%s is an unexpected shape', async (_, body) => {
    const server = createServer((_request, response) => response.end(JSON.stringify(body)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const apiUrl = new URL(`http://127.0.0.1:${port}`);
    const broken = createPayoutProcessor({ secretKey: keys.secretKey, apiUrl });
    await expect(broken.readAccount('acct_1')).rejects.toMatchObject({ name: 'PayoutProcessorUnavailable' });
  });
});

describe('events', () => {
  const cards = createCardProcessor({
    secretKey: keys.secretKey,
    webhookSecret: `whsec_first, ${keys.webhookSecret}`,
    apiUrl: null,
  });

  /** Signs an event as Stripe does. @returns what the adapter reads of it */
  function read(event: object, secret = keys.webhookSecret) {
    const payload = JSON.stringify(event);
    const header = control.stripe.webhooks.generateTestHeaderString({ payload, secret });
    return cards.readEvent(Buffer.from(payload), header, []);
  }

  const snapshot = (object: object, account?: string) => ({
    id: 'evt_1',
    object: 'event',
    type: 'any.type',
    data: { object },
    ...(account !== undefined && { account }),
  });

  test.each<[string, object, unknown]>([
    [
      'a thin event about an account',
      {
        id: 'evt_1',
        object: 'v2.core.event',
        type: 'v2.core.account[requirements].updated',
        related_object: { id: 'acct_1', type: 'v2.core.account', url: '/v2/core/accounts/acct_1' },
      },
      { kind: 'account', accountId: 'acct_1' },
    ],
    [
      'a thin event about another object',
      { id: 'evt_1', object: 'v2.core.event', type: 'v2.core.event_destination.ping' },
      null,
    ],
    [
      'an account',
      snapshot({ object: 'account', id: 'acct_1' }, 'acct_1'),
      { kind: 'account', accountId: 'acct_1' },
    ],
    ['a transfer', snapshot({ object: 'transfer', id: 'tr_1' }), { kind: 'transfer', transferId: 'tr_1' }],
    [
      'a payout of an account',
      snapshot({ object: 'payout', id: 'po_1' }, 'acct_1'),
      { kind: 'payout', accountId: 'acct_1', payoutId: 'po_1' },
    ],
    ['a payout of the shop', snapshot({ object: 'payout', id: 'po_1' }), null],
    ['a payment of an account', snapshot({ object: 'payment_intent', id: 'pi_1' }, 'acct_1'), null],
  ])('%s', (_, event, about) => {
    expect(read(event)).toMatchObject({ id: 'evt_1', about });
    expect(read(event, 'whsec_first')).toMatchObject({ about });
  });

  test('with another signature are not read', () => {
    expect(read(snapshot({ object: 'transfer', id: 'tr_1' }), 'whsec_other')).toBe('unsigned');
  });
});

describe('the shop’s own account', () => {
  /** A stand-in of its own, whose balance no other test moves. */
  async function startPlatform(options: Partial<CardSandboxOptions> = {}) {
    const dataFolder = await mkdtemp(join(tmpdir(), 'coomercio-platform-'));
    const own = await startCardSandbox({
      port: 0,
      dataFolder,
      ...keys,
      delay: 24 * 3_600_000,
      ...options,
    });
    onTestFinished(async () => {
      await own.close();
      await rm(dataFolder, { recursive: true, force: true });
    });
    return {
      own: createPayoutProcessor({ secretKey: keys.secretKey, apiUrl: new URL(own.origin) }),
      ownControl: controlCardProcessor(own.origin, keys.secretKey),
    };
  }
  const payOnce = (ownControl: CardProcessorControl) =>
    ownControl.stripe.paymentIntents.create({
      amount: 10_000,
      currency: 'usd',
      payment_method: 'pm_card_visa',
      confirm: true,
    });

  test('has a payout schedule, a minimum and a balance', async () => {
    const { own, ownControl } = await startPlatform();
    expect(await own.readPlatform()).toEqual({
      payoutInterval: 'daily',
      minimumCents: null,
      balance: { availableCents: 0, pendingCents: 0 },
      currencies: [],
    });
    await payOnce(ownControl);
    await ownControl.topUp(5_000);
    await ownControl.stripe.balanceSettings.update({
      payments: { payouts: { minimum_balance_by_currency: { usd: 4_000 } } },
    });
    expect(await own.readPlatform()).toMatchObject({
      minimumCents: 4_000,
      balance: { availableCents: 5_000, pendingCents: 9_680 },
    });
    await ownControl.stripe.balanceSettings.update({
      payments: { payouts: { schedule: { interval: 'manual' } } },
    });
    expect(await own.readPlatform()).toMatchObject({ payoutInterval: 'manual' });
  });

  test('that settles in another currency has no balance in dollars, and makes no transfer in them', async () => {
    const { own, ownControl } = await startPlatform({ settlement: { currency: 'eur', exchangeRate: 0.92 } });
    const intent = await payOnce(ownControl);
    expect(await own.readPlatform()).toMatchObject({ balance: null, currencies: ['eur'] });
    const charge = await own.chargeOf(intent.id);
    const { accountId } = await own.createAccount({
      sellerId: 'seller-9',
      email: 'sally@example.com',
      name: 'Sally Seller',
      entityType: 'individual',
      country: 'US',
      idempotencyKey: newKey(),
    });
    await ownControl.changeAccount(accountId, { onboarding: { outcome: 'pass' } });
    await expect(
      own.createTransfer({
        accountId,
        amountCents: 100,
        orderId: 'order-9',
        chargeId: charge?.chargeId ?? null,
        reference: 'release',
        idempotencyKey: newKey(),
      }),
    ).rejects.toMatchObject({ name: 'PayoutRefusal', reason: 'other_currency' });
  });
});
