import { expect, test } from 'vitest';
import { deleteOwnAccount } from '#contract/operations/privacy.ts';
import { listToDo } from '#contract/operations/to-do.ts';
import { recordClaimPayment } from '#contract/sales/labels.ts';
import {
  listWaitingRefunds,
  payRefundByHand,
  payWaitingRefund,
  readOrder,
  refundOrder,
} from '#contract/sales/orders.ts';
import { findBooking } from '#server/sales/bookings/steps.ts';
import { findLedgerViolations } from '#tests/harness/money/ledger-invariants.ts';
import type { TestShop } from '#tests/harness/operations/shop.ts';
import { signInAgain } from '#tests/harness/people/sign-in-again.ts';
import {
  inOneDay,
  type PaymentShop,
  refundSubjects,
  setUpPaymentShop,
} from '#tests/harness/sales/payment-shop.ts';
import { applyDispute } from './disputes.ts';
import { retryRefund } from './refunds.ts';

/** Stripe's test card whose refunds fail later. */
const failingCard = '4000000000005126';

let paymentShop: PaymentShop;
let shop: TestShop;

setUpPaymentShop((started) => {
  paymentShop = started;
  shop = started.shop;
});

const admin = () => paymentShop.admins[0].client;
const waiting = () => admin().call(listWaitingRefunds, { query: {} });
const pay = (id: string, client = admin()) =>
  client.call(payRefundByHand, { params: { _id: id }, body: { reference: 'BANK-1' } });

async function letItFail() {
  await paymentShop.waitForJobs();
  await shop.cards.runDelayedOutcomes();
  await shop.reconcile(inOneDay());
  await paymentShop.waitForJobs();
}

/** What an account of the ledger has, in cents. */
async function balanceOf(account: string): Promise<number> {
  const { rows } = await shop.connection.pool.query<{ cents: number }>(
    'select coalesce(sum(amount_cents), 0)::int as cents from ledger_entries where account = $1',
    [account],
  );
  return rows[0]?.cents ?? 0;
}

/** How many failed refunds the metrics and the list of what waits have. */
async function failedCounts() {
  const metrics = await (await fetch(`${shop.origin}/metrics`)).text();
  const kinds = await admin().call(listToDo, {});
  return [
    Number(/^coomercio_refunds\{state="failed"\} (\d+)$/m.exec(metrics)?.[1]),
    kinds.find(({ kind }) => kind === 'failed_refund')?.count ?? 0,
  ];
}

test('a failed refund that an admin paid another way is due no more, and is not tried again', async () => {
  const { buyer, transactionId } = await paymentShop.chargeForRemovedLaptop(failingCard);
  await letItFail();
  expect(await failedCounts()).toEqual([1, 1]);
  const [item] = await waiting();
  expect(item).toMatchObject({
    amount: 549.99,
    isFailed: true,
    why: expect.stringContaining('did not take it'),
  });
  // The payment bought nothing.
  expect(item).not.toHaveProperty('orderId');
  const id = item?._id ?? '';
  const [due, bank] = [await balanceOf('refunds_due'), await balanceOf('bank')];

  const answers = await Promise.all([pay(id), pay(id, paymentShop.admins[1].client)]);
  expect(answers.map(({ modifiedCount }) => modifiedCount).sort()).toEqual([0, 1]);
  expect([(await balanceOf('refunds_due')) - due, (await balanceOf('bank')) - bank]).toEqual([
    54_999, -54_999,
  ]);
  expect(await waiting()).toEqual([]);
  // Metrics are kept for a few seconds.
  await expect.poll(failedCounts, { timeout: 15_000 }).toEqual([0, 0]);
  expect(await retryRefund(shop.connection.database, transactionId)).toEqual({ kind: 'paid_by_hand' });
  expect((await paymentShop.readAuditTrail(transactionId)).at(-1)).toEqual([
    'Paid refund by hand',
    expect.any(String),
    '$549.99, reference BANK-1',
  ]);
  expect(await findLedgerViolations(shop.connection.pool)).toEqual([]);
  await paymentShop.waitForJobs();
  const mails = shop.mails.filter(
    ({ to, subject }) =>
      to === buyer.email && subject === 'Your refund for EliteBook 840 G8 was paid another way',
  );
  expect(mails).toHaveLength(1);
  for (const fact of ['$549.99', 'BANK-1', transactionId]) expect(mails[0]?.text).toContain(fact);
});

