import { expect, test } from 'vitest';
import { payableWaits } from '#server/money/refunds/rules.ts';

test.each([
  ['nothing while all of it is with the seller', [[522, 522]], 522, [0]],
  ['what a reversal brought back', [[522, 300]], 300, [222]],
  ['what a reversal brought back, although the seller owes more for other reasons', [[522, 0]], 1_000, [522]],
  ['what other sales cover', [[522, 522]], 200, [322]],
  [
    'all of it without a debt',
    [
      [522, 522],
      [100, 100],
    ],
    0,
    [522, 100],
  ],
  [
    'the oldest first',
    [
      [522, 522],
      [522, 522],
    ],
    600,
    [444, 0],
  ],
  [
    'more than the oldest',
    [
      [100, 100],
      [522, 522],
    ],
    400,
    [100, 122],
  ],
] as const)('pays %s', (_what, waiting, debtCents, payable) => {
  const amounts = waiting.map(([amountCents, overpaidCents]) => ({ amountCents, overpaidCents }));
  expect(payableWaits(amounts, debtCents)).toEqual(payable);
});
