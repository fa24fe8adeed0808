import { expect, test } from 'vitest';
import { savedAmount } from './prices.ts';

test('computes the saving in cents, without binary rounding errors', () => {
  expect(savedAmount(1499.1, 549.99)).toBe(949.11);
  expect(savedAmount(0.3, 0.1)).toBe(0.2);
});

test('returns null when the resale price is not lower', () => {
  expect(savedAmount(500, 500)).toBeNull();
});
