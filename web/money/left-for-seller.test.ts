import { expect, test } from 'vitest';
import { estimatedLabelCents, leftForSeller } from './left-for-seller.ts';

const estimates = {
  sizes: [
    { upTo: 14.5, price: 9.72 },
    { upTo: 21, price: 13.02 },
  ],
  insurance: 1,
  borneBy: 'seller' as const,
};

test('a label is estimated by the screen, as the largest one without it, and costs its seller nothing if the shop pays', () => {
  expect(estimatedLabelCents(54_999, estimates, 14)).toBe(972 + 550);
  expect(estimatedLabelCents(54_999, estimates)).toBe(1_302 + 550);
  expect(estimatedLabelCents(54_999, { ...estimates, borneBy: 'shop' }, 14)).toBe(0);
  expect(estimatedLabelCents(54_999, { ...estimates, sizes: [] }, 14)).toBeNull();
});

test('a commission and a label can cost more than a laptop brings', () => {
  const commission = { basisPoints: 500, fixedCents: 100 };
  expect(leftForSeller(54_999, commission, 1_522)).toBe(54_999 - 2_849 - 1_522);
  expect(leftForSeller(1_000, commission, 992)).toBe(-142);
  expect(leftForSeller(50, { basisPoints: 0, fixedCents: 100 }, 0)).toBe(0);
});
