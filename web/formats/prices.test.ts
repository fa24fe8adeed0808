import { expect, test } from 'vitest';
import { savedDollars } from './prices.tsx';

test('what is saved is exact to the cent, where binary fractions are not', () => {
  expect(savedDollars(1499.1, 549.99)).toBe(949.11);
  expect(savedDollars(0.3, 0.1)).toBe(0.2);
});

test('nothing is saved on a price that is not lower', () => {
  expect(savedDollars(500, 500)).toBeNull();
});
