import { expect, test } from 'vitest';
import { commissionText } from './seller-terms.tsx';

test.each([
  [0, 0, 'nothing'],
  [5.5, 0, '5.5 % of the price'],
  [5, 1, '5 % of the price and $1.00'],
  [0, 2, '$2.00'],
])('a commission of %s %% and $%s', (percent, fixed, text) => {
  expect(commissionText({ percent, fixed })).toBe(text);
});
