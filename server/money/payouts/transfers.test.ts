import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as contract from '#contract/money/payouts.ts';
import * as settlements from '#contract/money/settlements.ts';
import { readOwnData } from '#contract/operations/privacy.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import * as complaints from '#contract/sales/complaints.ts';
import * as orders from '#contract/sales/orders.ts';
import { createPayoutProcessor } from '#server/providers/stripe-connect.ts';
import * as harness from '#tests/harness/money/connected-seller.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForBlocked, whileLocked } from '#tests/harness/platform/held-locks.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { subjectsTo } from '#tests/harness/sales/booked-laptop.ts';
import { runPayouts } from './run-payouts.ts';

let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await startTestShop({
    settings: { commission: harness.commission },
  });
  // Operators keep a balance at Stripe, which covers refunds of settled charges.
  await shop.cards.topUp(1_000_000);
  admin = await shop.admin();
});
afterEach(() => shop.cards.setFaults({}));
afterAll(() => shop.close());

/** The time after which interrupted transfers are resumed and refused ones are tried again. */
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const money = (seller: Person) => seller.client.call(contract.readOwnMoney, {});
const account = (seller: Person) => seller.client.call(contract.readPayoutAccount, {});
const jobs = () => waitForEmptyQueue(shop.connection.pool);

const accountIdOf = (seller: Person) => harness.accountIdOf(shop, seller);
const transfersOf = (orderId: string) => harness.transfersOf(shop, orderId);
const refundOrder = (orderId: string) => harness.refundOrder(shop, orderId);
const onboardedSeller = () => harness.onboardedSeller(shop);
const sellAndRelease = async (seller: Person) => (await harness.sellAndRelease(shop, seller)).orderId;
const onboarding = (seller: Person, country = 'US') =>
  seller.client.call(contract.startOnboarding, { body: { country } });

test('a released order is transferred once, from its charge, and the ledger knows it; nothing waits for a schedule that never runs (fault 12)', async () => {
  const seller = await onboardedSeller();
  expect(await account(seller)).toMatchObject({ method: 'card_processor', state: 'active' });
  const orderId = await sellAndRelease(seller);
  await shop.runPayouts();
  await shop.runPayouts();
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 522, owed: 0 });
  const data = await harness.readTransfers(shop, orderId);
  expect(data).toMatchObject([
    {
      amount: 52_200,
      destination: await accountIdOf(seller),
      source_transaction: expect.stringMatching(/^ch_/),
    },
  ]);
});

test('two processes that transfer at once make one transfer', async () => {
  const seller = await onboardedSeller();
  const orderId = await sellAndRelease(seller);
  await Promise.all([shop.runPayouts(), shop.runPayouts(), shop.runPayouts()]);
  expect(await transfersOf(orderId)).toEqual([52_200]);
  expect(await money(seller)).toMatchObject({ due: 0, paid: 522 });
});

test('paid by hand nothing is transferred, also by a process that has not seen the change, and nothing is paid twice', async () => {
  const seller = await onboardedSeller();
  const orderId = await sellAndRelease(seller);
  await shop.changeSettings({ payoutMethod: 'by_hand' });
  expect(await account(seller)).toMatchObject({ method: 'by_hand', state: 'none' });
  await expect(onboarding(seller)).rejects.toMatchObject({ code: 'not_found' });
  await shop.runPayouts();
  const { secretKey, origin } = shop.cards;
  const late = {
    ...{ database: shop.connection.database, enqueue: shop.enqueue, logger: shop.logger },
    processor: createPayoutProcessor({ secretKey, apiUrl: new URL(origin) }),
    shop: () => ({
      ...defaultShopSettings,
      payoutAfter: 'release' as const,
      payoutMethod: 'card_processor' as const,
    }),
  };
  await runPayouts(late, new Date());
  expect(await transfersOf(orderId)).toEqual([]);

  const body = { kind: 'paid', sellerId: seller.userId, amount: 522, note: 'by bank' } as const;
  await admin.client.call(settlements.recordSettlement, { body });
  await shop.changeSettings({ payoutMethod: 'card_processor' });
  expect(await account(seller)).toMatchObject({ method: 'card_processor', state: 'active' });
  await shop.runPayouts();
  expect(await transfersOf(orderId)).toEqual([]);
  expect(await money(seller)).toMatchObject({ due: 0, paid: 522 });
});

