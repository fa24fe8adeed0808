// Faults of accounts and transfers at the card processor: the money stays due, the seller reads why, and it is paid once.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as contract from '#contract/money/payouts.ts';
import * as settlements from '#contract/money/settlements.ts';
import { listWaitingRefunds } from '#contract/sales/orders.ts';
import * as harness from '#tests/harness/money/connected-seller.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { subjectsTo } from '#tests/harness/sales/booked-laptop.ts';

let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await startTestShop({ settings: { commission: harness.commission } });
  // Operators keep a balance at Stripe, which covers refunds of settled charges.
  await shop.cards.topUp(1_000_000);
  admin = await shop.admin();
});
afterEach(async () => {
  await shop.cards.setFaults({});
  await events();
  const { pool } = shop.connection;
  expect(await findMoneyViolations(pool, await readProcessorLedger(shop.cards.stripe), null)).toEqual([]);
});
afterAll(() => shop.close());

const jobs = () => waitForEmptyQueue(shop.connection.pool);
/** Waits until the shop has followed all events. */
async function events(): Promise<void> {
  await shop.cards.deliverEvents({});
  await jobs();
}
/** A time at which refused transfers are tried again. */
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const money = (seller: Person) => seller.client.call(contract.readOwnMoney, {});
const account = (seller: Person) => seller.client.call(contract.readPayoutAccount, {});
const stopped = (seller: Person) =>
  subjectsTo(shop, seller).filter((subject) => subject.startsWith('You cannot'));
const holdEvents = () => shop.cards.setFaults({ webhooks: { mode: 'hold' } });

const DISPUTED_CARD = '4000000000000259';

test('an account that was closed while money is due, without an event: the transfer is refused, the seller is told, and the next account gets the money', async () => {
  const seller = await harness.onboardedSeller(shop);
  const { orderId } = await harness.sellAndRelease(shop, seller);
  await holdEvents();
  await shop.cards.changeAccount(await harness.accountIdOf(shop, seller), { closed: true });
  await shop.runPayouts();
  await jobs();
  expect(await harness.transfersOf(shop, orderId)).toEqual([]);
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 522, paid: 0, owed: 0 });
  expect(await account(seller)).toMatchObject({
    state: 'closed',
    problem: expect.stringContaining('closed'),
    refusedTransfer: expect.stringContaining('closed'),
  });
  expect(stopped(seller)).toHaveLength(1);

  await harness.onboard(shop, seller);
  await shop.runPayouts(later(73 * 60));
  expect(await harness.transfersOf(shop, orderId)).toEqual([52_200]);
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 522, owed: 0 });
  expect(await account(seller)).toMatchObject({ state: 'active', problem: '', refusedTransfer: null });
});

test('an account that was closed after a transfer: what a refund takes back stays a debt, which the next account’s sales pay', async () => {
  const seller = await harness.onboardedSeller(shop);
  const { orderId } = await harness.sellAndRelease(shop, seller);
  await shop.runPayouts();
  await shop.cards.payOut();
  await shop.cards.changeAccount(await harness.accountIdOf(shop, seller), { closed: true });
  await events();
  await harness.refundOrder(shop, orderId);
  await shop.runPayouts();
  expect(await money(seller)).toMatchObject({ due: 0, owed: 522 });
  const admin = await shop.admin();
  const why = async () =>
    (await admin.client.call(listWaitingRefunds, { query: {} })).find((refund) => refund.orderId === orderId)
      ?.why;
  expect(await why()).toMatch(/is closed, so nothing can be taken back/);
  await harness.onboard(shop, seller);
  expect(await why()).toMatch(/is closed, so nothing can be taken back/);
  const second = await harness.sellAndRelease(shop, seller);
  await shop.runPayouts();
  expect(await harness.transfersOf(shop, second.orderId)).toEqual([]);
  expect(await money(seller)).toMatchObject({ due: 0, owed: 0 });
});

test('a closed account of which no event tells is noticed within a day, and the seller is told once', async () => {
  const seller = await harness.onboardedSeller(shop);
  await events();
  await holdEvents();
  await shop.cards.changeAccount(await harness.accountIdOf(shop, seller), { closed: true });
  await shop.runPayouts();
  expect(await account(seller)).toMatchObject({ state: 'active' });
  for (const days of [1, 2]) await shop.runPayouts(later(days * 24 * 60 + 1));
  await jobs();
  expect(await account(seller)).toMatchObject({ state: 'closed' });
  expect(stopped(seller)).toHaveLength(1);
});

test('what was read of an account before it was closed is not applied afterwards', async () => {
  const seller = await harness.onboardedSeller(shop);
  await events();
  const before = subjectsTo(shop, seller);
  await shop.cards.setFaults({
    webhooks: { mode: 'hold' },
    calls: [{ method: 'GET', path: '/v2/core/accounts/*', kind: 'hold', moment: 'after', times: 1 }],
  });
  const late = seller.client.call(contract.refreshPayoutAccount, {});
  await shop.cards.waitForHeldCalls(1);
  await shop.cards.changeAccount(await harness.accountIdOf(shop, seller), { closed: true });
  await shop.runPayouts(later(24 * 60 + 1));
  expect(await account(seller)).toMatchObject({ state: 'closed' });
  await shop.cards.releaseHeldCalls();
  expect(await late).toMatchObject({ state: 'closed' });
  await jobs();
  expect(subjectsTo(shop, seller).slice(before.length)).toEqual(['You cannot be paid at the moment']);
});

