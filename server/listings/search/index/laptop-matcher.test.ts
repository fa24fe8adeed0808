import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLaptopIndex, createLaptopMatcher, type LaptopIndex } from './laptop-index.ts';
import type { LaptopRow } from './row.ts';
import { laptop, request } from './testing/random-searches.ts';

/** The numbers of all laptops that a search finds, ascending. */
function search(index: LaptopIndex, filters: Parameters<LaptopIndex['search']>[0]['filters']) {
  const { numbers, corrected } = index.search({ filters, sort: 'newest', limit: 1_000, after: null });
  return { found: numbers.sort((one, other) => one - other), corrected };
}

test('finds those of a few laptops that a search of the whole shop finds, and corrects no words', {
  tags: 'long',
}, () => {
  const counts = { found: 0, notFound: 0, corrected: 0, prefixes: 0 };
  fc.assert(
    fc.property(
      fc.array(laptop(fc.nat()), { minLength: 1, maxLength: 200, size: 'max' }),
      fc.array(request, { minLength: 10, maxLength: 20 }),
      fc.nat(30),
      (all, requests, changed) => {
        const laptops: LaptopRow[] = all.map((row, at) => ({ ...row, number: at * 3 + 5 }));
        const index = createLaptopIndex();
        for (const row of laptops) index.upsert(row);
        const few = laptops.slice(-1 - changed);
        const matcher = createLaptopMatcher(few, index.hasWord);
        const numbers = new Set(few.map(({ number }) => number));
        for (const request of requests) {
          // As a saved search has them.
          const filters = index.understand(request.filters);
          const { found, corrected } = search(index, filters);
          const expected = found.filter((number) => numbers.has(number));
          if (corrected === undefined) {
            expect(matcher.match(filters)).toEqual(expected);
            if (expected.length > 0) counts.found += 1;
            if (expected.length < few.length) counts.notFound += 1;
          } else {
            counts.corrected += 1;
            expect(matcher.match(filters)).toEqual([]);
            expect(matcher.match({ ...filters, q: corrected })).toEqual(expected);
          }
          if (expected.length > 0 && /(^| )(thi|p|lati)$/.test(filters.q)) counts.prefixes += 1;
        }
      },
    ),
    // The counts below differ from seed to seed.
    { seed: 4, numRuns: 80, endOnFailure: true },
  );
  // The searches are not degenerate.
  expect(Math.min(counts.found, counts.notFound, counts.corrected)).toBeGreaterThan(30);
  expect(counts.prefixes).toBeGreaterThan(3);
});
