import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  balanceParts,
  csvHeader,
  DueKey,
  payoutHoldSentence,
  proceedsOf,
  type SoldOrder,
  saleStateOf,
  signedAmount,
  toAmountDue,
  toCsvLine,
  toMoney,
  toSale,
} from './rules.ts';

const order = {
  ...{ price_cents: 54_999, commission_cents: 2_799, refunded_cents: 0 },
  ...{ label_cents: 0, insurance_cents: 0 },
};

test('the proceeds are the price less refunds and the commission on the rest', () => {
  expect(proceedsOf(order)).toEqual({ commissionCents: 2_799, proceedsCents: 52_200 });
  expect(proceedsOf({ ...order, refunded_cents: 27_500 })).toEqual({
    commissionCents: 1_399,
    proceedsCents: 26_100,
  });
  expect(proceedsOf({ ...order, refunded_cents: 54_999 })).toEqual({ commissionCents: 0, proceedsCents: 0 });
});

test('the seller of a lost parcel bears its label and gets what the insurance pays', () => {
  const lost: SoldOrder = { ...sold, refunded_cents: 54_999, label_cents: 1_522 };
  expect(toSale(lost)).toMatchObject({ labels: 15.22, insurance: 0, proceeds: -15.22, state: 'returned' });
  expect(toSale({ ...lost, insurance_cents: 54_999 })).toMatchObject({ insurance: 549.99, proceeds: 534.77 });
});

test('what a seller owes of a sale is negative, also less than a dollar', () => {
  expect([-1_522, -5, 0, 5, 1_522].map(signedAmount)).toEqual([-15.22, -0.05, 0, 0.05, 15.22]);
});

test('the file of amounts due begins with the names of its columns', () => {
  expect(csvHeader()).toBe('Seller,Email address,Due in USD,Seller id,Account');
});

const now = new Date('2026-12-01T10:00:00Z');
const sold: SoldOrder = {
  ...{ id: 'order', number: '1', seller_id: 'seller', laptop_name: 'EliteBook', placed_at: now, due_at: now },
  ...{ ...order, released_at: now, state: 'released', due: { due_cents: '52200', hold: 'none' } },
};

test('the money of a sale is held, disputed, waits, is stopped, due, paid or returned', () => {
  const due = (hold: 'none' | 'complaints' | 'stopped', cents = '1') => ({ due_cents: cents, hold });
  expect(saleStateOf({ ...sold, released_at: null })).toBe('held');
  expect(saleStateOf({ ...sold, released_at: null, state: 'charge_disputed' })).toBe('disputed');
  expect(saleStateOf({ ...sold, due: due('stopped'), state: 'charge_disputed' })).toBe('disputed');
  expect(saleStateOf({ ...sold, due: due('none') })).toBe('due');
  expect(saleStateOf({ ...sold, due: due('complaints') })).toBe('waiting');
  expect(saleStateOf({ ...sold, due: due('stopped') })).toBe('stopped');
  expect(saleStateOf({ ...sold, due: due('none', '0') })).toBe('paid');
  expect(saleStateOf({ ...sold, due: null })).toBe('paid');
  expect(saleStateOf({ ...sold, refunded_cents: 54_999 })).toBe('returned');
});

test('a sale is shown with its commission, its proceeds and what is due', () => {
  expect(toSale(sold)).toEqual({
    ...{ _id: 'order', productName: 'EliteBook', soldAt: now.toISOString(), price: 549.99, refunded: 0 },
    ...{ labels: 0, insurance: 0 },
    ...{ commission: 27.99, proceeds: 522, due: 522, state: 'due', orderState: 'released' },
  });
  const waiting: SoldOrder = { ...sold, due: { due_cents: '52200', hold: 'complaints' } };
  expect(toSale(waiting)).toMatchObject({ state: 'waiting', paidAfter: now.toISOString() });
  expect(toSale({ ...waiting, due_at: null })).not.toHaveProperty('paidAfter');
  expect(toSale({ ...sold, due: null })).toMatchObject({ due: 0, state: 'paid' });
});

const balance = {
  ...{ balance_cents: '1000', free_cents: '600', debt_cents: '0', waiting_cents: '300', disputed_orders: 0 },
  unfinished_cents: '0',
};

test('what the shop owes a seller is due, waits or is stopped; a debt is none of it', () => {
  expect(balanceParts(balance, 'completed')).toEqual({
    ...{ dueCents: 600, waitingCents: 300, unfinishedCents: 0, stoppedCents: 100, isDisputed: false },
  });
  expect(balanceParts(balance, 'release')).toMatchObject({ waitingCents: 0, stoppedCents: 400 });
  const insured = { ...balance, unfinished_cents: '40' };
  expect(balanceParts(insured, 'completed')).toMatchObject({ unfinishedCents: 40, stoppedCents: 60 });
  const disputed = { ...insured, disputed_orders: 1 };
  expect(balanceParts(disputed, 'completed')).toMatchObject({ unfinishedCents: 0, stoppedCents: 400 });
  expect(balanceParts({ ...balance, disputed_orders: 1 }, 'completed')).toEqual({
    ...{ dueCents: 600, waitingCents: 0, unfinishedCents: 0, stoppedCents: 400, isDisputed: true },
  });
  expect(balanceParts({ ...balance, waiting_cents: '900' }, 'completed')).toMatchObject({
    ...{ waitingCents: 400, stoppedCents: 0 },
  });
  expect(balanceParts({ ...balance, free_cents: '1200' }, 'completed')).toMatchObject({ dueCents: 1_000 });
  expect(balanceParts({ ...balance, free_cents: '-50' }, 'completed')).toMatchObject({ dueCents: 0 });
  const debt = {
    ...balance,
    balance_cents: '-500',
    free_cents: '-500',
    debt_cents: '500',
    waiting_cents: '0',
  };
  expect(balanceParts(debt, 'completed')).toMatchObject({ dueCents: 0, waitingCents: 0, stoppedCents: 0 });
  // Of 1000 that wait and 200 that are stopped, none covers the debt.
  const apart = { ...debt, balance_cents: '700', waiting_cents: '1000' };
  expect(balanceParts(apart, 'completed')).toMatchObject({ waitingCents: 1_000, stoppedCents: 200 });
});

