// Complaints that meet the buyer's bank, and complaints about sales whose seller was paid.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as payouts from '#contract/money/payouts.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import * as contract from '#contract/sales/complaints.ts';
import { confirmOrder, readOrder } from '#contract/sales/orders.ts';
import { readTransfers } from '#tests/harness/money/connected-seller.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { type Sale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { applyComplaintDeadlines } from './deadlines.ts';

/** Stripe's test card whose charges are disputed. */
const DISPUTED_CARD = '4000000000000259';

let shop: TestShop;
let admin: Person;
let sale: Sale;
beforeAll(async () => {
  shop = await startTestShop({
    settings: { commission: { basisPoints: 500, fixedCents: 50 } },
  });
  // Operators keep a balance at Stripe, which covers refunds of settled charges.
  await shop.cards.topUp(1_000_000);
  admin = await shop.admin();
});
afterAll(async () => {
  await waitForJobs();
  const ledger = await readProcessorLedger(shop.cards.stripe);
  expect(await findMoneyViolations(shop.connection.pool, ledger, null)).toEqual([]);
  await shop.close();
});

const waitForJobs = async () => {
  await shop.cards.deliverEvents({});
  await waitForEmptyQueue(shop.connection.pool);
};
const params = () => ({ _id: sale.orderId });
const complain = (kind: contract.ComplaintKind = 'does_not_work') =>
  sale.buyer.client.call(contract.complain, { params: params(), body: { kind, text: 'It does not start.' } });
const asBuyer = (move: (typeof contract.buyerAnswers)[number]) =>
  sale.buyer.client.call(contract.answerAsBuyer, { params: params(), body: { move } });
const asSeller = (move: (typeof contract.sellerAnswers)[number], amount?: number) =>
  sale.seller.client.call(contract.answerAsSeller, {
    params: params(),
    body: { move, text: 'I see it so.', ...(amount !== undefined && { amount }) },
  });
const decide = (move: (typeof contract.decisionsOfComplaint)[number]) =>
  admin.client.call(contract.decideComplaint, { params: params(), body: { move, text: 'We looked.' } });
const read = () => sale.buyer.client.call(readOrder, { params: params() });
const complaints = () => sale.buyer.client.call(contract.listComplaintsOfOrder, { params: params() });
const isListed = async (list: 'open' | 'closed') =>
  (await admin.client.call(contract.listComplaints, { query: { list } })).some(
    ({ orderId }) => orderId === sale.orderId,
  );
const passDays = (days: number) =>
  applyComplaintDeadlines(
    { database: shop.connection.database, enqueue: shop.enqueue },
    new Date(Date.now() + days * DAY_MS),
  );

