import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { facetNames } from './facets.ts';
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

const errorsOf = (filters: unknown) =>
  SearchFilters.safeParse(filters).error?.issues.map(({ message }) => message) ?? [];

test.each([
  ['memory', '-1', 'Memory is in gigabytes, 1 to 1024'],
  ['storage', '99999999', 'Storage is in gigabytes, 1 to 65536'],
  ['screen', '', 'Screen sizes are 12 to 17 inches'],
  ['battery', '-1', 'Batteries are filtered by at least 70, 80, 90 percent'],
  ['place', ' ', 'A place is not empty'],
  ['place', 'Lisbon\nPorto', 'This must be one line without control characters'],
  ['min_price', '-1', 'A price filter is a whole number, 1 to 20000000'],
])('%s=%j is refused with what is expected', (name, value, error) => {
  expect(errorsOf({ [name]: value })[0]).toBe(error);
});

test.each(facetNames)('each refused value of %s says why', (name) => {
  const values = ['-1', '', 'x', '1.5', '99999999', 'a\nb', ' ', 'x'.repeat(200), null, {}];
  const errors = values.flatMap((value) => errorsOf({ [name]: [value] }));
  expect(errors.length).toBeGreaterThan(0);
  for (const error of errors) expect(error).not.toMatch(/^(Invalid input)?$/);
});
