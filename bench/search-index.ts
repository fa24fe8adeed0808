import * as z from 'zod/mini';
import { SearchFilters } from '#contract/listings/search.ts';
import {
  createLaptopIndex,
  type LaptopIndex,
  type SearchRequest,
} from '#server/listings/search/index/laptop-index.ts';
import { LaptopTable } from '#server/listings/search/index/laptop-table.ts';
import { createRandom, randomLaptops } from './random-laptops.ts';
import type { Table } from './table.ts';

const SEARCHES = 2_000;
const LIMIT = 24;

const words = [
  ...[
    'dell i7 16gb',
    'thinkpad',
    'thinkpd',
    'elitebok',
    'hp elitebook',
    'macbook air m1',
    'gaming',
    'x1',
    'ryzen 5',
  ],
  ...[
    'latitude 5',
    'lenovo 512gb',
    'windows 11 touchscreen',
    'portege',
    '14" i5',
    'e',
    'surface pro',
    'backlit key',
    'nvme',
    'iris xe 512 gb ssd',
    'rtx3060',
    'ddr4 touch',
  ],
];

/** Generates searches as buyers make them: some filters, or words, any order, and sometimes a later page. */
function* randomSearches(index: LaptopIndex): Generator<SearchRequest> {
  const random = createRandom(2);
  const empty = z.parse(SearchFilters, {});
  const { facets } = index.search({ filters: empty, sort: 'newest', limit: 1, after: null });
  /** Up to three values of a facet in one of five searches; frequent ones more often. */
  const choose = (facet: keyof typeof facets) => {
    if (random() > 0.2) return [];
    const values = facets[facet];
    return Array.from(
      { length: 1 + Math.floor(random() * 3) },
      () => values[Math.floor(random() ** 2 * values.length)]?.value,
    );
  };
  for (;;) {
    const filters = z.parse(SearchFilters, {
      q: random() < 0.3 ? words[Math.floor(random() * words.length)] : '',
      brand: choose('brand'),
      condition: choose('condition'),
      memory: choose('memory'),
      storage: choose('storage'),
      screen: choose('screen'),
      battery: random() < 0.3 ? choose('battery') : [],
      processor: choose('processor'),
      generation: random() < 0.3 ? choose('generation') : [],
      graphics: random() < 0.3 ? choose('graphics') : [],
      system: random() < 0.3 ? choose('system') : [],
      place: random() < 0.3 ? choose('place') : [],
      verified: random() < 0.1 ? 'yes' : undefined,
      max_price: random() < 0.2 ? Math.ceil(random() * 2_000) + 200 : undefined,
    });
    const orders = ['newest', 'newest', 'price', 'saving', '-price', 'relevance'] as const;
    const sort = orders[Math.floor(random() * orders.length)] ?? 'newest';
    const request = { filters, sort, limit: LIMIT, after: null };
    yield request;
    if (random() < 0.2) yield { ...request, after: index.search(request).next };
  }
}

/** Milliseconds of each call, ascending: passed time and processor time, which other load on the machine affects less. */
interface Measured {
  times: number[];
  processor: number[];
}

function measureCalls(calls: Iterable<() => unknown>): Measured {
  const times: number[] = [];
  const processor: number[] = [];
  for (const call of calls) {
    const used = process.cpuUsage();
    const start = performance.now();
    call();
    times.push(performance.now() - start);
    const { user, system } = process.cpuUsage(used);
    processor.push((user + system) / 1000);
  }
  const ascending = (one: number, other: number) => one - other;
  return { times: times.sort(ascending), processor: processor.sort(ascending) };
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
const format = (value: number, digits: number) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Measures the search index alone, without a database, with generated laptops. */
export function measureSearchIndex(laptops: number): Table {
  const index = createLaptopIndex();
  const generating = measureCalls([
    () => {
      for (const _ of randomLaptops(laptops));
    },
  ]);
  const loading = measureCalls([
    () => {
      const table = new LaptopTable();
      for (const laptop of randomLaptops(laptops)) table.add(laptop);
      index.load(table);
    },
  ]);
  const searches: (() => unknown)[] = [];
  for (const request of randomSearches(index)) {
    if (searches.push(() => index.search(request)) === SEARCHES) break;
  }
  // V8 optimizes the code during the first searches.
  measureCalls(searches.slice(0, 200));
  const searching = measureCalls(searches);
  const suggesting = measureCalls(
    Array.from({ length: 20 }, () => words.map((typed) => () => index.suggest(typed))).flat(),
  );
  const row = (name: string, { times, processor }: Measured, aim = '') => [
    name,
    ...[times, processor].flatMap((sorted) => [0.5, 0.99].map((share) => format(quantile(sorted, share), 2))),
    aim,
  ];
  const single = (name: string, value: string, aim = '') => [name, value, '', '', '', aim];
  const loadSeconds = (quantile(loading.processor, 0) - quantile(generating.processor, 0)) / 1000;
  return {
    columns: [`${format(laptops, 0)} laptops`, 'p50 ms', 'p99 ms', 'CPU p50', 'CPU p99', 'aim'],
    rows: [
      row('search: filters, counts, 24 numbers', searching, 'p50 10, p99 40'),
      row('suggestions', suggesting),
      single('size of the index', `${format(index.size() / 1e6, 1)} MB`, 'at most 120 MB a million'),
      single('loading, processor time', `${format(loadSeconds, 2)} s`),
    ],
  };
}
