// What a lost dispute settles: failed refunds of its payment, several disputes of one payment, and money that comes back later.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { explainMovement, readShopMoney } from '#contract/money/accounting.ts';
import { readOwnMoney } from '#contract/money/payouts.ts';
import { recordSettlement } from '#contract/money/settlements.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { answerAsBuyer, answerAsSeller, complain } from '#contract/sales/complaints.ts';
import {
  listWaitingRefunds,
  payRefundByHand,
  payWaitingRefund,
  readOrder,
  refundOrder,
} from '#contract/sales/orders.ts';
import { decideDelivered, shipParcel } from '#contract/sales/shipping.ts';
import { compareWithProcessor } from '#server/money/accounting/actions.ts';
import { findRefunds } from '#server/money/refunds/steps.ts';
import { findBooking } from '#server/sales/bookings/steps.ts';
import * as harness from '#tests/harness/money/connected-seller.ts';
import { findLedgerViolations } from '#tests/harness/money/ledger-invariants.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { completeOrder, type Sale, sampleAddress, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { applyRefund } from './apply-refund.ts';
import { applyDispute } from './disputes.ts';
import { retryRefund } from './refunds.ts';
import type { DisputeState } from './states.ts';

/** Stripe's test card whose charges are disputed. */
const DISPUTED_CARD = '4000000000000259';

let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await startTestShop({ settings: { commission: harness.commission } });
  admin = await shop.admin();
});
afterEach(async () => {
  await shop.cards.setFaults({});
  expect(await findLedgerViolations(shop.connection.pool)).toEqual([]);
});
afterAll(() => shop.close());

const jobs = () => waitForEmptyQueue(shop.connection.pool);
const database = () => shop.connection.database;
const figures = () => admin.client.call(readShopMoney, {});
const read = ({ buyer, orderId }: Sale) => buyer.client.call(readOrder, { params: { _id: orderId } });
const waitingOf = async ({ orderId }: Sale) =>
  (await admin.client.call(listWaitingRefunds, { query: {} })).filter((item) => item.orderId === orderId);
const actsAbout = async ({ transactionId }: Sale) =>
  (await admin.client.call(listAuditTrail, { query: {} }))
    .filter(({ subject }) => subject.includes(transactionId))
    .map(({ act }) => act)
    .reverse();

async function refundState({ transactionId }: Sale): Promise<string | undefined> {
  const { rows } = await shop.connection.pool.query<{ state: string }>(
    'select state from refunds where transaction_id = $1',
    [transactionId],
  );
  return rows[0]?.state;
}

const refundsOf = async (sale: Sale) =>
  (await read(sale)).refunds
    .map(({ amount, state }) => [amount, state] as const)
    .sort(([one], [other]) => one - other);

/** Sells a laptop and refunds it when its seller was paid and the money has left: only the commission's share is refunded. */
async function sellAndRefundAfterPayout(): Promise<Sale> {
  const sale = await harness.sellAndRelease(shop, await harness.onboardedSeller(shop));
  await completeOrder(shop, sale.orderId);
  await shop.runPayouts();
  await shop.cards.payOut();
  const body = { amount: 549.99, from: 'seller', text: 'It was stolen goods.' } as const;
  await shop.cards.topUp(100_000);
  await admin.client.call(refundOrder, { params: { _id: sale.orderId }, body });
  await jobs();
  return sale;
}

/** Lets the bank dispute a payment, without a word to the shop. @returns lets the bank decide for the buyer, and tells the shop */
async function disputeSilently({ transactionId }: Sale) {
  await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
  await shop.cards.runDelayedOutcomes();
  const [dispute] = (await shop.cards.stripe.disputes.list({ payment_intent: transactionId })).data;
  return async () => {
    await shop.cards.stripe.disputes.close(dispute?.id ?? '');
    await shop.cards.deliverEvents({});
  };
}

/** Applies a state of an invented dispute, as its event does. */
async function dispute(
  { bookingId, transactionId }: Sale,
  disputeId: string,
  state: DisputeState,
  amountCents = 54_999,
  reason = 'fraudulent',
): Promise<void> {
  const booking = await findBooking(database(), bookingId);
  if (booking === undefined) throw new Error('There is no such booking.');
  await applyDispute({ database: database(), enqueue: shop.enqueue }, booking, {
    ...{ disputeId, transactionId, amountCents, reason, state, evidenceDueAt: null },
  });
  await jobs();
}

