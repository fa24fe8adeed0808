import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainMovement } from '#contract/money/accounting.ts';
import { listToDo } from '#contract/operations/to-do.ts';
import { listWaitingRefunds, payRefundByHand, readOrder } from '#contract/sales/orders.ts';
import { compareWithProcessor } from '#server/money/accounting/actions.ts';
import { findLedgerViolations } from '#tests/harness/money/ledger-invariants.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { findBooking } from '../bookings/steps.ts';
import { applyDispute } from './disputes.ts';

let shop: TestShop;
let admin: Person;

beforeAll(async () => {
  shop = await startTestShop();
  admin = await shop.admin();
});
afterAll(() => shop.close());

async function waitForJobs() {
  await shop.cards.deliverEvents({});
  await waitForEmptyQueue(shop.connection.pool);
}

/** An admin explains the only difference that is no movement of the balance. @param cents what it must be */
async function explain(cents: number, explanation: 'shop_loss' | 'paid_by_hand'): Promise<void> {
  const { database } = shop.connection;
  const balance = { listBalanceTransactions: async () => ({ items: [], nextCursor: null }) };
  const { rows } = await compareWithProcessor({ database, enqueue: shop.enqueue, balance }, new Date());
  const found = rows.filter(({ kind }) => kind === 'unknown_movement');
  expect(found).toMatchObject([{ movement: 'refund', processor_cents: String(cents) }]);
  await admin.client.call(explainMovement, {
    params: { _id: found[0]?.id ?? '' },
    body: { explanation, note: 'The operator was too fast.' },
  });
}

async function suspenseCents(): Promise<number> {
  const { rows } = await shop.connection.pool.query<{ cents: number }>(
    `select coalesce(sum(amount_cents), 0)::int as cents from ledger_entries where account = 'suspense'`,
  );
  return rows[0]?.cents ?? 0;
}

test('what nothing explains of an operator’s refund is posted to suspense until an admin explains it, also when it comes back', async () => {
  const { database, pool } = shop.connection;
  // Its refunds succeed, and fail later.
  const { orderId, bookingId, transactionId } = await sellLaptop(shop, { card: '4000000000005126' });
  const booking = await findBooking(database, bookingId);
  if (booking === undefined) throw new Error('The booking is missing.');
  // The bank takes the whole price although a part goes back at the card processor.
  await applyDispute({ database, enqueue: shop.enqueue }, booking, {
    ...{ disputeId: 'du_race', transactionId, amountCents: 54_999, reason: 'fraudulent' },
    ...{ state: 'lost', evidenceDueAt: null },
  });
  await shop.cards.stripe.refunds.create({ payment_intent: transactionId, amount: 20_000 });
  await waitForJobs();
  expect(await suspenseCents()).toBe(20_000);
  const order = await admin.client.call(readOrder, { params: { _id: orderId } });
  expect(order).toMatchObject({ state: 'charged_back', refunded: 549.99, refunds: [] });
  const letter = shop.mails.find(({ subject }) => subject.startsWith('A refund was made'));
  expect(letter?.text).toContain('$200.00 of it is more than was left to give back');
  expect(await findLedgerViolations(pool)).toEqual([]);

  // An admin says that the shop bears it. When it comes back, that is explained with another difference.
  await explain(-20_000, 'shop_loss');
  expect(await suspenseCents()).toBe(0);
  await shop.cards.runDelayedOutcomes();
  await waitForJobs();
  expect(await suspenseCents()).toBe(-20_000);
  await explain(20_000, 'paid_by_hand');
  expect(await suspenseCents()).toBe(0);
  expect(await findLedgerViolations(pool)).toEqual([]);
});

test('a lost dispute settles no refund that nothing explained: nothing of it is owed', async () => {
  const { database, pool } = shop.connection;
  const { bookingId, transactionId } = await sellLaptop(shop, { card: '4000000000005126' });
  const booking = await findBooking(database, bookingId);
  if (booking === undefined) throw new Error('The booking is missing.');
  const lose = (disputeId: string, amountCents: number) =>
    applyDispute({ database, enqueue: shop.enqueue }, booking, {
      ...{ disputeId, transactionId, amountCents, reason: 'fraudulent', state: 'lost', evidenceDueAt: null },
    });
  await lose('du_whole', 54_999);
  await shop.cards.stripe.refunds.create({ payment_intent: transactionId, amount: 20_000 });
  await waitForJobs();
  await shop.cards.runDelayedOutcomes();
  await waitForJobs();
  await lose('du_more', 20_000);
  await waitForJobs();
  const { rows } = await pool.query('select state from refunds where transaction_id = $1', [transactionId]);
  expect(rows).toEqual([{ state: 'failed' }]);
  // Nor does it wait for anybody.
  const [{ id } = { id: '' }] = (
    await pool.query<{ id: string }>('select id from refunds where transaction_id = $1', [transactionId])
  ).rows;
  const byHand = { params: { _id: id }, body: { reference: 'BANK-1' } };
  expect(await admin.client.call(payRefundByHand, byHand)).toMatchObject({ modifiedCount: 0 });
  expect(await admin.client.call(listWaitingRefunds, { query: {} })).toEqual([]);
  expect((await admin.client.call(listToDo, {})).map(({ kind }) => kind)).not.toContain('failed_refund');
  expect(await (await fetch(`${shop.origin}/metrics`)).text()).toContain(
    'coomercio_refunds{state="failed"} 0',
  );
  expect(await findLedgerViolations(pool)).toEqual([]);
});
