import { expect, test } from 'vitest';
import { markdownTable, plainTable } from './table.ts';

const table = {
  columns: ['', 'requests/s', 'ratio'],
  rows: [
    ['bare', '9,000', ''],
    ['shop, first page', '12', '0.80'],
  ],
};

test('aligns numbers in the terminal', () => {
  expect(plainTable(table).split('\n')).toEqual([
    '                  requests/s  ratio',
    '───────────────────────────────────',
    'bare                   9,000',
    'shop, first page          12   0.80',
  ]);
});

test('formats the same table as Markdown', () => {
  expect(markdownTable(table).split('\n')).toEqual([
    '|                  | requests/s | ratio |',
    '|------------------|-----------:|------:|',
    '| bare             |      9,000 |       |',
    '| shop, first page |         12 |  0.80 |',
  ]);
});
