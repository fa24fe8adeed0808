import { expect, test } from 'vitest';
import { leftOfPrice, partOfPriceError, refundError } from './part-of-price.ts';

test.each([
  ['100', null],
  [' 100.50 ', null],
  ['549.98', null],
  ['0.01', null],
  ['549.99', 'A part is less than the price of $549.99'],
  ['9999999', 'A part is less than the price of $549.99'],
  ['0', 'Name an amount of more than $0'],
  ['', 'An amount is in dollars, with at most two decimals, such as 549.99'],
  ['-5', 'An amount is in dollars, with at most two decimals, such as 549.99'],
  ['1,50', 'An amount is in dollars, with at most two decimals, such as 549.99'],
  ['ten', 'An amount is in dollars, with at most two decimals, such as 549.99'],
])('a part of $549.99 as “%s”', (typed, error) => {
  expect(partOfPriceError(typed, 549.99)).toBe(error);
});

test.each([
  [{ price: 549.99, refunded: 0, goodwill: 0 }, 549.99],
  [{ price: 549.99, refunded: 100.1, goodwill: 0.2 }, 449.69],
  [{ price: 100, refunded: 100, goodwill: 20 }, 0],
])('%j leaves %s', (order, left) => {
  expect(leftOfPrice(order)).toBe(left);
});

test.each([
  ['100', null],
  ['449.69', null],
  ['449.70', '$449.69 is left of the price'],
  ['0', 'Name an amount of more than $0'],
  ['a lot', 'An amount is in dollars, with at most two decimals, such as 549.99'],
])('to refund %j of $449.69: %s', (typed, error) => {
  expect(refundError(typed, 449.69)).toBe(error);
});
