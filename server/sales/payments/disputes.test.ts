import { expect, test } from 'vitest';
import { listOwnSales, readOwnMoney } from '#contract/money/payouts.ts';
import { readOwnData } from '#contract/operations/privacy.ts';
import { listToDo } from '#contract/operations/to-do.ts';
import { readBooking } from '#contract/sales/bookings.ts';
import { disputeEvent } from '#server/money/refunds/steps.ts';
import { findLedgerViolations } from '#tests/harness/money/ledger-invariants.ts';
import type { TestShop } from '#tests/harness/operations/shop.ts';
import { type PaymentShop, setUpPaymentShop } from '#tests/harness/sales/payment-shop.ts';

let paymentShop: PaymentShop;
let shop: TestShop;

setUpPaymentShop((started) => {
  paymentShop = started;
  shop = started.shop;
});

const opened = 'A payment is disputed: EliteBook 840 G8';
const openedAct = expect.stringMatching(/^\$549\.99, fraudulent; evidence until \w+ \d+, \d{4} at .* UTC$/);

/** What the shop has in its books of the disputes of a payment. */
async function rows(transactionId: string) {
  const found = await shop.connection.pool.query(
    'select card_dispute_id, state, reason, amount_cents, evidence_due_at from disputes where transaction_id = $1',
    [transactionId],
  );
  return found.rows;
}

/** A sale whose payment the buyer disputes; events are held. */
async function disputedSale() {
  const sale = await paymentShop.chargeBuyer('4000000000000259');
  await sale.report();
  await shop.cards.runDelayedOutcomes();
  const [dispute] = (await shop.cards.stripe.disputes.list({ payment_intent: sale.transactionId })).data;
  if (dispute === undefined) throw new Error('Nobody disputed it.');
  const decide = (evidence: 'winning_evidence' | 'losing_evidence') =>
    shop.cards.stripe.disputes.update(dispute.id, { evidence: { uncategorized_text: evidence } });
  return { ...sale, dispute, decide };
}

const told = () => paymentShop.admins.map(paymentShop.emailSubjectsTo);

test('a dispute is recorded with the admins’ task and its deadline, and the sale stays', async () => {
  const { buyer, seller, bookingId, transactionId, dispute } = await disputedSale();
  await shop.cards.deliverEvents({});
  await paymentShop.waitForJobs();

  const due = new Date((dispute.evidence_details.due_by ?? 0) * 1000);
  expect(await rows(transactionId)).toEqual([
    {
      card_dispute_id: dispute.id,
      state: 'disputed',
      reason: 'fraudulent',
      amount_cents: 54_999,
      evidence_due_at: due,
    },
  ]);
  expect(await paymentShop.readAuditTrail(transactionId)).toEqual([
    ['Dispute opened', 'Card processor', openedAct],
  ]);
  expect(told()).toEqual([[opened], [opened], []]);
  const letter = shop.mails.find(({ subject }) => subject === opened);
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(due);
  expect(letter?.text).toContain(`Answer it in the card processor’s dashboard until ${day}`);
  expect(letter?.text).toContain(dispute.id);
  expect(letter?.text).toContain(buyer.email);
  expect(await buyer.client.call(readBooking, { params: { _id: bookingId } })).toMatchObject({
    state: 'Paid',
  });
  const [admin] = paymentShop.admins;
  const [sale] = await seller.client.call(listOwnSales, { query: {} });
  expect(sale).toMatchObject({ proceeds: 549.99, state: 'disputed' });
  const orderId = sale?._id;
  const order = { _id: orderId, productName: 'EliteBook 840 G8', until: due.toISOString() };
  expect(await admin.client.call(listToDo, {})).toContainEqual(
    expect.objectContaining({ kind: 'answer_dispute', count: 1, items: [expect.objectContaining(order)] }),
  );
  expect(letter?.text).toContain(`/dashboard/order/${orderId}`);
  expect(await seller.client.call(readOwnMoney, {})).toMatchObject({ held: 0, disputed: 549.99 });
  const { disputes } = await buyer.client.call(readOwnData, {});
  expect(disputes).toMatchObject([
    { transaction_id: transactionId, amount_cents: 54_999, state: 'disputed', closed_at: null },
  ]);
  expect(await (await fetch(`${shop.origin}/metrics`)).text()).toContain(
    'coomercio_disputes{state="open"} 1',
  );
});

