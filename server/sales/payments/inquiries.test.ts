import { expect, test } from 'vitest';
import { readOrder, refundOrder } from '#contract/sales/orders.ts';
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
const escalated = 'An inquiry has become a chargeback: EliteBook 840 G8';
const closed = 'The inquiry is closed: EliteBook 840 G8';

/** A sale about which the buyer's bank asks; events are held. */
async function askedAbout() {
  const sale = await paymentShop.chargeBuyer('4000000000001976');
  await sale.report();
  await shop.cards.runDelayedOutcomes();
  const [dispute] = (await shop.cards.stripe.disputes.list({ payment_intent: sale.transactionId })).data;
  if (dispute === undefined) throw new Error('Nobody asked about it.');
  const answer = (text: string) =>
    shop.cards.stripe.disputes.update(dispute.id, { evidence: { uncategorized_text: text } });
  const state = async () => {
    const { rows } = await shop.connection.pool.query(
      'select state from disputes where card_dispute_id = $1',
      [dispute.id],
    );
    return rows[0]?.state;
  };
  const acts = async () => (await paymentShop.readAuditTrail(sale.transactionId)).map(([act]) => act);
  return { ...sale, answer, state, acts };
}

async function deliver() {
  await shop.cards.deliverEvents({});
  await paymentShop.waitForJobs();
}
const told = () => paymentShop.admins.map(paymentShop.emailSubjectsTo);

test('admins are notified of an inquiry, and once more when it becomes a chargeback', async () => {
  const { transactionId, answer, state, acts } = await askedAbout();
  await deliver();
  expect(await state()).toBe('inquiry');
  expect(told()).toEqual([[opened], [opened], []]);
  expect(shop.mails.find(({ subject }) => subject === opened)?.text).toContain(
    'the money stays with the shop',
  );

  await answer('escalate_inquiry_evidence');
  await shop.cards.deliverEvents({ copies: 3 });
  await paymentShop.waitForJobs();
  expect(await state()).toBe('disputed');
  expect(await acts()).toEqual(['Dispute opened', 'Dispute escalated']);
  expect(told()).toEqual([[opened, escalated], [opened, escalated], []]);
  const letter = shop.mails.find(({ subject }) => subject === escalated);
  expect(letter?.text).toContain('has withdrawn the money');
  expect(letter?.text).toContain('Answer it in the card processor’s dashboard until');

  await answer('losing_evidence');
  await shop.cards.deliverEvents({ order: 'reversed', copies: 2 });
  await paymentShop.waitForJobs();
  expect(await state()).toBe('lost');
  expect(await acts()).toEqual(['Dispute opened', 'Dispute escalated', 'Dispute lost']);
  expect(await (await fetch(`${shop.origin}/metrics`)).text()).toContain(
    'coomercio_disputes{state="lost"} 1',
  );
  expect(await shop.cards.refundedCents(transactionId)).toBe(0);
});

test('admins are notified of a closed inquiry, and of a later chargeback', { tags: 'long' }, async () => {
  const { answer, state, acts } = await askedAbout();
  await deliver();
  await answer('winning_evidence');
  await deliver();
  expect(await state()).toBe('inquiry_closed');
  expect(await acts()).toEqual(['Dispute opened', 'Inquiry closed']);
  expect(told()).toEqual([[opened, closed], [opened, closed], []]);
});

test('a chargeback is detected within a day without its event', { tags: 'long' }, async () => {
  const { answer, state, acts } = await askedAbout();
  await deliver();
  await answer('escalate_inquiry_evidence');
  await shop.reconcile(new Date(Date.now() + 25 * 3_600_000));
  expect(await state()).toBe('disputed');
  expect(await acts()).toEqual(['Dispute opened', 'Dispute escalated']);
  await paymentShop.waitForJobs();
});

test('a late response of the card processor does not overwrite a newer state', async () => {
  const { answer, state, acts } = await askedAbout();
  await shop.cards.setFaults({
    webhooks: { mode: 'hold' },
    calls: [{ method: 'GET', path: '/v1/disputes/*', kind: 'hold', moment: 'after' }],
  });
  // The answer that is held says that it is an inquiry.
  await shop.cards.deliverEvents({});
  await shop.cards.waitForHeldCalls(1);
  await answer('escalate_inquiry_evidence');
  await shop.cards.deliverEvents({});
  await expect.poll(state).toBe('disputed');
  await shop.cards.releaseHeldCalls();
  await paymentShop.waitForJobs();
  expect(await state()).toBe('disputed');
  expect(await acts()).toEqual(['Dispute opened']);
  expect(told()).toEqual([[opened], [opened], []]);
});

test('an admin refunds while a bank only asks, which can end the inquiry, and not once it has withdrawn the money', async () => {
  const [admin] = paymentShop.admins;
  const orderOf = async (bookingId: string) => {
    const { rows } = await shop.connection.pool.query<{ id: string }>(
      'select id from orders where booking_id = $1',
      [bookingId],
    );
    const params = { _id: rows[0]?.id ?? '' };
    const refund = (amount: number) =>
      admin.client.call(refundOrder, { params, body: { amount, from: 'seller', text: 'Scratched.' } });
    return { refund, read: () => admin.client.call(readOrder, { params }) };
  };
  const sale = await askedAbout();
  await deliver();
  const asked = await orderOf(sale.bookingId);
  expect(await asked.read()).toMatchObject({
    state: 'charge_disputed',
    moves: expect.arrayContaining(['refund_rest']),
  });
  await asked.refund(100);
  expect(await asked.read()).toMatchObject({ state: 'charge_disputed', refunded: 100 });
  await asked.refund(449.99);
  expect(await asked.read()).toMatchObject({ state: 'refunded', refunded: 549.99 });
  await sale.answer('winning_evidence');
  await deliver();
  expect(await shop.cards.refundedCents(sale.transactionId)).toBe(54_999);
  expect(await asked.read()).toMatchObject({ state: 'refunded' });

  const { bookingId, answer } = await askedAbout();
  await deliver();
  await answer('escalate_inquiry_evidence');
  await deliver();
  const withdrawn = await orderOf(bookingId);
  await expect(withdrawn.refund(100)).rejects.toMatchObject({ code: 'refund_refused' });
  expect((await withdrawn.read()).moves).not.toContain('refund_rest');
  expect(await findLedgerViolations(shop.connection.pool)).toEqual([]);
});
