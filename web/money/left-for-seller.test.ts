import { expect, test } from 'vitest';
import { estimatedLabelCents, leastPriceWarning, leftSentence } from './left-for-seller.ts';

const estimates = {
  sizes: [
    { upTo: 14.5, price: 9.72 },
    { upTo: 21, price: 13.02 },
  ],
  insurance: 1,
  leastInsurance: 1,
  hasLabels: true,
  borneBy: 'seller' as const,
};

test('a label is estimated by the screen, as the largest one without it, and costs its seller nothing if the shop pays', () => {
  expect(estimatedLabelCents(54_999, estimates, 14)).toBe(972 + 550);
  expect(estimatedLabelCents(54_999, estimates)).toBe(1_302 + 550);
  expect(estimatedLabelCents(5_000, estimates, 14)).toBe(972 + 100);
  expect(estimatedLabelCents(54_999, { ...estimates, borneBy: 'shop' }, 14)).toBe(0);
  expect(estimatedLabelCents(54_999, { ...estimates, sizes: [] }, 14)).toBeNull();
});

test('a seller reads what is left of a price, and that nothing is', () => {
  const commission = { basisPoints: 500, fixedCents: 100 };
  expect(leftSentence(54_999, commission, 1_522, true)).toEqual({
    text: 'Of $549.99 you get about $506.28: the shop keeps $28.49, and a label of the shop with its insurance costs about $15.22.',
    isLeft: true,
  });
  expect(leftSentence(1_000, commission, 992, false)).toEqual({
    text: 'Of $10.00 nothing is left for you: the shop keeps $1.50, and a label of the shop with its insurance costs about $9.92. Please ask for more.',
    isLeft: false,
  });
  expect(leftSentence(54_999, commission, null, true)?.text).toBe(
    'Of $549.99 you get $521.50: the shop keeps $28.49.',
  );
  expect(leftSentence(54_999, { basisPoints: 0, fixedCents: 0 }, 0, false)).toBeNull();
});

test('a label that takes all of a price is no reason to ask for more from those who may meet the buyer, unless the commission takes all', () => {
  expect(leftSentence(1_000, { basisPoints: 500, fixedCents: 100 }, 992, true)).toEqual({
    text: 'Of $10.00 you get $8.50 when you meet. When you send it, nothing is left: the shop keeps $1.50, and a label of the shop with its insurance costs about $9.92.',
    isLeft: true,
  });
  expect(leftSentence(1_000, { basisPoints: 0, fixedCents: 1_000 }, 992, true)?.isLeft).toBe(false);
});

test('an owner is warned of a least price that a commission takes, alone or with a label', () => {
  const fixed = { basisPoints: 0, fixedCents: 100 };
  expect(leastPriceWarning(100, fixed, null)).toContain(
    'least price of $1.00 brings its seller nothing: the commission takes',
  );
  expect(leastPriceWarning(1_000, fixed, 992)).toContain(
    'the commission and a label of about $9.92 take all of it',
  );
  expect(leastPriceWarning(900, { basisPoints: 0, fixedCents: 0 }, 992)).toContain(
    'least price of $9.00, sent with a label of the shop, brings its seller nothing: a label of about $9.92 takes all of it',
  );
  expect(leastPriceWarning(1_000, fixed, 0)).toBeNull();
  expect(leastPriceWarning(Number.NaN, fixed, 992)).toBeNull();
});
