import { expect, test } from 'vitest';
import { partOfPriceError } from './part-of-price.ts';

test.each([
  ['100', null],
  [' 100.50 ', null],
  ['549.98', null],
  ['0.01', null],
  ['549.99', 'A part is less than the price of $549.99'],
  ['9999999', 'A part is less than the price of $549.99'],
  ['0', 'Name an amount of more than $0'],
  ['', 'An amount is in dollars and cents, such as 49.99'],
  ['-5', 'An amount is in dollars and cents, such as 49.99'],
  ['1,50', 'An amount is in dollars and cents, such as 49.99'],
  ['ten', 'An amount is in dollars and cents, such as 49.99'],
])('a part of $549.99 as “%s”', (typed, error) => {
  expect(partOfPriceError(typed, 549.99)).toBe(error);
});
