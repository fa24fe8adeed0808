import { expect, test } from 'vitest';
import { codesLockedUntil, commissionOn, roleIn } from './rules.ts';

const now = new Date('2026-11-20T12:00:00Z');

test.each([
  ['a share', 54_999, { basisPoints: 500, fixedCents: 0 }, 2_749],
  ['a share, rounded down, and a fixed part', 54_999, { basisPoints: 500, fixedCents: 50 }, 2_799],
  ['at most the price', 100, { basisPoints: 500, fixedCents: 500 }, 100],
  ['nothing without rates', 54_999, { basisPoints: 0, fixedCents: 0 }, 0],
])('the commission on a price is %s', (_title, price, rates, expected) => {
  expect(commissionOn(price, rates)).toBe(expected);
});

test('the role in an order is that of its buyer, of its seller or of an admin', () => {
  const order = { buyer_id: 'buyer', seller_id: 'seller' };
  expect(roleIn(order, { userId: 'buyer', role: 'Buyer' })).toBe('buyer');
  expect(roleIn(order, { userId: 'seller', role: 'Seller' })).toBe('seller');
  expect(roleIn(order, { userId: 'other', role: 'Admin' })).toBe('admin');
  expect(roleIn(order, { userId: 'other', role: 'Seller' })).toBeNull();
});

test('each fifth wrong code locks the hand-over for an hour', () => {
  const locks = [1, 2, 3, 4, 5, 6, 9, 10].map((wrong) => codesLockedUntil(wrong, now)?.toISOString() ?? null);
  const anHourLater = '2026-11-20T13:00:00.000Z';
  expect(locks).toEqual([null, null, null, null, anHourLater, null, null, anHourLater]);
});
