import { expect, test } from 'vitest';
import { csvCents, csvText } from './csv.ts';

test('texts are quoted', () => {
  expect(csvText('say "hi", twice\nor more')).toBe('"say ""hi"", twice\nor more"');
});

test.each(['=1+1', ' \t=1', '+1', '@SUM(A1)', '-1+1', '\t=1', '=HYPERLINK("http://x.example")'])(
  'the text %j is no formula in a spreadsheet',
  (text) => {
    expect(csvText(text)).toMatch(/^"'/);
  },
);

test('cents are decimal numbers', () => {
  expect([-1_250, 5, 0, -5, -1_250n].map(csvCents)).toEqual(['-12.50', '0.05', '0.00', '-0.05', '-12.50']);
});
