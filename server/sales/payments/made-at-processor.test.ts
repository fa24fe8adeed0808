// Refunds that an operator makes in the card processor's dashboard, found by their events, by the daily reading, or before a transfer.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readOwnMoney } from '#contract/money/payouts.ts';
import { cancelSale } from '#contract/sales/complaints.ts';
import { confirmOrder, type Order, readOrder } from '#contract/sales/orders.ts';
import { compareDaily } from '#server/money/accounting/actions.ts';
import { checkUnknownMovements, disputeEvent } from '#server/money/refunds/steps.ts';
import { createPayoutProcessor } from '#server/providers/stripe-connect.ts';
import { commission, onboardedSeller } from '#tests/harness/money/connected-seller.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { bookOneLaptop, subjectsTo } from '#tests/harness/sales/booked-laptop.ts';
import { type Sale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

const SLOW_CARD = '4000000000007726';
const FAILING_CARD = '4000000000005126';
const DISPUTED_CARD = '4000000000000259';
const heldEvents = { webhooks: { mode: 'hold' } } as const;

let shop: TestShop;
let admin: Person;
let seller: Person;

beforeAll(async () => {
  shop = await startTestShop({ settings: { commission } });
  [admin, seller] = [await shop.admin(), await onboardedSeller(shop)];
});
afterEach(async () => {
  await waitForJobs();
  await shop.cards.setFaults({});
  const ledger = await readProcessorLedger(shop.cards.stripe);
  expect(await findMoneyViolations(shop.connection.pool, ledger, null)).toEqual([]);
});
afterAll(() => shop.close());

async function waitForJobs() {
  await shop.cards.deliverEvents({});
  await waitForEmptyQueue(shop.connection.pool);
}

const read = ({ orderId }: Sale): Promise<Order> =>
  admin.client.call(readOrder, { params: { _id: orderId } });
const refundByHand = ({ transactionId }: Sale, amount?: number) =>
  shop.cards.stripe.refunds.create({
    payment_intent: transactionId,
    ...(amount !== undefined && { amount }),
  });
const laptopState = async ({ laptopId }: Sale): Promise<string> => {
  const { rows } = await shop.connection.pool.query('select state from laptops where id = $1', [laptopId]);
  return rows[0].state;
};
const confirm = ({ buyer, orderId }: Sale) => buyer.client.call(confirmOrder, { params: { _id: orderId } });
describe('a refund in the dashboard', () => {
  test('of the whole price ends the order: nothing is released, and the laptop is the seller’s again', async () => {
    const sale = await sellLaptop(shop, { seller });
    await refundByHand(sale);
    await waitForJobs();
    expect(await read(sale)).toMatchObject({
      state: 'refunded',
      refunded: 549.99,
      refunds: [{ amount: 549.99, reason: 'made_at_processor', state: 'done' }],
    });
    expect(await laptopState(sale)).toBe('withdrawn');
    await expect(confirm(sale)).rejects.toMatchObject({ code: 'order_moved' });
    await shop.runPayouts();
    expect(await seller.client.call(readOwnMoney, {})).toMatchObject({ held: 0, due: 0, paid: 0 });
    expect(subjectsTo(shop, admin)).toContain('A refund was made at the card processor: EliteBook 840 G8');
    expect(subjectsTo(shop, sale.buyer)).toContain('Your money for EliteBook 840 G8 is on its way back');
    expect(subjectsTo(shop, seller)).toContain('A refund of your sale of EliteBook 840 G8');
    // The same event again, as if it were new.
    await shop.connection.pool.query('delete from webhook_events');
    await shop.cards.deliverEvents({ events: await shop.cards.listEventIds(sale.transactionId), copies: 2 });
    await waitForJobs();
    expect((await read(sale)).refunds).toHaveLength(1);
  });

  test('of a part leaves the order, and only the rest is released', async () => {
    const sale = await sellLaptop(shop, { seller });
    await refundByHand(sale, 10_000);
    await refundByHand(sale, 4_999);
    await waitForJobs();
    expect(await read(sale)).toMatchObject({ state: 'held', refunded: 149.99, proceeds: 379.65 });
    await confirm(sale);
    await shop.runPayouts();
    // Of the commission of $27.99, $20.35 are left of the $400.00.
    expect(await seller.client.call(readOwnMoney, {})).toMatchObject({ due: 0, paid: 379.65 });
  });

  test('that is pending is recorded as such, and one that fails is owed to the buyer', async () => {
    const slow = await sellLaptop(shop, { seller, card: SLOW_CARD });
    await refundByHand(slow, 5_000);
    await waitForJobs();
    expect((await read(slow)).refunds).toMatchObject([{ amount: 50, state: 'pending' }]);
    await shop.cards.runDelayedOutcomes();
    await waitForJobs();
    expect((await read(slow)).refunds).toMatchObject([{ amount: 50, state: 'done' }]);

    const failing = await sellLaptop(shop, { seller, card: FAILING_CARD });
    await refundByHand(failing, 5_000);
    await waitForJobs();
    await shop.cards.runDelayedOutcomes();
    await waitForJobs();
    expect(await read(failing)).toMatchObject({
      state: 'held',
      refunded: 50,
      refunds: [{ amount: 50, state: 'failed' }],
    });
    expect(subjectsTo(shop, failing.buyer)).toContain('Your refund for EliteBook 840 G8 has failed');
    // One that had failed before the shop heard of it changes nothing.
    await shop.cards.setFaults(heldEvents);
    const late = await sellLaptop(shop, { seller, card: FAILING_CARD });
    await refundByHand(late);
    await shop.cards.runDelayedOutcomes();
    await waitForJobs();
    expect(await read(late)).toMatchObject({ state: 'held', refunded: 0, refunds: [] });
  });

  test('pays what the shop owed and could not make, and is not counted twice', async () => {
    const sale = await sellLaptop(shop, { seller, card: FAILING_CARD });
    const cancelled = { params: { _id: sale.orderId }, body: { text: 'It fell.' } };
    await seller.client.call(cancelSale, cancelled);
    await waitForJobs();
    await shop.cards.runDelayedOutcomes();
    await waitForJobs();
    expect((await read(sale)).refunds).toMatchObject([
      { amount: 549.99, reason: 'order_cancelled', state: 'failed' },
    ]);
    await shop.cards.setFaults({ refunds: 'good' });
    // In two parts, as an operator may do.
    await refundByHand(sale, 20_000);
    await waitForJobs();
    expect((await read(sale)).refunds).toMatchObject([
      { amount: 349.99, reason: 'order_cancelled', state: 'failed' },
      { amount: 200, reason: 'order_cancelled', state: 'done' },
    ]);
    await refundByHand(sale);
    await waitForJobs();
    const order = await read(sale);
    expect(order).toMatchObject({ state: 'refunded', refunded: 549.99 });
    expect(order.refunds.map(({ state }) => state)).toEqual(['done', 'done']);
  });

  test('during an inquiry of the bank ends the order, and the closed inquiry changes nothing', async () => {
    const sale = await sellLaptop(shop, { seller, card: '4000000000001976' });
    await shop.cards.runDelayedOutcomes();
    await waitForJobs();
    expect((await read(sale)).state).toBe('charge_disputed');
    await refundByHand(sale);
    await waitForJobs();
    expect(await read(sale)).toMatchObject({ state: 'refunded', refunded: 549.99 });
    expect(await laptopState(sale)).toBe('withdrawn');
  });

  test('of a payment that the bank takes back too counts beside what the bank took', async () => {
    await shop.cards.setFaults(heldEvents);
    const sale = await sellLaptop(shop, { seller, card: DISPUTED_CARD });
    await refundByHand(sale, 20_000);
    await shop.cards.runDelayedOutcomes();
    // The shop hears of the lost dispute first.
    const { stripe } = shop.cards;
    const [dispute] = (await stripe.disputes.list({ payment_intent: sale.transactionId })).data;
    const cardDisputeId = dispute?.id ?? '';
    await stripe.disputes.update(cardDisputeId, { evidence: { uncategorized_text: 'losing_evidence' } });
    await shop.connection.database
      .transaction()
      .execute((transaction) => shop.enqueue(transaction, disputeEvent, { cardDisputeId }));
    await waitForEmptyQueue(shop.connection.pool);
    // What the bank left of the price is refunded, because the laptop was not handed over; the operator had done that already.
    const undone = { state: 'charged_back', refunded: 549.99 };
    expect(await read(sale)).toMatchObject({ ...undone, refunds: [{ amount: 200, reason: 'charged_back' }] });
    await waitForJobs();
    expect(await read(sale)).toMatchObject({
      ...undone,
      refunds: [{ amount: 200, reason: 'charged_back', state: 'done' }],
    });
  });
});

describe('a refund whose event is lost', () => {
  const loseEvents = async () => {
    await waitForJobs();
    await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
  };
  test('is found before its money is transferred', async () => {
    const sale = await sellLaptop(shop, { seller });
    const before = await seller.client.call(readOwnMoney, {});
    await loseEvents();
    await refundByHand(sale);
    await confirm(sale);
    expect((await read(sale)).state).toBe('released');
    await shop.runPayouts();
    await waitForEmptyQueue(shop.connection.pool);
    expect(await read(sale)).toMatchObject({ state: 'refunded', refunded: 549.99 });
    const after = await seller.client.call(readOwnMoney, {});
    expect(after).toMatchObject({ due: 0, paid: before.paid, owed: 0 });
  });

  test('is found by the daily reading of the balance', async () => {
    const sale = await sellLaptop(shop, { seller });
    await loseEvents();
    const { id, balance_transaction } = await refundByHand(sale, 15_000);
    const { pool, database } = shop.connection;
    await pool.query(
      `insert into balance_transactions (id, type, amount_cents, fee_cents, source_id, transaction_id, created_at)
       values ($1, 'refund', -15000, 0, $2, $3, now())`,
      [String(balance_transaction), id, sale.transactionId],
    );
    const check = () =>
      database
        .transaction()
        .execute((transaction) => checkUnknownMovements(transaction, shop.enqueue, new Date()));
    expect(await check()).toBe(1);
    await waitForEmptyQueue(pool);
    expect(await read(sale)).toMatchObject({ state: 'held', refunded: 150 });
    expect(await check()).toBe(0);
  });
});

/** The daily comparison. */
async function compare(): Promise<void> {
  const { cards, connection, enqueue } = shop;
  const balance = createPayoutProcessor({ secretKey: cards.secretKey, apiUrl: new URL(cards.origin) });
  await connection.pool.query(`update balance_reading set next_at = now() - interval '1 hour'`);
  const dependencies = { database: connection.database, enqueue, balance };
  await compareDaily(dependencies, new Date(Date.now() + 60_000), new AbortController().signal);
  await waitForEmptyQueue(connection.pool);
}

test('a payment of a booking whose attempt is not known, as after a restore, is settled by the daily comparison and cannot be paid again', async () => {
  const booked = await bookOneLaptop(shop, seller);
  await shop.cards.setFaults(heldEvents);
  const { client_secret } = await shop.cards.stripe.paymentIntents.create({
    amount: 54_999,
    currency: 'usd',
    metadata: { bookingId: booked.bookingId },
  });
  await shop.pay(client_secret ?? '');
  await compare();
  expect(await booked.read()).toMatchObject({ state: 'Paid' });
  await expect(booked.prepare(549.99)).rejects.toMatchObject({ code: 'already_paid' });
});

test('a dispute whose events are lost is found by the daily reading of the balance, when it is opened and when its money comes back', async () => {
  const sale = await sellLaptop(shop, { seller, card: DISPUTED_CARD });
  await waitForJobs();
  await shop.cards.setFaults(heldEvents);
  const { cards } = shop;
  await cards.runDelayedOutcomes();
  await compare();
  expect((await read(sale)).state).toBe('charge_disputed');
  expect(subjectsTo(shop, admin)).toContainEqual(expect.stringContaining('A payment is disputed'));

  const [dispute] = (await cards.stripe.disputes.list({ payment_intent: sale.transactionId })).data;
  const evidence = { uncategorized_text: 'winning_evidence' };
  await cards.stripe.disputes.update(dispute?.id ?? '', { evidence });
  await compare();
  expect((await read(sale)).state).toBe('held');
});