describe('a refund that a lost dispute made good', () => {
  test('is settled when it was refused because of the dispute: nothing is due and nothing is lost', async () => {
    const before = await figures();
    const sale = await harness.sellAndRelease(shop, await shop.seller(), { card: DISPUTED_CARD });
    const lose = await disputeSilently(sale);
    await harness.refundOrder(shop, sale.orderId);
    await jobs();
    expect(await refundState(sale)).toBe('failed');
    expect((await figures()).refundsDueCents - before.refundsDueCents).toBe(54_999);

    await lose();
    await jobs();
    expect(await refundState(sale)).toBe('paid_by_bank');
    const { refundsDueCents, lostDisputesCents, disputedCents } = await figures();
    expect({ refundsDueCents, lostDisputesCents, disputedCents }).toEqual({
      refundsDueCents: before.refundsDueCents,
      lostDisputesCents: before.lostDisputesCents,
      disputedCents: before.disputedCents,
    });
    expect(await retryRefund(database(), sale.transactionId)).toEqual({ kind: 'paid_by_bank' });
    expect(await actsAbout(sale)).toEqual([
      'Refund failed',
      'Dispute opened',
      'Refund settled by bank',
      'Dispute lost',
    ]);
  });

  test('is settled when it fails after the dispute was lost, and nobody is asked to try it again', async () => {
    const before = await figures();
    const sale = await harness.sellAndRelease(shop, await shop.seller(), { card: DISPUTED_CARD });
    const lose = await disputeSilently(sale);
    await shop.cards.setFaults({
      webhooks: { mode: 'hold' },
      calls: [{ method: 'POST', path: '/v1/refunds', kind: 'hold', moment: 'before' }],
    });
    await harness.refundOrder(shop, sale.orderId);
    await shop.cards.waitForHeldCalls(1);
    await lose();
    await expect.poll(() => actsAbout(sale)).toContain('Dispute lost');
    expect((await figures()).lostDisputesCents - before.lostDisputesCents).toBe(54_999);
    await shop.cards.releaseHeldCalls();
    await jobs();
    expect(await refundState(sale)).toBe('paid_by_bank');
    const { refundsDueCents, lostDisputesCents } = await figures();
    expect({ refundsDueCents, lostDisputesCents }).toEqual({
      refundsDueCents: before.refundsDueCents,
      lostDisputesCents: before.lostDisputesCents,
    });
    const asked = shop.mails.filter(({ text }) => text.includes(`refund-again ${sale.transactionId}`));
    expect(asked).toEqual([]);
  });

  test('is not one that was made before: then the shop bears the loss', async () => {
    const before = await figures();
    const sale = await harness.sellAndRelease(shop, await shop.seller());
    await harness.refundOrder(shop, sale.orderId);
    await jobs();
    expect(await refundState(sale)).toBe('done');
    await dispute(sale, 'dp_after_refund', 'disputed');
    await dispute(sale, 'dp_after_refund', 'lost');
    expect(await refundState(sale)).toBe('done');
    expect((await figures()).lostDisputesCents - before.lostDisputesCents).toBe(54_999);
  });

  test('is settled when it waits for the seller’s money, which the seller keeps owing', async () => {
    const before = await figures();
    const sale = await sellAndRefundAfterPayout();
    await dispute(sale, 'dp_waiting', 'disputed', 52_200);
    await dispute(sale, 'dp_waiting', 'lost', 52_200);
    expect(await refundsOf(sale)).toEqual([
      [27.99, 'done'],
      [522, 'paid_by_bank'],
    ]);
    expect(await waitingOf(sale)).toEqual([]);
    const { refundsDueCents, lostDisputesCents } = await figures();
    expect({ refundsDueCents, lostDisputesCents }).toEqual({
      refundsDueCents: before.refundsDueCents,
      lostDisputesCents: before.lostDisputesCents,
    });
    expect(await sale.seller.client.call(readOwnMoney, {})).toMatchObject({ owed: 522 });
  });

  test('is settled in part by a dispute over less than the refund: only the rest stays due, and nothing is lost', async () => {
    const before = await figures();
    const sale = await harness.sellAndRelease(shop, await shop.seller(), { card: DISPUTED_CARD });
    await disputeSilently(sale);
    await harness.refundOrder(shop, sale.orderId);
    await jobs();
    await dispute(sale, 'dp_less', 'lost', 10_000);
    expect(await refundsOf(sale)).toEqual([
      [100, 'paid_by_bank'],
      [449.99, 'failed'],
    ]);
    const after = await figures();
    expect(after.refundsDueCents - before.refundsDueCents).toBe(44_999);
    expect(after.lostDisputesCents - before.lostDisputesCents).toBe(0);
    expect(await retryRefund(database(), sale.transactionId)).toMatchObject({
      kind: 'begun',
      attempts: [{ amount: '$449.99' }],
    });
  });

  test('is settled in part when it waits or fails after the dispute was lost', async () => {
    const before = await figures();
    const sale = await sellAndRefundAfterPayout();
    await dispute(sale, 'dp_waiting_in_part', 'lost', 10_000);
    expect(await refundsOf(sale)).toEqual([
      [27.99, 'done'],
      [100, 'paid_by_bank'],
      [422, 'waiting'],
    ]);
    // What was made at once comes back: the bank had covered none of it.
    const late = await harness.sellAndRelease(shop, await shop.seller());
    await harness.refundOrder(shop, late.orderId);
    await jobs();
    await dispute(late, 'dp_before_failure', 'lost', 10_000);
    expect((await figures()).lostDisputesCents - before.lostDisputesCents).toBe(10_000);
    const [refund] = await findRefunds(database(), late.transactionId);
    if (refund === undefined) throw new Error('There is no refund.');
    const failed = {
      status: 'failed',
      failureReason: 'expired_or_canceled_card',
      pendingReason: null,
    } as const;
    await applyRefund({ ...shop, database: database() }, refund, failed);
    await jobs();
    expect(await refundsOf(late)).toEqual([
      [100, 'paid_by_bank'],
      [449.99, 'failed'],
    ]);
    expect((await figures()).lostDisputesCents - before.lostDisputesCents).toBe(0);
    const asked = shop.mails.filter(({ text }) => text.includes(`refund-again ${late.transactionId}`));
    expect(asked).toMatchObject([{ to: admin.email, text: expect.stringContaining('$449.99') }]);
  });
});

