import { expect, test } from 'vitest';
import { parseDollars } from './use-price-fields.ts';

test.each([
  ['500', '500'],
  [' $1,200.00 ', '1200'],
  ['', ''],
  ['0', ''],
  ['cheap', null],
  ['-5', null],
  ['123456789', null],
])('the price “%s” is read as %j', (text, dollars) => expect(parseDollars(text)).toBe(dollars));