test('how sellers are paid does not change while a transfer is under way, also one that is reserved at the same time', async () => {
  const seller = await onboardedSeller();
  const orderId = await sellAndRelease(seller);
  await shop.cards.setFaults({
    calls: [{ method: 'POST', path: '/v1/transfers', kind: 'hold', moment: 'before' }],
  });
  const balance = `select from seller_balances where seller_id = '${seller.userId}' for update`;
  const { round, refused } = await whileLocked(shop, balance, async () => {
    const round = shop.runPayouts();
    await waitForBlocked(shop, 1);
    const change = shop.changeSettings({ payoutMethod: 'by_hand' });
    const refused = expect(change).rejects.toMatchObject({ code: 'money_on_its_way' });
    await waitForBlocked(shop, 2);
    return { round, refused };
  });
  await refused;
  // Else it could reach the card processor afterwards, and would be held until the client's timeout.
  await shop.cards.waitForHeldCalls(1);
  await shop.cards.releaseHeldCalls();
  await round;
  expect(await transfersOf(orderId)).toEqual([52_200]);
  for (const payoutMethod of ['by_hand', 'card_processor'] as const) {
    await shop.changeSettings({ payoutMethod });
  }
});

test('a process that ends between transfer and record finds the transfer again, and never makes a second one', async () => {
  const seller = await onboardedSeller();
  const orderId = await sellAndRelease(seller);
  await shop.cards.setFaults({
    calls: [{ method: 'POST', path: '/v1/transfers', kind: 'disconnect', moment: 'after', times: 3 }],
  });
  await expect(shop.runPayouts()).rejects.toThrow();
  expect(await transfersOf(orderId)).toEqual([52_200]);
  // It stays reserved: it is neither transferred again nor paid by hand.
  await shop.runPayouts();
  const body = { kind: 'paid', sellerId: seller.userId, amount: 522, note: 'too early' } as const;
  await expect(admin.client.call(settlements.recordSettlement, { body })).rejects.toMatchObject({
    code: 'more_than_due',
  });
  expect(await money(seller)).toMatchObject({ due: 522, paid: 0 });
  await shop.runPayouts(later(3));
  expect(await transfersOf(orderId)).toEqual([52_200]);
  expect(await money(seller)).toMatchObject({ due: 0, paid: 522 });
});

/** Releases a sale whose transfer does not reach the card processor. */
async function saleWithoutTransfer(seller: Person) {
  const sale = await harness.sellAndRelease(shop, seller);
  await shop.cards.setFaults({
    calls: [{ method: 'POST', path: '/v1/transfers', kind: 'disconnect', moment: 'before', times: 3 }],
  });
  await expect(shop.runPayouts()).rejects.toThrow();
  return sale;
}

test('a transfer that did not reach the card processor is not made once the buyer has complained, and afterwards once', async () => {
  const seller = await onboardedSeller();
  const { orderId, buyer } = await saleWithoutTransfer(seller);
  const params = { _id: orderId };
  const body = { kind: 'does_not_work', text: 'It does not start.' } as const;
  await buyer.client.call(complaints.complain, { params, body });
  await shop.runPayouts(later(3));
  expect(await transfersOf(orderId)).toEqual([]);
  expect(await money(seller)).toMatchObject({ due: 0, paid: 0, stopped: { amount: 522 } });

  await buyer.client.call(complaints.answerAsBuyer, { params, body: { move: 'withdraw' } });
  await shop.runPayouts(later(20));
  await shop.runPayouts(later(40));
  expect(await transfersOf(orderId)).toEqual([52_200]);
  expect(await money(seller)).toMatchObject({ due: 0, paid: 522 });
});

test('a transfer that did not reach the card processor waits when the bank account may be changed meanwhile', async () => {
  const seller = await onboardedSeller();
  const { orderId } = await saleWithoutTransfer(seller);
  await onboarding(seller);
  await shop.runPayouts(later(3));
  expect(await transfersOf(orderId)).toEqual([]);
  await shop.runPayouts(later(73 * 60));
  expect(await transfersOf(orderId)).toEqual([52_200]);
});

test('a transfer that did not reach the card processor is made of what a refund has left meanwhile', async () => {
  const seller = await onboardedSeller();
  const { orderId } = await saleWithoutTransfer(seller);
  await admin.client.call(orders.refundOrder, {
    params: { _id: orderId },
    body: { amount: 100, from: 'seller', text: 'A scratch.' },
  });
  await shop.runPayouts(later(3));
  await shop.runPayouts(later(20));
  const [cents, ...others] = await transfersOf(orderId);
  expect(others).toEqual([]);
  expect(cents).toBeLessThan(43_000);
  expect(await money(seller)).toMatchObject({ due: 0, owed: 0, paid: (cents ?? 0) / 100 });
});