describe('a refund that the card processor refused because of a dispute', () => {
  test('is made by itself, once, when the bank decides for the shop', async () => {
    const sale = await harness.sellAndRelease(shop, await shop.seller(), { card: DISPUTED_CARD });
    await disputeSilently(sale);
    await harness.refundOrder(shop, sale.orderId);
    await jobs();
    expect(await refundState(sale)).toBe('failed');
    // Who pays it another way meanwhile pays it twice.
    const told = shop.mails.find(
      ({ to, text }) =>
        to === admin.email && text.includes(sale.transactionId) && text.includes('charge disputed'),
    );
    expect(told?.text).toContain('Do not pay the buyer another way meanwhile');
    expect(told?.text).not.toContain('refund-again');
    const [found] = (await shop.cards.stripe.disputes.list({ payment_intent: sale.transactionId })).data;
    const evidence = { uncategorized_text: 'winning_evidence' };
    await shop.cards.stripe.disputes.update(found?.id ?? '', { evidence });
    await shop.cards.deliverEvents({ copies: 2 });
    await jobs();
    expect(await refundState(sale)).toBe('done');
    expect(await shop.cards.refundedCents(sale.transactionId)).toBe(54_999);
    const acts = await actsAbout(sale);
    expect(acts.filter((act) => act === 'Refund went through')).toHaveLength(1);
    expect(acts.filter((act) => act === 'Tried refund again')).toHaveLength(1);
  });

  /** Lets the refunds of a payment fail. */
  async function failRefunds({ transactionId }: Sale, failureReason: string) {
    for (const refund of await findRefunds(database(), transactionId)) {
      const failed = { status: 'failed', failureReason, pendingReason: null } as const;
      await applyRefund({ ...shop, database: database() }, refund, failed);
    }
    await jobs();
  }

  test('waits until all disputes of the payment are decided, and one that failed otherwise for an admin', async () => {
    const [refused, expired] = [
      await harness.sellAndRelease(shop, await shop.seller()),
      await harness.sellAndRelease(shop, await shop.seller()),
    ];
    await harness.refundOrder(shop, refused.orderId);
    await harness.refundOrder(shop, expired.orderId);
    await jobs();
    await failRefunds(refused, 'charge_disputed');
    await failRefunds(expired, 'expired_or_canceled_card');
    await dispute(refused, 'dp_refused_one', 'disputed', 20_000);
    await dispute(refused, 'dp_refused_other', 'disputed', 30_000);
    await dispute(refused, 'dp_refused_one', 'won', 20_000);
    expect(await refundState(refused)).toBe('failed');
    await dispute(refused, 'dp_refused_other', 'won', 30_000);
    expect(await refundState(refused)).not.toBe('failed');
    await dispute(expired, 'dp_expired', 'disputed');
    await dispute(expired, 'dp_expired', 'won');
    expect(await refundState(expired)).toBe('failed');
  });

  test('is due again with what a lost dispute left of it when that is won after all', async () => {
    const sale = await harness.sellAndRelease(shop, await shop.seller());
    await harness.refundOrder(shop, sale.orderId);
    await jobs();
    await failRefunds(sale, 'charge_for_pending_refund_disputed');
    await dispute(sale, 'dp_lost_in_part', 'lost', 10_000);
    expect(await refundsOf(sale)).toEqual([
      [100, 'paid_by_bank'],
      [449.99, 'failed'],
    ]);
    await dispute(sale, 'dp_lost_in_part', 'won', 10_000);
    const [settled, rest] = await refundsOf(sale);
    // The $100.00 are owed again. The refund at the card processor, whose failure is invented here, pays both.
    expect(settled).toEqual([100, 'done']);
    expect(rest?.[1]).not.toBe('failed');
  });
});