describe('a bank dispute', () => {
  beforeEach(async () => {
    sale = await sellLaptop(shop, { card: DISPUTED_CARD });
  });

  /** The bank opens its dispute. @returns lets the bank decide */
  async function dispute() {
    await shop.cards.runDelayedOutcomes();
    await waitForJobs();
    expect(await read()).toMatchObject({ state: 'charge_disputed' });
    const [found] = (await shop.cards.stripe.disputes.list({ payment_intent: sale.transactionId })).data;
    return async (evidence: 'winning_evidence' | 'losing_evidence') => {
      await shop.cards.stripe.disputes.update(found?.id ?? '', {
        evidence: { uncategorized_text: evidence },
      });
      await waitForJobs();
    };
  }

  test('interrupts a complaint: nobody moves it meanwhile, words are possible, and a won one goes on where it was', async () => {
    await complain();
    await asSeller('accept');
    const decided = await dispute();
    for (const attempt of [
      () => asBuyer('report_return'),
      () => asSeller('confirm_return'),
      () => decide('decide_refund'),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'order_moved' });
    }
    await passDays(60);
    expect(await read()).toMatchObject({ state: 'charge_disputed', dueAt: null });
    await sale.seller.client.call(contract.sayAboutComplaint, {
      params: params(),
      body: { text: 'My bank knows.' },
    });
    expect(await complaints()).toMatchObject([{ isOpen: true }]);
    expect(await isListed('open')).toBe(true);
    await decided('winning_evidence');
    const after = await read();
    expect(after.state).toBe('awaiting_return');
    // A whole new time, because nobody could act meanwhile.
    expect(Date.parse(after.dueAt ?? '') - Date.now()).toBeGreaterThan(13.9 * DAY_MS);
    await asBuyer('report_return');
    await asSeller('confirm_return');
    await waitForJobs();
    expect(await shop.cards.refundedCents(sale.transactionId)).toBe(54_999);
  });

  test('that is lost settles the complaint: the bank has given the money back', async () => {
    await complain();
    await asSeller('contest');
    const decided = await dispute();
    await decided('losing_evidence');
    expect(await read()).toMatchObject({ state: 'charged_back', refunded: 549.99 });
    expect(await complaints()).toMatchObject([{ isOpen: false }]);
    expect([await isListed('open'), await isListed('closed')]).toEqual([false, true]);
    await expect(decide('decide_refund')).rejects.toMatchObject({ code: 'order_moved' });
    await expect(complain()).rejects.toMatchObject({ code: 'order_moved' });
    expect(await shop.cards.refundedCents(sale.transactionId)).toBe(0);
  });

  test('of a sale that was refunded in part leaves it so when it is won: nothing is refunded twice', async () => {
    await complain();
    await asSeller('offer', 100);
    await sale.buyer.client.call(contract.answerAsBuyer, {
      params: params(),
      body: { move: 'take_offer', amount: 100 },
    });
    await waitForJobs();
    const decided = await dispute();
    await decided('winning_evidence');
    expect(await read()).toMatchObject({ state: 'released', refunded: 100 });
    await waitForJobs();
    expect(await shop.cards.refundedCents(sale.transactionId)).toBe(10_000);
  });
});

describe('after the seller was paid', () => {
  const money = () => sale.seller.client.call(payouts.readOwnMoney, {});

  beforeEach(async () => {
    const seller = await shop.seller();
    await seller.client.call(payouts.startOnboarding, { body: { country: 'US' } });
    const { rows } = await shop.connection.pool.query<{ account_id: string }>(
      'select account_id from payout_accounts where seller_id = $1',
      [seller.userId],
    );
    await shop.cards.changeAccount(rows[0]?.account_id ?? '', { onboarding: { outcome: 'pass' } });
    await seller.client.call(payouts.refreshPayoutAccount, {});
    sale = await sellLaptop(shop, { seller });
    await sale.buyer.client.call(confirmOrder, { params: params() });
    await shop.runPayouts();
    await shop.cards.settleFunds();
    expect(await money()).toMatchObject({ due: 0, paid: 522 });
  });

  test('a returned laptop takes the transfer back', async () => {
    await complain('locked');
    // The transfer stays while nothing is decided.
    await shop.runPayouts();
    expect(await money()).toMatchObject({ paid: 522, owed: 0 });
    await asSeller('accept');
    await asBuyer('report_return');
    await asSeller('confirm_return');
    expect(await money()).toMatchObject({ owed: 522 });
    await shop.runPayouts();
    await waitForJobs();
    expect(await money()).toEqual({ currency: 'USD', held: 0, due: 0, paid: 0, owed: 0 });
    expect(await shop.cards.refundedCents(sale.transactionId)).toBe(54_999);
  });

  test('a part of the price takes that part of the transfer back, less the commission on it', async () => {
    await complain();
    await asSeller('offer', 100);
    await passDays(7.1);
    await shop.runPayouts();
    await waitForJobs();
    expect(await shop.cards.refundedCents(sale.transactionId)).toBe(10_000);
    const { paid, owed } = await money();
    expect(owed).toBe(0);
    // The commission of $27.99 becomes $22.90 of the $449.99 that are left.
    expect(paid).toBe(427.09);
    const data = await readTransfers(shop, sale.orderId);
    expect(data).toMatchObject([{ amount: 52_200, amount_reversed: 9_491 }]);
  });

  test('a complaint that ends for the seller changes nothing of it', async () => {
    await complain();
    await decide('decide_release');
    await shop.runPayouts();
    expect(await read()).toMatchObject({ state: 'released' });
    expect(await money()).toEqual({ currency: 'USD', held: 0, due: 0, paid: 522, owed: 0 });
  });
});