test.each([
  ['winning_evidence', 'won', 'Dispute won', 'the money stays with the shop'],
  ['losing_evidence', 'lost', 'Dispute lost', 'the buyer has the money back'],
] as const)('%s: a dispute that is %s is closed once and recorded', async (evidence, state, act, words) => {
  const { buyer, bookingId, transactionId, decide } = await disputedSale();
  await shop.cards.deliverEvents({});
  await paymentShop.waitForJobs();
  await decide(evidence);
  await shop.cards.deliverEvents({ copies: 2 });
  await paymentShop.waitForJobs();
  expect(await rows(transactionId)).toMatchObject([{ state }]);
  expect(await paymentShop.readAuditTrail(transactionId)).toEqual([
    ['Dispute opened', 'Card processor', openedAct],
    [act, 'Card processor', '$549.99, fraudulent'],
  ]);
  const closed = `The dispute is ${state}: EliteBook 840 G8`;
  expect(told()).toEqual([[opened, closed], [opened, closed], []]);
  expect(shop.mails.find(({ subject }) => subject === closed)?.text).toContain(words);
  expect(await buyer.client.call(readBooking, { params: { _id: bookingId } })).toMatchObject({
    state: 'Paid',
  });
  expect(await shop.cards.refundedCents(transactionId)).toBe(0);
});

test('repeated and reordered events have the same result, and no email asks about a closed dispute', async () => {
  const { transactionId, decide } = await disputedSale();
  await decide('losing_evidence');
  const events = await shop.cards.listEventIds(transactionId);
  await shop.cards.deliverEvents({ events, order: 'reversed', copies: 3 });
  await paymentShop.waitForJobs();
  await shop.connection.pool.query('delete from webhook_events');
  await shop.cards.deliverEvents({ events });
  await paymentShop.waitForJobs();
  expect(await rows(transactionId)).toMatchObject([{ state: 'lost' }]);
  expect((await paymentShop.readAuditTrail(transactionId)).map(([act]) => act)).toEqual([
    'Dispute opened',
    'Dispute lost',
  ]);
  const closed = 'The dispute is lost: EliteBook 840 G8';
  expect(told()).toEqual([[closed], [closed], []]);
});

test('the end of a dispute is detected within a day without its event', async () => {
  const { transactionId, decide } = await disputedSale();
  await shop.cards.deliverEvents({});
  await paymentShop.waitForJobs();
  await decide('winning_evidence');
  await shop.reconcile(new Date(Date.now() + 3_600_000));
  expect(await rows(transactionId)).toMatchObject([{ state: 'disputed' }]);
  await shop.reconcile(new Date(Date.now() + 25 * 3_600_000));
  expect(await rows(transactionId)).toMatchObject([{ state: 'won' }]);
  await paymentShop.waitForJobs();
});

test('a dispute is recorded even if the card processor was unavailable when its event arrived', async () => {
  const { transactionId } = await disputedSale();
  await shop.cards.setFaults({
    webhooks: { mode: 'hold' },
    calls: [{ method: 'GET', path: '/v1/disputes/*', kind: 'error', times: 3 }],
  });
  await shop.cards.deliverEvents({});
  await paymentShop.waitForJobs();
  expect(await rows(transactionId)).toMatchObject([{ state: 'disputed' }]);
  expect(await paymentShop.readAuditTrail(transactionId)).toHaveLength(1);
});

test('a dispute of another shop’s payment is ignored', async () => {
  await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
  const { id } = await shop.cards.stripe.paymentIntents.create({
    amount: 100,
    currency: 'usd',
    payment_method: 'pm_card_createDispute',
    confirm: true,
  });
  await shop.cards.runDelayedOutcomes();
  await shop.cards.deliverEvents({});
  await paymentShop.waitForJobs();
  expect(await rows(id)).toEqual([]);
  expect(told()).toEqual([[], [], []]);
});

test('the laptop of a disputed sale remains sold', async () => {
  const { laptop } = await disputedSale();
  await shop.cards.deliverEvents({});
  await paymentShop.waitForJobs();
  const { rows: found } = await shop.connection.pool.query('select state from laptops where id = $1', [
    laptop,
  ]);
  expect(found).toEqual([{ state: 'sold' }]);
});

test.each([
  ['disputed', null, 'charge_disputed'],
  ['loss', 'losing_evidence', 'charged_back'],
] as const)(
  'a %s of which the shop hears before the payment applies to its order',
  async (_what, evidence, state) => {
    const { bookingId, transactionId } = await paymentShop.chargeBuyer('4000000000000259');
    await shop.cards.runDelayedOutcomes();
    const [dispute] = (await shop.cards.stripe.disputes.list({ payment_intent: transactionId })).data;
    if (dispute === undefined) throw new Error('Nobody disputed it.');
    if (evidence !== null) {
      await shop.cards.stripe.disputes.update(dispute.id, { evidence: { uncategorized_text: evidence } });
    }
    const { database, pool } = shop.connection;
    await database
      .transaction()
      .execute((transaction) => shop.enqueue(transaction, disputeEvent, { cardDisputeId: dispute.id }));
    await paymentShop.waitForJobs();
    await shop.cards.deliverEvents({});
    await paymentShop.waitForJobs();
    const { rows: orders } = await pool.query(
      'select state, refunded_cents from orders where booking_id = $1',
      [bookingId],
    );
    expect(orders).toEqual([{ state, refunded_cents: evidence === null ? 0 : 54_999 }]);
    expect(await findLedgerViolations(pool)).toEqual([]);
  },
);