test('refunds that a lost dispute paid are owed again when it is won after all, also in part and those that failed later', async () => {
  shop.mails.length = 0;
  const before = await figures();
  const sale = await harness.sellAndRelease(shop, await shop.seller());
  await harness.refundOrder(shop, sale.orderId);
  await jobs();
  await dispute(sale, 'dp_back', 'disputed', 30_000);
  await dispute(sale, 'dp_back', 'lost', 30_000);
  const [refund] = await findRefunds(database(), sale.transactionId);
  if (refund === undefined) throw new Error('There is no refund.');
  const failed = { status: 'failed', failureReason: 'lost_or_stolen_card', pendingReason: null } as const;
  await applyRefund({ ...shop, database: database() }, refund, failed);
  await jobs();
  expect(await refundsOf(sale)).toEqual([
    [249.99, 'failed'],
    [300, 'paid_by_bank'],
  ]);
  const told = (start: string) =>
    shop.mails.find(({ to, subject }) => to === admin.email && subject.startsWith(start))?.text;
  // The sale had ended before: no order waits, and no seller owes anything.
  expect(told('A payment is disputed')).toContain('No sale waits for this');
  expect(told('The dispute is lost')).toContain('No sale ends by this');

  await dispute(sale, 'dp_back', 'won', 30_000);
  expect(await refundsOf(sale)).toEqual([
    [249.99, 'failed'],
    [300, 'failed'],
  ]);
  expect(await waitingOf(sale)).toContainEqual(
    expect.objectContaining({ amount: 300, isFailed: true, why: expect.stringContaining('won after all') }),
  );
  const after = await figures();
  expect(after.refundsDueCents - before.refundsDueCents).toBe(54_999);
  expect(after.suspenseCents).toBe(before.suspenseCents);
  expect(after.lostDisputesCents).toBe(before.lostDisputesCents);
  const reinstated = told('A lost dispute was won after all');
  expect(reinstated).toContain('$300.00 of it had paid refunds of this payment');
  expect(reinstated).not.toContain('suspense');
  for (const { _id } of await waitingOf(sale)) {
    await admin.client.call(payRefundByHand, { params: { _id }, body: { reference: `by hand ${_id}` } });
  }
  expect((await refundsOf(sale)).map(([, state]) => state)).toEqual(['paid_by_hand', 'paid_by_hand']);
  expect((await figures()).refundsDueCents).toBe(before.refundsDueCents);
});