test('payment by hand while a transfer begins: one of them pays', async () => {
  const seller = await onboardedSeller();
  const orderId = await sellAndRelease(seller);
  const body = { kind: 'paid', sellerId: seller.userId, amount: 522, note: 'race' } as const;
  await Promise.allSettled([admin.client.call(settlements.recordSettlement, { body }), shop.runPayouts()]);
  await shop.runPayouts();
  const byHand = await shop.connection.pool.query(`select id from settlements where seller_id = $1`, [
    seller.userId,
  ]);
  expect((await transfersOf(orderId)).length + byHand.rows.length).toBe(1);
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 522, owed: 0 });
});

test('a seller without an active account keeps the money due, and is told how to get it (faults 2 and 3: onboarded, never payable)', async () => {
  const seller = await shop.seller();
  const orderId = await sellAndRelease(seller);
  await shop.runPayouts();
  expect(await transfersOf(orderId)).toEqual([]);
  expect(await account(seller)).toMatchObject({ state: 'none' });
  const { url } = await onboarding(seller);
  expect(url).toMatch(/^http/);
  // A second link belongs to the same account.
  const id = await accountIdOf(seller);
  await onboarding(seller);
  expect(await accountIdOf(seller)).toBe(id);
  await shop.cards.changeAccount(id, { onboarding: { outcome: 'ask' } });
  const asked = await seller.client.call(contract.refreshPayoutAccount, {});
  expect(asked.state).not.toBe('active');
  expect(asked.requirements.length).toBeGreaterThan(0);
  await shop.runPayouts();
  expect(await money(seller)).toMatchObject({ due: 522, paid: 0 });

  await shop.cards.changeAccount(id, { onboarding: { outcome: 'pass' } });
  await seller.client.call(contract.refreshPayoutAccount, {});
  await shop.runPayouts();
  expect(await money(seller)).toMatchObject({ due: 0, paid: 522 });
});

test('an event tells that an account is restricted or closed: the seller gets an email and the money stays due; a repeated event changes nothing (fault 1)', async () => {
  const seller = await onboardedSeller();
  await jobs();
  expect(subjectsTo(shop, seller)).toEqual(['You can be paid now']);
  await shop.cards.changeAccount(await accountIdOf(seller), { closed: true });
  await shop.cards.deliverEvents({ copies: 2 });
  await jobs();
  expect(await account(seller)).toMatchObject({ state: 'closed' });
  expect(subjectsTo(shop, seller).filter((subject) => subject.startsWith('You cannot'))).toHaveLength(1);
  await sellAndRelease(seller);
  await shop.runPayouts();
  expect(await money(seller)).toMatchObject({ due: 522, paid: 0 });
  // The next onboarding opens another account.
  await onboarding(seller);
  await shop.cards.changeAccount(await accountIdOf(seller), { onboarding: { outcome: 'pass' } });
  await seller.client.call(contract.refreshPayoutAccount, {});
  await shop.runPayouts(later(73 * 60));
  expect(await money(seller)).toMatchObject({ due: 0, paid: 522 });
});

test('a refused transfer stays due with the reason in words, and is tried again later (fault 6)', async () => {
  const seller = await onboardedSeller();
  const orderId = await sellAndRelease(seller);
  await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
  await shop.cards.changeAccount(await accountIdOf(seller), {
    transfers: {
      status: 'restricted',
      detail: { code: 'requirements_past_due', resolution: 'provide_info' },
    },
  });
  await shop.runPayouts();
  expect(await transfersOf(orderId)).toEqual([]);
  expect(await money(seller)).toMatchObject({ due: 522, paid: 0 });
  expect(await account(seller)).toMatchObject({
    state: 'restricted',
    refusedTransfer: expect.stringContaining('cannot receive money yet'),
  });
  await shop.cards.changeAccount(await accountIdOf(seller), { transfers: { status: 'active' } });
  await seller.client.call(contract.refreshPayoutAccount, {});
  await shop.runPayouts();
  expect(await transfersOf(orderId)).toEqual([]);
  await shop.runPayouts(later(11));
  expect(await transfersOf(orderId)).toEqual([52_200]);
  expect(await money(seller)).toMatchObject({ due: 0, paid: 522 });
});

