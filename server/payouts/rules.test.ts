import { expect, test } from 'vitest';
import { CSV_HEADER, proceedsOf, toPeriod, toSettlement } from './rules.ts';

const order = { price_cents: 54_999, commission_cents: 2_799, refunded_cents: 0 };

test('the proceeds are the price less refunds and the commission on the rest', () => {
  expect(proceedsOf(order)).toEqual({ commissionCents: 2_799, proceedsCents: 52_200 });
  expect(proceedsOf({ ...order, refunded_cents: 27_500 })).toEqual({
    commissionCents: 1_399,
    proceedsCents: 26_100,
  });
  expect(proceedsOf({ ...order, refunded_cents: 54_999 })).toEqual({ commissionCents: 0, proceedsCents: 0 });
});

test('a period of a seller’s money is in dollars', () => {
  const row = {
    first_day: '2026-11-23',
    released_cents: '52200',
    paid_cents: '5000',
    taken_back_cents: '101',
  };
  expect(toPeriod(row)).toEqual({ from: '2026-11-23', released: 522, paid: 50, takenBack: 1.01 });
});

test('a settlement names its seller, its admin and its reference', () => {
  expect(
    toSettlement({
      ...{ id: 'settlement', number: '1', seller_name: 'Sam Seller', seller_email: 'sam@people.example' },
      ...{ admin_name: 'Ada Admin', amount_cents: '52200', reference: 'SEPA 1' },
      settled_at: new Date('2026-12-01T10:00:00Z'),
    }),
  ).toEqual({
    ...{ _id: 'settlement', sellerName: 'Sam Seller', sellerEmail: 'sam@people.example' },
    ...{ adminName: 'Ada Admin', amount: 522, reference: 'SEPA 1', at: '2026-12-01T10:00:00.000Z' },
  });
});

test('the file of amounts due begins with the names of its columns', () => {
  expect(CSV_HEADER).toBe('Seller,E-mail address,Due in USD,Seller id');
});