describe('a refund that waits for the seller’s money', () => {
  const pay = async (sale: Sale) => {
    const [item] = await waitingOf(sale);
    return admin.client.call(payWaitingRefund, { params: { _id: item?._id ?? '' } });
  };

  test('is not made while a bank disputes the payment, neither by itself nor by an admin, and goes on when the shop has won', async () => {
    const sale = await sellAndRefundAfterPayout();
    await dispute(sale, 'dp_of_waiting', 'disputed', 52_200);
    await expect(pay(sale)).rejects.toMatchObject({ code: 'refund_refused' });
    const body = { kind: 'repaid', sellerId: sale.seller.userId, amount: 522, note: 'bank 7' } as const;
    await admin.client.call(recordSettlement, { body });
    await shop.reconcile(new Date());
    await jobs();
    expect(await refundsOf(sale)).toEqual([
      [27.99, 'done'],
      [522, 'waiting'],
    ]);
    await dispute(sale, 'dp_of_waiting', 'won', 52_200);
    await shop.reconcile(new Date());
    await jobs();
    expect(await refundsOf(sale)).toEqual([
      [27.99, 'done'],
      [522, 'done'],
    ]);
  });
});

describe('several disputes of one payment', () => {
  test('the first one that is won does not reopen the order while another is open', async () => {
    const sale = await harness.sellAndRelease(shop, await shop.seller());
    await dispute(sale, 'dp_first', 'disputed', 20_000);
    await dispute(sale, 'dp_second', 'disputed', 30_000);
    await dispute(sale, 'dp_first', 'won', 20_000);
    expect(await read(sale)).toMatchObject({ state: 'charge_disputed' });
    await dispute(sale, 'dp_second', 'won', 30_000);
    expect(await read(sale)).toMatchObject({ state: 'released', refunded: 0 });
  });

  test('one that is lost ends the order when the last one is decided: the rest of an unreleased sale goes back', async () => {
    const sale = await sellLaptop(shop);
    await dispute(sale, 'dp_lost', 'disputed', 20_000);
    await dispute(sale, 'dp_won', 'inquiry', 30_000);
    await dispute(sale, 'dp_lost', 'lost', 20_000);
    expect(await read(sale)).toMatchObject({ state: 'charge_disputed', refunded: 200 });
    await dispute(sale, 'dp_won', 'inquiry_closed', 30_000);
    expect(await read(sale)).toMatchObject({
      state: 'charged_back',
      refunded: 549.99,
      refunds: [{ amount: 349.99, reason: 'charged_back' }],
    });
  });

  test('that undo a sale give the rest back once: goodwill is a part of it, and nothing stays held', async () => {
    const sale = await sellLaptop(shop);
    const before = await figures();
    const body = { amount: 50, from: 'shop', text: 'Sorry for the wait.' } as const;
    await admin.client.call(refundOrder, { params: { _id: sale.orderId }, body });
    await jobs();
    await dispute(sale, 'dp_part', 'lost', 20_000);
    expect(await read(sale)).toMatchObject({ state: 'charged_back', refunded: 549.99, goodwill: 0 });
    expect(await shop.cards.refundedCents(sale.transactionId)).toBe(34_999);
    const { heldCents, goodwillCents, lostDisputesCents } = await figures();
    expect(before.heldCents - heldCents).toBe(54_999);
    expect({ goodwillCents, lostDisputesCents }).toEqual({
      goodwillCents: before.goodwillCents,
      lostDisputesCents: before.lostDisputesCents,
    });
  });

  test('one that takes the whole price is recorded although another one is open and the buyer had got goodwill', async () => {
    const sale = await harness.sellAndRelease(shop, await shop.seller());
    const body = { amount: 50, from: 'shop', text: 'Sorry for the wait.' } as const;
    await admin.client.call(refundOrder, { params: { _id: sale.orderId }, body });
    await jobs();
    await dispute(sale, 'dp_open', 'inquiry', 10_000);
    await dispute(sale, 'dp_all', 'disputed');
    await dispute(sale, 'dp_all', 'lost');
    expect(await read(sale)).toMatchObject({ state: 'charge_disputed', refunded: 549.99, goodwill: 50 });
    await dispute(sale, 'dp_open', 'inquiry_closed', 10_000);
    expect(await read(sale)).toMatchObject({ state: 'charged_back', refunded: 549.99, goodwill: 50 });
  });

  test('one that was lost and won afterwards still ends the order when the last one is won', async () => {
    const sale = await sellLaptop(shop);
    await dispute(sale, 'dp_lost_first', 'disputed', 20_000);
    await dispute(sale, 'dp_won_last', 'disputed', 30_000);
    await dispute(sale, 'dp_lost_first', 'lost', 20_000);
    await dispute(sale, 'dp_lost_first', 'won', 20_000);
    await dispute(sale, 'dp_won_last', 'won', 30_000);
    expect(await read(sale)).toMatchObject({
      state: 'charged_back',
      refunded: 549.99,
      refunds: [{ amount: 349.99, reason: 'charged_back' }],
    });
  });

  test('one that was lost and won afterwards lets an operator give the rest back while another one is open', async () => {
    const sale = await sellLaptop(shop);
    await dispute(sale, 'dp_lost_before', 'disputed', 20_000);
    await dispute(sale, 'dp_open_still', 'inquiry', 30_000);
    await dispute(sale, 'dp_lost_before', 'lost', 20_000);
    await dispute(sale, 'dp_lost_before', 'won', 20_000);
    await shop.cards.stripe.refunds.create({ payment_intent: sale.transactionId, amount: 34_999 });
    await shop.cards.deliverEvents({});
    await jobs();
    expect(await read(sale)).toMatchObject({
      state: 'refunded',
      refunded: 549.99,
      refunds: [{ amount: 349.99, reason: 'made_at_processor' }],
    });
  });

  test('both can be lost, also the second one after the order has ended', async () => {
    const sale = await harness.sellAndRelease(shop, await shop.seller());
    await dispute(sale, 'dp_one', 'lost', 20_000);
    expect(await read(sale)).toMatchObject({ state: 'charged_back', refunded: 200 });
    await dispute(sale, 'dp_two', 'disputed', 34_999);
    await dispute(sale, 'dp_two', 'lost', 34_999);
    expect(await read(sale)).toMatchObject({ state: 'charged_back', refunded: 549.99 });
  });
});

