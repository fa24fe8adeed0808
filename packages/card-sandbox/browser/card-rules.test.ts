import { expect, test } from 'vitest';
import {
  brandOf,
  checkCode,
  checkExpiry,
  checkNumber,
  checkPostalCode,
  formatExpiry,
  formatNumber,
} from './card-rules.ts';

const today = new Date(2026, 10, 20);

test.each([
  ['4242424242424242', '4242 4242 4242 4242', 'visa', 'complete'],
  ['5555555555554444', '5555 5555 5555 4444', 'mastercard', 'complete'],
  ['2223003122003222', '2223 0031 2200 3222', 'mastercard', 'complete'],
  ['378282246310005', '3782 822463 10005', 'amex', 'complete'],
  ['6011111111111117', '6011 1111 1111 1117', 'discover', 'complete'],
  ['4242424242424241', '4242 4242 4242 4241', 'visa', 'invalid'],
  ['42424', '4242 4', 'visa', 'incomplete'],
  ['', '', 'unknown', 'empty'],
])('number %s is shown as %s: %s, %s', (typed, shown, brand, state) => {
  expect(formatNumber(typed)).toBe(shown);
  expect(brandOf(typed)).toBe(brand);
  expect(checkNumber(shown).state).toBe(state);
});

test.each([
  ['1', '1'],
  ['4', '04 / '],
  ['12', '12 / '],
  ['13', '01 / 3'],
  ['1230', '12 / 30'],
  ['12 / 2030', '12 / 30'],
  ['1/', '01 / '],
])('expiry %s becomes %s', (typed, shown) => {
  expect(formatExpiry(typed, false)).toBe(shown);
});

test('deletes the slash between month and year', () => {
  expect(formatExpiry('12 /', true)).toBe('12');
});

test.each([
  ['12 / 30', undefined],
  ['11 / 26', undefined],
  ['12 / ', 'incomplete_expiry'],
  ['10 / 26', 'invalid_expiry_month_past'],
  ['12 / 25', 'invalid_expiry_year_past'],
  ['00 / 30', 'invalid_expiry_month'],
  ['12 / 99', 'invalid_expiry_year'],
])('expiry %s has the problem %s', (shown, problem) => {
  const check = checkExpiry(shown, today);
  expect(check.state === 'complete' ? undefined : check.problem).toBe(problem);
});

test('requires four digits of a security code on American Express, three otherwise', () => {
  expect(checkCode('123', 'visa').state).toBe('complete');
  expect(checkCode('123', 'amex').state).toBe('incomplete');
  expect(checkCode('1234', 'amex').state).toBe('complete');
});

test('requires five digits of a postal code', () => {
  expect(checkPostalCode('9410').state).toBe('incomplete');
  expect(checkPostalCode('94107').state).toBe('complete');
});
