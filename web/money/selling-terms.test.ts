import { expect, test } from 'vitest';
import { commissionSentence } from './selling-terms.tsx';

test.each([
  [0, 0, 'Listing is free, and the shop keeps nothing of a sale.'],
  [5.5, 0, 'Listing is free. Of each sale the shop keeps 5.5\u00a0%.'],
  [5, 1, 'Listing is free. Of each sale the shop keeps 5\u00a0% and $1.00.'],
  [0, 2, 'Listing is free. Of each sale the shop keeps $2.00.'],
])('a commission of %s %% and $%s', (percent, fixed, sentence) => {
  expect(commissionSentence({ percent, fixed })).toBe(sentence);
});