describe('a part of the price that a bank takes back of a laptop that was sent', () => {
  const laptopOf = async ({ laptopId }: Sale) => {
    const { rows } = await shop.connection.pool.query('select state from laptops where id = $1', [laptopId]);
    return rows[0].state;
  };
  /** Sends a laptop, and comes to the state in which the bank finds its order. */
  async function sendAndLose(
    name: string,
    arrive: (sale: Sale) => Promise<unknown>,
    reason?: string,
  ): Promise<Sale> {
    const sale = await sellLaptop(shop, { address: sampleAddress });
    const parcel = { carrier: 'UPS', trackingNumber: `1Z${sale.orderId.replaceAll('-', '').slice(0, 12)}` };
    await sale.seller.client.call(shipParcel, { params: { _id: sale.orderId }, body: parcel });
    await arrive(sale);
    await dispute(sale, name, 'disputed', 20_000, reason);
    await dispute(sale, name, 'lost', 20_000, reason);
    return sale;
  }
  const decide = ({ orderId }: Sale) =>
    admin.client.call(decideDelivered, { params: { _id: orderId }, body: { text: 'The carrier says so.' } });

  test('leaves the rest to the seller, and the laptop to the buyer, when the parcel was delivered', async () => {
    const sale = await sendAndLose('dp_delivered', decide);
    expect(await read(sale)).toMatchObject({
      ...{ state: 'charged_back', refunded: 200, laptopWithBuyer: true, refunds: [] },
    });
    expect(await laptopOf(sale)).toBe('sold');
    // $349.99 less the commission on them.
    expect(await sale.seller.client.call(readOwnMoney, {})).toMatchObject({ held: 0, due: 332.18 });
  });

  test.each([
    ['it is under way', 'dp_under_way', async () => undefined, undefined],
    ['the buyer told the bank that it had not arrived', 'dp_not_received', decide, 'product_not_received'],
    [
      'the buyer misses it',
      'dp_not_arrived',
      async (sale: Sale) => {
        await decide(sale);
        const body = { kind: 'not_arrived', text: 'Nothing is here.' } as const;
        await sale.buyer.client.call(complain, { params: { _id: sale.orderId }, body });
      },
      undefined,
    ],
    [
      'the buyer has sent it back',
      'dp_sent_back',
      async (sale: Sale) => {
        await decide(sale);
        const params = { _id: sale.orderId };
        const body = { kind: 'damaged', text: 'The lid is broken.' } as const;
        await sale.buyer.client.call(complain, { params, body });
        await sale.seller.client.call(answerAsSeller, { params, body: { move: 'accept' } });
        await sale.buyer.client.call(answerAsBuyer, { params, body: { move: 'report_return' } });
      },
      undefined,
    ],
  ])('is followed by the rest while %s', async (_title, name, arrive, reason) => {
    const sale = await sendAndLose(name, arrive, reason);
    expect(await read(sale)).toMatchObject({
      ...{ state: 'charged_back', refunded: 549.99, laptopWithBuyer: false },
      refunds: [{ amount: 349.99, reason: 'charged_back' }],
    });
    expect(await laptopOf(sale)).toBe('withdrawn');
  });
});

