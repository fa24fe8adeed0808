import { expect, test } from 'vitest';
import { formatCents } from '#contract/platform/money.ts';
import { plainCents, toCsv } from './csv.ts';

test('cells are quoted where they need it', () => {
  expect(toCsv([['a', 'b, c', 'say "hi"', 'two\nlines']])).toBe(
    '\uFEFFa,"b, c","say ""hi""","two\nlines"\r\n',
  );
});

test.each(['=1+1', '+1', '@SUM(A1)', '-1+1', '\t=1', '=HYPERLINK("http://x.example")'])(
  'the text %j is no formula in a spreadsheet',
  (text) => {
    expect(toCsv([[text]])).toMatch(/^\uFEFF"?'/);
  },
);

test.each(['-12.50', '0.00', '549.99'])('the number %s stays one', (text) => {
  expect(toCsv([[text]])).toBe(`\uFEFF${text}\r\n`);
});

test('cents are written for people and for programs', () => {
  expect([formatCents(-1_250), formatCents(0), formatCents(5_499_900)]).toEqual([
    '−$12.50',
    '$0.00',
    '$54,999.00',
  ]);
  expect([plainCents(-1_250), plainCents(5), plainCents(0), plainCents(-5)]).toEqual([
    '-12.50',
    '0.05',
    '0.00',
    '-0.05',
  ]);
});