test('a refund after the transfer takes the transfer back (fault 9: a fully refunded order reads paid)', async () => {
  const seller = await onboardedSeller();
  const orderId = await sellAndRelease(seller);
  await shop.runPayouts();
  await shop.cards.settleFunds();
  await refundOrder(orderId);
  expect(await money(seller)).toMatchObject({ owed: 522 });
  await Promise.all([shop.runPayouts(), shop.runPayouts()]);
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 0, owed: 0 });
  const data = await harness.readTransfers(shop, orderId);
  expect(data).toMatchObject([{ amount: 52_200, amount_reversed: 52_200, reversed: true }]);
  const [sale] = await seller.client.call(contract.listOwnSales, { query: {} });
  expect(sale).toMatchObject({ state: 'returned', proceeds: 0, refunded: 549.99 });
});

test.each(['before', 'after'] as const)(
  'a refund while a transfer is under way, %s it is made, leaves the seller nothing',
  async (moment) => {
    const seller = await onboardedSeller();
    const orderId = await sellAndRelease(seller);
    await shop.cards.setFaults({ calls: [{ method: 'POST', path: '/v1/transfers', kind: 'hold', moment }] });
    const round = shop.runPayouts();
    await shop.cards.waitForHeldCalls(1);
    await refundOrder(orderId);
    await jobs();
    await shop.cards.releaseHeldCalls();
    await round;
    // Stripe transfers of a refunded charge, too. The refund of this amount waits until the reversal has brought it back, for which it
    // must be available to the account.
    expect(await money(seller)).toMatchObject({ owed: 522, paid: 522 });
    await shop.cards.settleFunds();
    await shop.runPayouts();
    expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 0, owed: 0 });
  },
);

test('a reversal whose response is lost is found again and made once', async () => {
  const seller = await onboardedSeller();
  const orderId = await sellAndRelease(seller);
  await shop.runPayouts();
  await shop.cards.settleFunds();
  await refundOrder(orderId);
  await shop.cards.setFaults({
    calls: [
      { method: 'POST', path: '/v1/transfers/*/reversals', kind: 'disconnect', moment: 'after', times: 3 },
    ],
  });
  await expect(shop.runPayouts()).rejects.toThrow();
  await shop.runPayouts(later(3));
  expect(await money(seller)).toEqual({ currency: 'USD', held: 0, due: 0, paid: 0, owed: 0 });
  const data = await harness.readTransfers(shop, orderId);
  expect(data).toMatchObject([{ amount_reversed: 52_200 }]);
});

test('what the account cannot cover stays a debt and is taken from the next sales (fault 10: more asked than the account holds)', async () => {
  const seller = await onboardedSeller();
  const first = await sellAndRelease(seller);
  await shop.runPayouts();
  // The bank has the money, so that the account is empty.
  await shop.cards.payOut();
  await jobs();
  await refundOrder(first);
  await shop.runPayouts();
  expect(await money(seller)).toMatchObject({ owed: 522 });
  const second = await sellAndRelease(seller);
  const third = await sellAndRelease(seller);
  await shop.runPayouts();
  const made = [...(await transfersOf(second)), ...(await transfersOf(third))];
  expect(made).toEqual([52_200]);
  expect(await money(seller)).toMatchObject({ due: 0, owed: 0 });
});

/** A seller to whose account a sale was transferred, and whose bank returns what is paid out to it. */
async function sellerWhoseBankReturnsPayouts(): Promise<Person> {
  const seller = await shop.seller();
  await onboarding(seller);
  await shop.cards.changeAccount(await accountIdOf(seller), {
    onboarding: { outcome: 'pass', bankAccount: '000999999991' },
  });
  await seller.client.call(contract.refreshPayoutAccount, {});
  await sellAndRelease(seller);
  await shop.runPayouts();
  return seller;
}

test('a payout that the bank returns after it had succeeded is told once, and the seller reads why (fault 11)', async () => {
  const seller = await sellerWhoseBankReturnsPayouts();
  for (let round = 0; round < 3; round += 1) {
    await shop.cards.payOut();
    await jobs();
  }
  await shop.cards.runDelayedOutcomes();
  await shop.cards.deliverEvents({ order: 'reversed', copies: 2 });
  await jobs();
  expect(await account(seller)).toMatchObject({ failedPayout: { amount: 522, reason: expect.any(String) } });
  expect(subjectsTo(shop, seller).filter((subject) => subject.includes('has failed'))).toEqual([
    'A payout of $522.00 has failed',
  ]);
  expect((await seller.client.call(readOwnData, {})).bankPayouts).toMatchObject([
    { amount_cents: '52200', state: 'failed' },
  ]);
});

