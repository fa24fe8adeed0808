import { expect, test } from 'vitest';
import { savedDollars } from './prices.tsx';

test('computes the saving in cents, without binary rounding errors', () => {
  expect(savedDollars(1499.1, 549.99)).toBe(949.11);
  expect(savedDollars(0.3, 0.1)).toBe(0.2);
});

test('returns null when the resale price is not lower', () => {
  expect(savedDollars(500, 500)).toBeNull();
});
