import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { SearchFilters } from '#contract/listings/search.ts';
import { createLaptopIndex, type LaptopIndex } from './laptop-index.ts';
import { LaptopTable } from './laptop-table.ts';
import type { LaptopRow } from './row.ts';
import { plainSearch, plainSuggest } from './testing/plain-search.ts';
import { laptop, laptopFields, request, typed } from './testing/random-searches.ts';

const number = fc.integer({ min: 1, max: 300 });
const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('upsert' as const), laptop: laptop(number) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), number }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      number,
      to: fc.oneof(
        fc.record({ priceCents: laptopFields.priceCents }),
        fc.record({ verified: fc.boolean() }),
        fc.record({ level: laptopFields.level }),
        fc.record({ battery: laptopFields.battery }),
        fc.record({ name: laptopFields.name }),
        fc.record({ configuration: laptopFields.configuration }),
        fc.record({ notes: laptopFields.notes }),
      ),
    }),
  },
);

type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

/** The number of matches of a search without some of its filters. */
function totalWithout(laptops: LaptopRow[], filters: SearchFilters, names: readonly string[]): number {
  const kept = Object.entries(filters).filter(
    ([name]) => !names.includes(name.endsWith('_price') ? 'price' : name),
  );
  const request = { filters: z.parse(SearchFilters, Object.fromEntries(kept)), limit: 1, after: null };
  return plainSearch(laptops, { ...request, sort: 'newest' }).total;
}

/** Checks the sets of filters without which something matches: they have no filter too many, and their totals are right. */
function expectLoosened(
  laptops: LaptopRow[],
  filters: SearchFilters,
  { total, loosen }: Pick<ReturnType<LaptopIndex['search']>, 'total' | 'loosen'>,
): void {
  const { loosen: alone } = plainSearch(laptops, { filters, sort: 'newest', limit: 1, after: null });
  if (total > 0 || alone.length > 0) {
    expect(loosen).toEqual(alone);
    return;
  }
  expect(loosen.length).toBeLessThanOrEqual(3);
  for (const { filters: names, total: found } of loosen) {
    expect(names.length).toBeGreaterThan(1);
    expect(found).toBe(totalWithout(laptops, filters, names));
    expect(found).toBeGreaterThan(0);
    for (const name of names) {
      const others = names.filter((other) => other !== name);
      expect(totalWithout(laptops, filters, others)).toBe(0);
    }
  }
  loosened.push(...loosen.map(({ filters: names }) => names.length));
}

/** The sizes of the sets that {@link expectLoosened} has checked. */
const loosened: number[] = [];

/** Lists up to three pages, each after the one before, and compares each with the plain search. */
function expectSameResult(
  index: LaptopIndex,
  laptops: LaptopRow[],
  { filters, sort, limit }: Request,
): number {
  let after: Parameters<LaptopIndex['search']>[0]['after'] = null;
  let total = 0;
  for (let page = 1; page <= 3; page += 1) {
    const { next, corrected, loosen, understood, words, ...all } = index.search({
      ...{ filters, sort, limit, after },
    });
    expect({ understood, words }).toEqual({ understood: [], words: filters.q });
    const { sort: _, ...result } = all;
    const { searched, loosen: _alone, ...expected } = plainSearch(laptops, { filters, sort, limit, after });
    expect(result).toEqual(expected);
    expectLoosened(laptops, filters, { ...result, loosen });
    if (corrected !== undefined) expect(corrected).toBe(searched);
    total = result.total;
    const further = plainSearch(laptops, { filters, sort, limit: limit + 1, after }).numbers.length > limit;
    expect(next !== null).toBe(further);
    if (next === null) return total;
    expect(next.number).toBe(result.numbers.at(-1));
    after = next;
  }
  return total;
}

