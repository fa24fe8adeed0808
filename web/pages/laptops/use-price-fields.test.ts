import { expect, test } from 'vitest';
import { parseBound, understoodBound } from './use-price-fields.ts';

test.each([
  ['500', '500'],
  [' $1,200.00 ', '1200'],
  ['', ''],
  ['0', ''],
  ['cheap', null],
  ['-5', null],
  ['123456789', null],
])('the price “%s” is read as %j', (text, bound) => expect(parseBound(text)).toBe(bound));

test.each([
  ['500', null],
  ['500.50', 'To = $500'],
  ['$1,200', 'To = $1,200'],
  ['cheap', null],
  ['', null],
])('the page says of the bound “%s”: %j', (text, words) => expect(understoodBound('To', text)).toBe(words));