test('money of a lost dispute that comes back is nobody’s until the admins decide, who are told once', async () => {
  shop.mails.length = 0;
  const sale = await harness.sellAndRelease(shop, await shop.seller());
  await dispute(sale, 'dp_reinstated', 'disputed');
  await dispute(sale, 'dp_reinstated', 'lost');
  const before = await figures();
  await dispute(sale, 'dp_reinstated', 'won');
  await dispute(sale, 'dp_reinstated', 'won');
  // An answer from before.
  await dispute(sale, 'dp_reinstated', 'lost');
  const { rows } = await shop.connection.pool.query(
    `select account, amount_cents::int as cents from ledger_entries
       join ledger_postings on ledger_postings.id = posting_id
      where reference = 'dp_reinstated' and kind in ('dispute_won', 'dispute_reinstated') order by account`,
  );
  expect(rows).toEqual([
    { account: 'processor', cents: 54_999 },
    { account: 'suspense', cents: -54_999 },
  ]);
  const { processorCents, disputedCents } = await figures();
  expect(processorCents - before.processorCents).toBe(54_999);
  expect(disputedCents).toBe(before.disputedCents);
  expect(await read(sale)).toMatchObject({ state: 'charged_back', refunded: 549.99 });
  expect(await actsAbout(sale)).toEqual(['Dispute opened', 'Dispute lost', 'Dispute won']);
  const told = shop.mails.filter(
    ({ to, subject }) => to === admin.email && subject.startsWith('A lost dispute was won after all'),
  );
  expect(told).toHaveLength(1);

  const explain = async (explanation: 'own_money' | 'shop_loss') => {
    const now = new Date(Date.now() + 2 * 3_600_000);
    const balance = { listBalanceTransactions: async () => ({ items: [], nextCursor: null }) };
    const { rows: differences } = await compareWithProcessor(
      { database: database(), enqueue: shop.enqueue, balance },
      now,
    );
    const difference = differences.find(({ reference }) => reference === 'dp_reinstated');
    expect(difference).toMatchObject({
      kind: 'unknown_movement',
      movement: 'dispute',
      processor_cents: '54999',
    });
    const body = { explanation, note: 'The laptop is the seller’s again.' };
    return admin.client.call(explainMovement, { params: { _id: difference?.id ?? '' }, body });
  };
  await expect(explain('own_money')).rejects.toMatchObject({ code: 'invalid_input' });
  await explain('shop_loss');
  const after = await figures();
  expect(after.suspenseCents).toBe(before.suspenseCents);
  expect(after.lostDisputesCents - before.lostDisputesCents).toBe(-54_999);
  expect(after.differences.filter(({ reference }) => reference === 'dp_reinstated')).toEqual([]);
});
