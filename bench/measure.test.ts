import { expect, test } from 'vitest';
import { median } from './measure.ts';

test('an outlier does not change the median', () => {
  expect(median([10, 900, 11])).toBe(11);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});
