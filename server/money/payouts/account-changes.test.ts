// What a seller's account at the card processor is protected by when somebody may have changed where its money goes.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as contract from '#contract/money/payouts.ts';
import * as settlements from '#contract/money/settlements.ts';
import { HOUR_MS } from '#contract/platform/durations.ts';
import * as harness from '#tests/harness/money/connected-seller.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { signInAgain } from '#tests/harness/people/sign-in-again.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { subjectsTo } from '#tests/harness/sales/booked-laptop.ts';

let shop: TestShop;
let seller: Person;
beforeAll(async () => {
  shop = await startTestShop({ settings: { commission: harness.commission } });
});
beforeEach(async () => {
  seller = await harness.onboardedSeller(shop);
});
afterAll(() => shop.close());

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
const jobs = () => waitForEmptyQueue(shop.connection.pool);
const account = () => seller.client.call(contract.readPayoutAccount, {});
const open = (person = seller) => person.client.call(contract.startOnboarding, { body: { country: 'US' } });
const subjects = (beginning: string) =>
  subjectsTo(shop, seller).filter((subject) => subject.startsWith(beginning));

/** Delivers a signed event about a bank account of the seller's account, as Stripe does for connected accounts. */
async function bankAccountEvent(at: Date): Promise<void> {
  count += 1;
  const account = await harness.accountIdOf(shop, seller);
  const payload = JSON.stringify({
    id: `evt_bank_account_${count}`,
    object: 'event',
    account,
    created: Math.floor(at.getTime() / 1000),
    type: 'account.external_account.updated',
    data: { object: { id: 'ba_1', object: 'bank_account', account } },
  });
  const signature = shop.cards.stripe.webhooks.generateTestHeaderString({ payload, secret: 'whsec_harness' });
  const response = await fetch(`${shop.origin}/webhooks/stripe`, {
    method: 'POST',
    headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
    body: payload,
  });
  expect(response.status).toBe(200);
  await jobs();
}
let count = 0;

test('opening the page and recording a payment by hand need a recent sign-in', async () => {
  const admin = await shop.admin();
  const now = Math.floor(Date.now() / 1000);
  const settlement = { kind: 'paid', sellerId: seller.userId, amount: 1, note: 'R-1' } as const;
  for (const authTime of [now - 11 * 60, undefined]) {
    const [asSeller, asAdmin] = [
      await signInAgain(shop, seller, { auth_time: authTime }),
      await signInAgain(shop, admin, { auth_time: authTime }),
    ];
    const refusal = { status: 403, code: 'reauthentication_required' };
    await expect(asSeller.call(contract.startOnboarding, { body: { country: 'US' } })).rejects.toMatchObject(
      refusal,
    );
    await expect(asAdmin.call(settlements.recordSettlement, { body: settlement })).rejects.toMatchObject(
      refusal,
    );
  }
  expect(await account()).toMatchObject({ transfersPausedUntil: null });
  const asAdmin = await signInAgain(shop, admin, { auth_time: now - 9 * 60 });
  await expect(asAdmin.call(settlements.recordSettlement, { body: settlement })).rejects.toMatchObject({
    code: 'more_than_due',
  });
});

test('opening the page on which the bank account can be changed tells the seller and holds transfers for 72 hours', async () => {
  const { orderId } = await harness.sellAndRelease(shop, seller);
  expect(await account()).toMatchObject({ state: 'active', transfersPausedUntil: null });
  await open();
  await jobs();
  const { transfersPausedUntil } = await account();
  expect(new Date(transfersPausedUntil ?? 0).getTime()).toBeGreaterThan(inHours(71.9).getTime());
  expect(subjects('Your bank account can be changed')).toHaveLength(1);

  await shop.runPayouts();
  await shop.runPayouts(inHours(71));
  expect(await harness.transfersOf(shop, orderId)).toEqual([]);
  await shop.runPayouts(inHours(73));
  expect(await harness.transfersOf(shop, orderId)).toEqual([52_200]);
});

test('the first onboarding holds nothing, however often its page is opened', async () => {
  const another = await shop.seller();
  await open(another);
  await open(another);
  await harness.onboard(shop, another);
  const { orderId } = await harness.sellAndRelease(shop, another);
  await shop.runPayouts();
  expect(await harness.transfersOf(shop, orderId)).toEqual([52_200]);
});

test('another account after a closed one is held as well', async () => {
  await shop.cards.changeAccount(await harness.accountIdOf(shop, seller), { closed: true });
  await jobs();
  await seller.client.call(contract.refreshPayoutAccount, {});
  await harness.onboard(shop, seller);
  expect(await account()).toMatchObject({ state: 'active', transfersPausedUntil: expect.any(String) });
});

test('an event of a changed bank account holds transfers and tells the seller; that of the first bank account, arriving late, does not', async () => {
  await bankAccountEvent(inHours(-1));
  expect(await account()).toMatchObject({ transfersPausedUntil: null });
  await bankAccountEvent(inHours(1));
  expect(await account()).toMatchObject({ transfersPausedUntil: expect.any(String) });
  expect(subjects('Your bank account was changed')).toHaveLength(1);
});

test('a payout to another bank account than the one before holds transfers', async () => {
  for (const bankAccount of ['000123456789', '000999999991']) {
    await shop.cards.changeAccount(await harness.accountIdOf(shop, seller), {
      onboarding: { outcome: 'pass', bankAccount },
    });
    await harness.sellAndRelease(shop, seller);
    await shop.runPayouts();
    await shop.cards.payOut();
    await shop.runPayouts(inHours(25));
    await jobs();
    const isFirst = bankAccount === '000123456789';
    expect(await account()).toMatchObject({ transfersPausedUntil: isFirst ? null : expect.any(String) });
  }
  expect(subjects('Your bank account was changed')).toHaveLength(1);
});

test('an account that cannot pay out is not active: the money stays with the shop, and the seller reads why', async () => {
  const { orderId } = await harness.sellAndRelease(shop, seller);
  const payouts = (status: string) =>
    harness.accountIdOf(shop, seller).then((id) =>
      shop.cards.changeAccount(id, {
        payouts: { status, detail: { code: 'requirements_past_due', resolution: 'provide_info' } },
        requirements: status === 'active' ? [] : [{ path: 'external_account' }],
      }),
    );
  await payouts('restricted');
  await seller.client.call(contract.refreshPayoutAccount, {});
  await shop.runPayouts();
  expect(await harness.transfersOf(shop, orderId)).toEqual([]);
  expect(await account()).toMatchObject({
    state: 'restricted',
    problem: expect.stringContaining('cannot pay out to your bank'),
    requirements: [{ text: 'A bank account' }],
  });
  await payouts('active');
  await seller.client.call(contract.refreshPayoutAccount, {});
  await shop.runPayouts();
  expect(await harness.transfersOf(shop, orderId)).toEqual([52_200]);
  expect(await account()).toMatchObject({ state: 'active', problem: '' });
});

test('a company is onboarded as one', async () => {
  const company = await shop.seller();
  await company.client.call(contract.startOnboarding, { body: { country: 'US', entityType: 'company' } });
  const id = await harness.accountIdOf(shop, company);
  const { identity } = await shop.cards.stripe.v2.core.accounts.retrieve(id, { include: ['identity'] });
  expect(identity?.entity_type).toBe('company');
  const { requirements } = await company.client.call(contract.refreshPayoutAccount, {});
  expect(requirements.map(({ text }) => text)).toContain('The registered name of your organization');
});