test('Each answer equals that of a plain search after any changes', () => {
  const totals: { total: number; of: number }[] = [];
  const combinations: number[] = [];
  fc.assert(
    fc.property(
      fc.array(laptop(fc.nat()), { maxLength: 250, size: 'max' }),
      fc.array(change, { maxLength: 60, size: 'max' }),
      fc.array(request, { minLength: 4, maxLength: 8 }),
      fc.array(typed, { minLength: 2, maxLength: 4 }),
      (loaded, changes, requests, texts) => {
        const index = createLaptopIndex();
        const laptops = new Map<number, LaptopRow>();
        const upsert = (row: LaptopRow) => {
          index.upsert(row);
          laptops.set(row.number, row);
        };
        // Every second number, so that there is room between them.
        for (const [at, row] of loaded.entries()) upsert({ ...row, number: at * 2 + 10 });
        // What is kept of searches follows the changes.
        for (const { filters } of requests) index.search({ filters, sort: 'newest', limit: 1, after: null });
        for (const step of changes) {
          if (step.kind === 'upsert') upsert(step.laptop);
          else if (step.kind === 'remove') {
            index.remove(step.number);
            laptops.delete(step.number);
          } else {
            const row = laptops.get(step.number);
            if (row !== undefined) upsert({ ...row, ...step.to });
          }
        }
        const all = [...laptops.values()];
        expect(index.count()).toBe(all.length);
        for (const one of requests) totals.push({ total: expectSameResult(index, all, one), of: all.length });
        for (const text of texts) expect(index.suggest(text)).toEqual(plainSuggest(all, text));
        combinations.push(new Set(all.map(({ number: _, ...row }) => JSON.stringify(row))).size / all.length);
      },
    ),
    // The counts below differ from seed to seed.
    { seed: 4, numRuns: 60, endOnFailure: true },
  );
  // The random catalogues are not degenerate, and the searches find a part of them.
  const filled = combinations.filter((share) => !Number.isNaN(share));
  expect(Math.min(...filled)).toBeGreaterThan(0.9);
  const parts = totals.filter(({ total, of }) => total > 0 && total < of);
  expect(parts.length).toBeGreaterThan(totals.length / 3);
  expect(totals.filter(({ total }) => total === 0).length).toBeGreaterThan(totals.length / 20);
  expect(loosened.filter((size) => size === 2).length).toBeGreaterThan(5);
});

test('Answers stay the same when laptops arrive late, are removed, are loaded again and come back', () => {
  const all = fc.sample(laptop(fc.nat()), { seed: 1, numRuns: 3_000 });
  const index = createLaptopIndex();
  const laptops = new Map<number, LaptopRow>();
  for (const [at, row] of all.entries()) {
    // Some numbers arrive late, as those of concurrent transactions do.
    const numbered = { ...row, number: at % 50 === 49 ? at * 2 - 15 : at * 2 };
    index.upsert(numbered);
    laptops.set(numbered.number, numbered);
  }
  const requests = fc.sample(request, { seed: 2, numRuns: 6 });
  const expectSameResults = () => {
    for (const one of requests) expectSameResult(index, [...laptops.values()], one);
  };
  expectSameResults();
  const full = index.size();
  for (const removed of [...laptops.keys()].filter((other) => other % 8 !== 0)) {
    index.remove(removed);
    laptops.delete(removed);
  }
  expectSameResults();
  expect(index.isWasteful()).toBe(true);
  const table = new LaptopTable();
  for (const row of laptops.values()) table.add(row);
  index.load(table);
  expect(index.isWasteful()).toBe(false);
  expect(index.size()).toBeLessThan(full);
  expectSameResults();
  // Laptops that are sold and offered again.
  for (const row of all.slice(100, 102)) {
    const again = { ...row, number: 101 };
    index.upsert(again);
    laptops.set(101, again);
    expectSameResults();
  }
});

test('a search without matches names the fewest filters, also of all that there are', () => {
  const index = createLaptopIndex();
  const laptops = fc.sample(laptop(fc.nat()), { seed: 3, numRuns: 50 }).map((row, at) => ({
    ...row,
    ...{ memory: 8, storage: 256, number: at + 1 },
  }));
  for (const row of laptops) index.upsert(row);
  const filters = z.parse(SearchFilters, {
    q: 'dell i7',
    brand: 'HP',
    condition: 'Good',
    level: 'measured',
    memory: 64,
    storage: 2048,
    screen: 14,
    battery: 90,
    processor: 'apple',
    generation: 'apple-1',
    graphics: 'geforce',
    system: 'linux',
    place: 'Place 1',
    verified: 'yes',
    max_price: 1,
  });
  const result = index.search({ filters, sort: 'newest', limit: 24, after: null });
  expectLoosened(laptops, filters, result);
  expect(Math.min(...result.loosen.map(({ filters: names }) => names.length))).toBeGreaterThan(4);
});