test('a sentence says why money is not paid now', () => {
  const none = { dueCents: 0, waitingCents: 0, unfinishedCents: 0, stoppedCents: 0, isDisputed: false };
  expect(payoutHoldSentence(none)).toBe('');
  expect(payoutHoldSentence({ ...none, isDisputed: true })).toMatch(
    /^A bank disputes a payment of this seller/,
  );
  expect(payoutHoldSentence({ ...none, waitingCents: 300 })).toBe(
    '$3.00 can be paid when the time for complaints is over.',
  );
  expect(payoutHoldSentence({ ...none, waitingCents: 300, stoppedCents: 100 })).toBe(
    '$3.00 can be paid when the time for complaints is over, and $1.00 when a complaint is settled.',
  );
  expect(payoutHoldSentence({ ...none, unfinishedCents: 200 })).toBe(
    '$2.00 of an insurance when its sale is over.',
  );
});

test('a seller’s money has its parts in dollars, and a debt apart', () => {
  const totals = {
    ...balance,
    held_cents: '5000',
    disputed_cents: '0',
    paid_cents: '700',
    waiting_from: now,
  };
  const repayment = { payTo: null, reference: 'SELLER-1' };
  expect(toMoney(totals, 'completed', repayment)).toEqual({
    ...{
      currency: 'USD',
      held: 50,
      due: 6,
      paid: 7,
      owed: 0,
      waiting: { amount: 3, from: now.toISOString() },
    },
    stopped: { amount: 1, isDisputed: false },
  });
  expect(toMoney({ ...totals, waiting_from: null }, 'completed', repayment)).not.toHaveProperty('waiting');
  const all = { ...totals, free_cents: '1000', waiting_cents: '0' };
  expect(toMoney(all, 'completed', repayment)).toEqual({
    currency: 'USD',
    held: 50,
    due: 10,
    paid: 7,
    owed: 0,
  });
  const debt = {
    ...totals,
    balance_cents: '-500',
    free_cents: '-500',
    debt_cents: '500',
    waiting_cents: '0',
  };
  expect(toMoney(debt, 'completed', repayment)).toEqual({
    ...{ currency: 'USD', held: 50, due: 0, paid: 7, owed: 5, repayment },
  });
});

const dueSeller = {
  ...{ seller_id: 'seller', seller_name: 'Sam "Sam" Seller', seller_email: 'sam@people.example' },
  ...{ ...balance, seller_ended_at: null },
};

test('an amount due names what waits and what is stopped', () => {
  expect(toAmountDue('completed')(dueSeller)).toEqual({
    ...{
      _id: 'seller',
      sellerName: 'Sam "Sam" Seller',
      sellerEmail: 'sam@people.example',
      hasEnded: false,
      due: 6,
      waiting: 3,
    },
    stopped: { amount: 1, isDisputed: false },
  });
  const all = { ...dueSeller, free_cents: '1000', waiting_cents: '0' };
  expect(toAmountDue('completed')(all)).not.toHaveProperty('waiting');
  expect(toAmountDue('completed')(all)).not.toHaveProperty('stopped');
});

test('texts in the file of amounts due are quoted, and none is calculated', () => {
  expect(toCsvLine(dueSeller)).toBe('"Sam ""Sam"" Seller","sam@people.example",6.00,seller,active');
  expect(toCsvLine({ ...dueSeller, seller_ended_at: new Date() })).toContain(',seller,ended');
  for (const name of ['=1+1', ' \t=1', '+1', '-1', '@x', '＝1+1', '＋1', '－1', ' ＠x']) {
    expect(toCsvLine({ ...dueSeller, seller_name: name })).toContain(`"'${name}"`);
  }
  expect(toCsvLine({ ...dueSeller, seller_name: 'Sam = Sam' })).toContain('"Sam = Sam"');
});

test('the key of the list of amounts due is an amount in cents and an id', () => {
  const id = crypto.randomUUID();
  for (const cents of ['0', '52200', '-52200']) expect(z.safeParse(DueKey, [cents, id]).success).toBe(true);
  for (const cents of ['', 'x', '1x', 'x1', '1'.repeat(19), '--1']) {
    expect(z.safeParse(DueKey, [cents, id]).success).toBe(false);
  }
  expect(z.safeParse(DueKey, ['1', 'x']).success).toBe(false);
});
