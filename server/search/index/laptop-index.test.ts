import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLaptopIndex, type LaptopIndex } from './laptop-index.ts';
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
        fc.record({ name: laptopFields.name }),
      ),
    }),
  },
);

type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

/** Lists up to three pages, each after the one before, and compares each with the plain search. */
function expectSameResult(
  index: LaptopIndex,
  laptops: LaptopRow[],
  { filters, sort, limit }: Request,
): number {
  let after: Parameters<LaptopIndex['search']>[0]['after'] = null;
  let total = 0;
  for (let page = 1; page <= 3; page += 1) {
    const { next, corrected, ...result } = index.search({ filters, sort, limit, after });
    const { searched, ...expected } = plainSearch(laptops, { filters, sort, limit, after });
    expect(result).toEqual(expected);
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
        index.trim();
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
    { numRuns: 60, endOnFailure: true },
  );
  // The random catalogues are not degenerate, and the searches find a part of them.
  const filled = combinations.filter((share) => !Number.isNaN(share));
  expect(Math.min(...filled)).toBeGreaterThan(0.9);
  const parts = totals.filter(({ total, of }) => total > 0 && total < of);
  expect(parts.length).toBeGreaterThan(totals.length / 3);
  expect(totals.filter(({ total }) => total === 0).length).toBeGreaterThan(totals.length / 20);
});

test('Answers stay the same when the index grows beyond its capacity and when it drops removed laptops', () => {
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
  // A change ends the copying, whose steps would not have it.
  const interrupted = index.maintain();
  interrupted.next();
  const [first] = laptops.keys();
  if (first !== undefined) index.remove(first);
  if (first !== undefined) laptops.delete(first);
  expect(interrupted.next().done).toBe(true);
  expectSameResults();
  for (const _ of index.maintain()) expectSameResults();
  expect(index.size()).toBeLessThan(full);
  expectSameResults();
  expect([...index.maintain()]).toEqual([]);
  // Laptops that are sold and offered again.
  for (const row of all.slice(100, 102)) {
    const again = { ...row, number: 101 };
    index.upsert(again);
    laptops.set(101, again);
    expectSameResults();
  }
});