test('a refund fails whose buyer has ended the account: the admins learn that nobody was told, and where the name is', async () => {
  const { buyer, transactionId } = await paymentShop.chargeForRemovedLaptop(failingCard);
  await paymentShop.waitForJobs();
  await buyer.client.call(deleteOwnAccount, { query: { email: buyer.email } });
  await paymentShop.waitForJobs();
  const before = paymentShop.emailSubjectsTo(buyer);
  await letItFail();
  const toAdmin = shop.mails.find(
    ({ to, subject }) => to === paymentShop.admins[0].email && subject === refundSubjects.toAdmin,
  );
  expect(toAdmin?.text).toContain('whose account has ended');
  expect(toAdmin?.text).toContain('has not been told');
  expect(toAdmin?.text).toContain('bookkeeping');
  expect(toAdmin?.text).toContain(transactionId);
  for (const text of ['told so by mail', 'A buyer', 'ended.invalid', buyer.email]) {
    expect(toAdmin?.text).not.toContain(text);
  }
  const { rows } = await shop.connection.pool.query(
    `select email from bookkeeping where transaction_id = $1 and party = 'buyer'`,
    [transactionId],
  );
  expect(rows).toEqual([{ email: buyer.email }]);

  const item = (await waiting()).find(({ buyerName }) => buyerName === 'Former account');
  expect(await pay(item?._id ?? '')).toMatchObject({ modifiedCount: 1 });
  await paymentShop.waitForJobs();
  expect(paymentShop.emailSubjectsTo(buyer)).toEqual(before);
});

test('a failed refund is not paid by hand while a bank withholds the money', async () => {
  const { bookingId, transactionId, report } = await paymentShop.chargeBuyer(failingCard);
  await report();
  const { database, pool } = shop.connection;
  const { rows } = await pool.query<{ id: string }>('select id from orders where booking_id = $1', [
    bookingId,
  ]);
  const params = { _id: rows[0]?.id ?? '' };
  const body = { amount: 549.99, from: 'seller', text: 'It is broken.' } as const;
  await admin().call(refundOrder, { params, body });
  await letItFail();
  const [item] = await waiting();
  expect(item).toMatchObject({ orderId: params._id, isFailed: true });
  const booking = await findBooking(database, bookingId);
  if (booking === undefined) throw new Error('The booking is missing.');
  const dispute = (state: 'disputed' | 'won') =>
    applyDispute({ database, enqueue: shop.enqueue }, booking, {
      ...{ disputeId: 'dp_withheld', transactionId, amountCents: 54_999, reason: 'fraudulent' },
      ...{ state, evidenceDueAt: null },
    });
  await dispute('disputed');
  await expect(pay(item?._id ?? '')).rejects.toMatchObject({ code: 'refund_refused' });
  expect(await waiting()).toMatchObject([
    { isWithheld: true, why: expect.stringContaining('bank has the money') },
  ]);
  expect((await failedCounts())[1]).toBe(0);
  await dispute('won');
  expect(await waiting()).toMatchObject([{ isWithheld: false }]);
  expect((await failedCounts())[1]).toBe(1);
  expect(await pay(item?._id ?? '')).toMatchObject({ modifiedCount: 1 });
  const { refunds } = await admin().call(readOrder, { params });
  expect(refunds).toMatchObject([{ state: 'paid_by_hand' }]);
  expect(await findLedgerViolations(pool)).toEqual([]);
});

test('what gives money away needs a recent sign-in', async () => {
  const auth_time = Math.floor(Date.now() / 1000) - 11 * 60;
  const stale = await signInAgain(shop, paymentShop.admins[0], { auth_time });
  const params = { _id: crypto.randomUUID() };
  const refund = { amount: 1, from: 'shop', text: 'Sorry.' } as const;
  for (const send of [
    () => pay(params._id, stale),
    () => stale.call(payWaitingRefund, { params }),
    () => stale.call(refundOrder, { params, body: refund }),
    () => stale.call(recordClaimPayment, { params, body: { paidBefore: 0, paid: 1 } }),
  ]) {
    await expect(send()).rejects.toMatchObject({ code: 'reauthentication_required' });
  }
  await expect(pay(params._id)).rejects.toMatchObject({ code: 'not_found' });
});