test('a capability that is turned off between onboarding and transfer, and on again', async () => {
  const seller = await harness.onboardedSeller(shop);
  const accountId = await harness.accountIdOf(shop, seller);
  await events();
  const transfers = (status: string) =>
    shop.cards.changeAccount(accountId, {
      transfers: { status, detail: status === 'active' ? null : { code: 'x', resolution: 'provide_info' } },
    });
  await transfers('restricted');
  await events();
  const { orderId } = await harness.sellAndRelease(shop, seller);
  await shop.runPayouts();
  expect(await harness.transfersOf(shop, orderId)).toEqual([]);
  expect(await account(seller)).toMatchObject({ state: 'restricted', refusedTransfer: null });
  expect(stopped(seller)).toHaveLength(1);
  await transfers('active');
  await events();
  await shop.runPayouts();
  expect(await harness.transfersOf(shop, orderId)).toEqual([52_200]);
  expect(subjectsTo(shop, seller).filter((subject) => subject === 'You can be paid now')).toHaveLength(2);
});

test('an account in another region is refused in words, and paid by hand instead', async () => {
  const seller = await shop.seller();
  await harness.onboard(shop, seller, { country: 'JP' });
  const { orderId } = await harness.sellAndRelease(shop, seller);
  await shop.runPayouts();
  expect(await harness.transfersOf(shop, orderId)).toEqual([]);
  expect(await account(seller)).toMatchObject({
    refusedTransfer: expect.stringContaining('must be in one region'),
  });
  await admin.client.call(settlements.recordSettlement, {
    body: { kind: 'paid', sellerId: seller.userId, amount: 522, note: 'SWIFT 1' },
  });
  await shop.runPayouts(later(30));
  expect(await harness.transfersOf(shop, orderId)).toEqual([]);
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 522, owed: 0 });
  expect(await account(seller)).toMatchObject({ refusedTransfer: null });
});

test('a transfer that the shop’s balance does not cover is refused, tried again with another key, and made once', async () => {
  const seller = await harness.onboardedSeller(shop);
  const { orderId, transactionId } = await harness.sellAndRelease(shop, seller, { card: DISPUTED_CARD });
  // The buyer's bank has withdrawn the charge, and the shop does not know it yet. The rest went to the operator's bank.
  await holdEvents();
  await shop.cards.runDelayedOutcomes();
  await shop.cards.sweepBalance();
  await shop.runPayouts();
  expect(await harness.transfersOf(shop, orderId)).toEqual([]);
  expect(await money(seller)).toMatchObject({ due: 522, paid: 0 });
  expect(await account(seller)).toMatchObject({
    state: 'active',
    refusedTransfer: expect.stringContaining('does not suffice'),
  });
  const { data } = await shop.cards.stripe.disputes.list({ payment_intent: transactionId });
  await shop.cards.stripe.disputes.update(data[0]?.id ?? '', {
    evidence: { uncategorized_text: 'winning_evidence' },
  });
  await shop.cards.topUp(1_000_000);
  await shop.cards.setFaults({});
  await events();
  await Promise.all([shop.runPayouts(later(11)), shop.runPayouts(later(11))]);
  expect(await harness.transfersOf(shop, orderId)).toEqual([52_200]);
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 522, owed: 0 });
  expect(await account(seller)).toMatchObject({ refusedTransfer: null });
});

test('while the buyer’s bank decides, nothing is transferred, and what was transferred is taken back', async () => {
  const seller = await shop.seller();
  // Its bank returns payouts, so the money stays in the account.
  await harness.onboard(shop, seller, { bankAccount: '000111111116' });
  const paidOut = await harness.sellAndRelease(shop, seller, { card: DISPUTED_CARD });
  await shop.runPayouts();
  const due = await harness.sellAndRelease(shop, seller, { card: DISPUTED_CARD });
  await shop.cards.runDelayedOutcomes();
  await shop.cards.runDelayedOutcomes();
  await events();
  await shop.runPayouts();
  expect(await harness.transfersOf(shop, due.orderId)).toEqual([]);
  expect(await money(seller)).toMatchObject({
    due: 0,
    paid: 0,
    stopped: { amount: 1_044, isDisputed: true },
  });
  for (const { transactionId } of [due, paidOut]) {
    const { data } = await shop.cards.stripe.disputes.list({ payment_intent: transactionId });
    await shop.cards.stripe.disputes.close(data[0]?.id ?? '');
  }
  await events();
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 0, owed: 0 });
  await shop.runPayouts();
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 0, owed: 0 });
  const data = await harness.readTransfers(shop, paidOut.orderId);
  expect(data).toMatchObject([{ amount: 52_200, amount_reversed: 52_200 }]);
});

test('a debt is netted across several sales, each of which says how much', async () => {
  const seller = await harness.onboardedSeller(shop);
  const first = await harness.sellAndRelease(shop, seller);
  await shop.runPayouts();
  await shop.cards.payOut();
  await events();
  await harness.refundOrder(shop, first.orderId);
  await shop.runPayouts();
  await events();
  expect(await money(seller)).toMatchObject({ due: 0, owed: 522 });
  // $189.50, $284.50 and $379.50 are the seller's.
  const sales = [];
  for (const price of [200, 300, 400]) {
    sales.push(await harness.sellAndRelease(shop, seller, { price }));
    await shop.runPayouts();
  }
  const made = await Promise.all(sales.map(({ orderId }) => harness.transfersOf(shop, orderId)));
  expect(made).toEqual([[], [], [33_150]]);
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 853.5, owed: 0 });
  const { rows } = await shop.connection.pool.query(
    'select netted_cents from transfers where order_id = $1',
    [sales[2]?.orderId],
  );
  expect(rows).toEqual([{ netted_cents: 4_800 }]);
});
