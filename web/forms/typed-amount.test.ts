import { expect, test } from 'vitest';
import { readAmount, writeAmount } from './typed-amount.ts';

test.each([
  // In English, in German, and in French with its narrow no-break space.
  ['549.99', '549.99', '549.99', '549.99'],
  ['549,99', null, '549.99', '549.99'],
  ['549', '549', '549', '549'],
  ['549.', '549', '549', '549'],
  ['1.234', null, '1234', '1234'],
  ['1,234', '1234', null, null],
  ['1,234.50', '1234.50', '1234.50', '1234.50'],
  ['1.234,50', null, '1234.50', '1234.50'],
  ['1.234.567', null, '1234567', '1234567'],
  ['1\u202F234,5', null, '1234.5', '1234.5'],
  ["1'234.50", '1234.50', null, null],
  [' $ 80 ', '80', '80', '80'],
  ['80,00 $', null, '80.00', '80.00'],
  ['12 34', null, null, null],
  ['1,23.50', null, null, null],
  ['-5', null, null, null],
  ['5e3', null, null, null],
  ['', null, null, null],
])('reads %j as %j in English, as %j in German, as %j in French', (typed, english, german, french) => {
  expect(['en-GB', 'de-DE', 'fr-FR'].map((language) => readAmount(typed, language))).toEqual([
    english,
    german,
    french,
  ]);
});

test('writes an example with the decimal separator of the language', () => {
  expect(['en-GB', 'de-DE'].map((language) => writeAmount('549.99', language))).toEqual(['549.99', '549,99']);
});

test('a browser whose language is no language tag reads and writes amounts all the same', () => {
  expect(readAmount('1,249.50', 'en-US@posix')).toBe('1249.50');
  expect(writeAmount('549.99', 'en-US@posix')).toBe('549.99');
});