test('an answer from before a payout failed is not stored after it, and the seller is told once', async () => {
  const seller = await sellerWhoseBankReturnsPayouts();
  await shop.cards.payOut();
  await jobs();
  await shop.cards.setFaults({
    calls: [{ method: 'GET', path: '/v1/payouts', kind: 'hold', moment: 'after', times: 1 }],
  });
  const days = (count: number) => later(count * 24 * 60 + 1);
  const overtaken = shop.runPayouts(days(1));
  await shop.cards.waitForHeldCalls(1);
  await shop.cards.runDelayedOutcomes();
  await shop.cards.deliverEvents({});
  await jobs();
  const failed = { failedPayout: { amount: 522, reason: expect.any(String) } };
  expect(await account(seller)).toMatchObject(failed);
  await shop.cards.releaseHeldCalls();
  await overtaken;
  expect(await account(seller)).toMatchObject(failed);
  await shop.runPayouts(days(2));
  await jobs();
  expect(subjectsTo(shop, seller).filter((subject) => subject.includes('has failed'))).toHaveLength(1);
});

test('an account whose creation got no answer is created by the next request with the same key', async () => {
  const seller = await shop.seller();
  await shop.cards.setFaults({
    calls: [{ method: 'POST', path: '/v2/core/accounts', kind: 'disconnect', moment: 'after', times: 3 }],
  });
  await expect(onboarding(seller)).rejects.toMatchObject({ code: 'card_processor_unavailable' });
  expect(await account(seller)).toMatchObject({ state: 'creating' });
  await onboarding(seller);
  expect(await accountIdOf(seller)).toMatch(/^acct_/);
  const { rows } = await shop.connection.pool.query(
    'select attempt from payout_accounts where seller_id = $1',
    [seller.userId],
  );
  expect(rows).toEqual([{ attempt: 1 }]);
});

test('a country that is no code is refused before the card processor is asked', async () => {
  const seller = await shop.seller();
  for (const country of ['', 'usa', 'U1', 'x'.repeat(2_000)]) {
    await expect(onboarding(seller, country)).rejects.toMatchObject({ code: 'invalid_input' });
  }
  expect(await account(seller)).toMatchObject({ state: 'none' });
});

/** Stripe's test card whose money is available at once, and so is what is transferred of it. */
const SETTLED_CARD = '4000000000000077';

test('a transfer that the shop does not know, as after a restore, is found before another one is made', async () => {
  const seller = await onboardedSeller();
  const sale = await harness.sellAndRelease(shop, seller, { card: SETTLED_CARD });
  const { latest_charge } = await shop.cards.stripe.paymentIntents.retrieve(sale.transactionId);
  const made = await shop.cards.stripe.transfers.create({
    amount: 52_200,
    currency: 'usd',
    destination: await accountIdOf(seller),
    source_transaction: String(latest_charge),
  });
  await shop.cards.stripe.transfers.createReversal(made.id, { amount: 10_000 });
  await shop.runPayouts();
  expect(await transfersOf(sale.orderId)).toEqual([]);
  expect(await money(seller)).toMatchObject({ due: 100, paid: 422 });
  // What was reversed outside of the shop is paid by hand.
  await shop.runPayouts(later(60));
  const { data } = await shop.cards.stripe.transfers.list({ destination: await accountIdOf(seller) });
  expect(data.map(({ id }) => id)).toEqual([made.id]);
});

test('a reversal that the shop does not know, as after a restore, is counted before another one is made', async () => {
  const seller = await onboardedSeller();
  const { orderId } = await harness.sellAndRelease(shop, seller, { card: SETTLED_CARD });
  await shop.runPayouts();
  const [transfer] = await harness.readTransfers(shop, orderId);
  await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
  await shop.cards.stripe.transfers.createReversal(transfer?.id ?? '', { amount: 30_000 });
  await refundOrder(orderId);
  await shop.runPayouts();
  expect(await harness.readTransfers(shop, orderId)).toMatchObject([{ amount_reversed: 52_200 }]);
  expect(await money(seller)).toMatchObject({ due: 0, paid: 0, owed: 0 });
});
