import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { SearchFilters } from './search.ts';

test.each([
  [
    ['word', 'inspected_hand', 'word'],
    ['inspected_hand', 'word'],
  ],
  ['inspected_hand', ['inspected_hand']],
  [undefined, []],
])('the level %o of links and saved searches stands for %o', (level, levels) => {
  expect(z.parse(SearchFilters, { level }).level).toEqual(levels);
});
