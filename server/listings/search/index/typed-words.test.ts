import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { SearchFilters } from '#contract/listings/search.ts';
import { processorTime } from '#tests/harness/platform/processor-time.ts';
import { createLaptopIndex, type LaptopIndex } from './laptop-index.ts';
import type { LaptopRow } from './row.ts';

const plain: LaptopRow = {
  number: 1,
  brand: 'HP',
  condition: 'Good',
  priceCents: 20_000,
  originalCents: 50_000,
  memory: 16,
  storage: 512,
  screen: 14,
  battery: 88,
  processor: 'intel-core-i7',
  generation: 'intel-11',
  graphics: 'integrated',
  system: 'windows-11',
  level: 'word',
  verified: true,
  shipping: false,
  place: 'Lisbon',
  configuration: '',
  notes: '',
  name: 'EliteBook 840 G8',
};
const all = z.parse(SearchFilters, {});
const searchFor = (index: LaptopIndex, q: string) =>
  index.search({ filters: { ...all, q }, sort: 'relevance', limit: 10, after: null });

const samples = [
  { name: 'EliteBook 840 G8' },
  { name: 'ThinkPad T480', brand: 'Lenovo' },
  { name: 'ThinkBook 14', brand: 'Lenovo' },
  { name: 'Latitude 5400 with i7 and 16 GB', brand: 'Dell' },
  { name: 'Latitude 5410', brand: 'Dell' },
  { name: 'Inspiron', brand: 'Dell', processor: 'amd-ryzen-7', generation: 'ryzen-5000', memory: 8 },
  { name: 'MacBook Air', brand: 'Apple', processor: 'apple', generation: 'apple-1' },
].map((fields, index) => ({ ...plain, ...fields, number: index + 1 }));

test.each([
  ['thinkpd', 'thinkpad', [2]],
  ['elitebok', 'elitebook', [1]],
  ['elitebok 16 gb', 'elitebook 16gb', [1]],
  ['lattitude i7', 'latitude i7', [4, 5]],
  ['dlel latitude', 'dell latitude', [5, 4]],
  ['lenvoo 16gb', 'lenovo 16gb', [3, 2]],
  ['notebook', undefined, [7, 6, 5, 4, 3, 2, 1]],
  // The words of the first one are in its name and brand.
  ['dell i7 16gb', undefined, [4, 5]],
  ['dell ryzen', undefined, [6]],
  ['think', undefined, [3, 2]],
  ['m1', undefined, [7]],
  ['windows 11 latitude', undefined, [5, 4]],
  // A similar model is another laptop.
  ['latitude 5420', undefined, []],
  ['qqqq', undefined, []],
  // More than typing mistakes: of “latitude”, “air”, “dell”.
  ['latent', undefined, []],
  ['aircraft', undefined, []],
  ['della', 'dell', [6, 5, 4]],
])('%s', (q, corrected, numbers) => {
  const index = createLaptopIndex();
  for (const row of samples) index.upsert(row);
  const result = searchFor(index, q);
  expect(result.numbers).toEqual(numbers);
  expect(result.corrected).toBe(corrected);
});

test.each([
  ['latitude in good condition', 'condition=Excellent condition=Good', 'latitude'],
  ['like new', 'condition=Excellent', ''],
  ['500-700', 'min_price=500 max_price=700', ''],
  ['latitude 5400-5410', '', 'latitude 5400-5410'],
  ['big screen', 'screen=15 screen=16 screen=17', ''],
  ['16gb ram 512 ssd', 'memory=16 storage=512', ''],
  ['business laptop', 'memory=8-or-more', ''],
  ['inspected, verified seller', 'verified=yes level=inspected_photos level=inspected_hand', ''],
])('%s is read as “%s”', (q, parameters, words) => {
  const index = createLaptopIndex();
  for (const row of samples) index.upsert(row);
  const read = searchFor(index, q);
  const names = read.understood.flatMap(({ parameters: all }) =>
    all.map(({ name, value }) => `${name}=${value}`),
  );
  expect(names.join(' ')).toBe(parameters);
  expect(read.words).toBe(words);
});

test('A page begins after its position even when that laptop is gone or has another price', () => {
  const index = createLaptopIndex();
  for (let at = 1; at <= 9; at += 1) index.upsert({ ...plain, number: at, priceCents: 10_000 + (at % 3) });
  const page = (after: Parameters<LaptopIndex['search']>[0]['after']) =>
    index.search({ filters: all, sort: 'price', limit: 4, after });
  const first = page(null);
  expect(first.numbers).toEqual([9, 6, 3, 7]);
  index.remove(7);
  index.upsert({ ...plain, number: 9, priceCents: 90_000 });
  index.upsert({ ...plain, number: 10, priceCents: 10_000 });
  expect(page(first.next).numbers).toEqual([4, 1, 8, 5]);
});

/** A word of letters for each number, different from all others. */
function wordOf(number: number): string {
  const letters = (rest: number): string =>
    rest === 0 ? '' : `${letters(Math.floor(rest / 20))}${'bcdfghjklmnpqrstvwxz'.charAt(rest % 20)}a`;
  return letters(number + 400);
}

/** The least processor time of each call in milliseconds, measured in turn: other work on the machine only adds to it. */
function leastTimes(calls: readonly (() => unknown)[]): number[] {
  const times = calls.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 40; round += 1) {
    for (const [at, call] of calls.entries()) {
      times[at] = Math.min(times[at] ?? 0, processorTime(call));
    }
  }
  return times;
}

test('A search for any 100 characters costs a small multiple of a usual one', { tags: 'long' }, () => {
  const index = createLaptopIndex();
  for (let at = 1; at <= 20_000; at += 1) {
    index.upsert({
      ...plain,
      number: at,
      name: `EliteBook ${wordOf(at)} ${wordOf(at * 2)}`,
    });
  }
  const usual = () => searchFor(index, 'hp elitebook 16gb');
  const worst = [
    // Many words, each similar to known ones; one long word; words that begin like all others.
    Array.from({ length: 12 }, (_, at) => `x${wordOf(at * 391)}`).join(' '),
    wordOf(3).repeat(30),
    'baca daba cada faga hala kama nala pama rasa tawa xaza baza cafa daga fala gana hama jaka lana maba napa',
    'b c d f g h j k l m n p q r s t v w x z b c d f g h j k l m n p q r s t v w x z b c d f g h j k l m',
  ].map((text) => text.slice(0, 100));
  for (const text of worst) expect(text.length).toBeGreaterThan(80);
  const [one = 0, ...others] = leastTimes([
    usual,
    ...worst.map((text) => () => searchFor(index, text)),
    ...worst.map((text) => () => index.suggest(text)),
  ]);
  for (const time of others) expect(time / one).toBeLessThan(12);
});

const configured = [
  {
    name: 'ThinkPad T14',
    configuration:
      'Intel Core i7-1165G7, 4 cores / Intel Iris Xe / 14.0" IPS touch / 16 GB DDR4 / 512 GB NVMe SSD',
  },
  { name: 'Legion 5', configuration: 'NVIDIA GeForce RTX 3060 Laptop, 6 GB / 1 TB HDD, sd' },
  { name: 'XPS13', configuration: 'nmve' },
  { name: 'XPS 13 Plus', configuration: 'Intel Core i7-1260P / RTX3060' },
].map((fields, at) => ({ ...plain, ...fields, number: at + 1, memory: null, storage: null, graphics: null }));

test.each([
  ['512 gb ssd', [1]],
  ['512gb', [1]],
  ['i7-1165g7', [1]],
  ['i7 1165g7', [1]],
  ['1165g7', [1]],
  ['iris xe', [1]],
  ['nvme', [1]],
  ['ddr4', [1]],
  ['touch', [1]],
  ['4 cores', [1]],
  ['rtx3060', [4, 2]],
  ['RTX 3060', [4, 2]],
  ['xps13', [4, 3]],
  ['xps 13', [4, 3]],
  ['x\u200bp\u00ads 13', [4, 3]],
  // What a configuration has is meant, however rare and similar to other words.
  ['nmve', [3]],
  ['sd', [2]],
])('words of the configuration: %s', (q, numbers) => {
  const index = createLaptopIndex();
  for (const row of configured) index.upsert(row);
  const { numbers: found, corrected } = searchFor(index, q);
  expect(found).toEqual(numbers);
  expect(corrected).toBeUndefined();
});

test('a changed configuration is found by its new words only', () => {
  const index = createLaptopIndex();
  for (const row of configured) index.upsert(row);
  index.upsert({ ...plain, number: 1, configuration: '256 GB eMMC', storage: null });
  expect(searchFor(index, 'emmc').numbers).toEqual([1]);
  expect(searchFor(index, 'iris').total).toBe(0);
});

test('a short word is not corrected to a similar one', () => {
  const index = createLaptopIndex();
  for (const [at, name] of ['Latitude sd Dell', 'Latitude SSD slot'].entries()) {
    index.upsert({ ...plain, number: at + 1, name, brand: 'Dell' });
  }
  index.remove(2);
  expect(searchFor(index, 'ssd latitude')).toMatchObject({ numbers: [] });
  expect(searchFor(index, 'del latitude')).toMatchObject({ numbers: [1], corrected: 'dell latitude' });
});

test('a correction is the frequent word rather than the same misspelling of one seller', () => {
  const index = createLaptopIndex();
  for (let at = 1; at <= 500; at += 1) index.upsert({ ...plain, number: at, name: 'ThinkPad' });
  index.upsert({ ...plain, number: 501, name: 'Thinkp' });
  expect(searchFor(index, 'thinkpd hp')).toMatchObject({ corrected: 'thinkpad hp', total: 500 });
});

test('words of the configuration are suggested only when no other word begins so', () => {
  const index = createLaptopIndex();
  for (const row of configured) index.upsert(row);
  index.upsert({ ...plain, number: 9, name: 'Iridium' });
  const suggested = (typed: string) => index.suggest(typed).searches.map(({ text }) => text);
  expect(suggested('iri')).toEqual(['iridium']);
  expect(suggested('iris')).toEqual(['iris']);
  expect(suggested('nv')).toEqual(['nvidia', 'nvme']);
});

test('words of a name come before those of a configuration, and these before those of a description', () => {
  const index = createLaptopIndex();
  const texts = [
    { name: 'Dock Thunderbolt' },
    { configuration: 'Thunderbolt 4' },
    { notes: 'Thunderbolt works.' },
  ];
  for (const [at, row] of texts.entries()) index.upsert({ ...plain, ...row, number: at + 1 });
  expect(searchFor(index, 'thunderbolt').numbers).toEqual([1, 2, 3]);
});

test('a description is found by its first twelve words, and not by what it denies, sizes or ambiguous words', () => {
  const index = createLaptopIndex();
  const words = Array.from({ length: 13 }, (_, at) => wordOf(at));
  index.upsert({ ...plain, number: 1, notes: `${words.join(' ')}.` });
  index.upsert({
    ...plain,
    number: 2,
    notes: 'Upgraded from 8 GB. No charger, but a backlit keyboard. Hands touch it.',
  });
  const totals = [...words.slice(-2), 'charger', '8gb', 'touch', 'backlit'].map((q) => {
    const { total, corrected } = searchFor(index, `"${q}"`);
    return corrected === undefined ? total : 0;
  });
  expect(totals).toEqual([1, 0, 0, 0, 0, 1]);
});

test('no more than 10,000 words are known of descriptions alone', () => {
  const index = createLaptopIndex();
  for (let at = 0; at < 900; at += 1) {
    const notes = Array.from({ length: 12 }, (_, word) => wordOf(at * 12 + word)).join(' ');
    index.upsert({ ...plain, number: at + 1, notes, sellerId: `seller ${at % 110}` });
  }
  expect(searchFor(index, wordOf(9_999)).total).toBe(1);
  expect(searchFor(index, wordOf(10_001)).corrected).not.toBeUndefined();
  // What a name has is known, however many there are.
  index.upsert({ ...plain, number: 1_000, name: wordOf(10_001) });
  expect(searchFor(index, wordOf(10_001)).numbers).toEqual([1_000]);
});

test('a seller cannot use up the known words of descriptions', () => {
  const index = createLaptopIndex();
  for (let at = 0; at < 900; at += 1) {
    const notes = Array.from({ length: 12 }, (_, word) => wordOf(at * 12 + word)).join(' ');
    index.upsert({ ...plain, number: at + 1, notes, sellerId: 'one' });
  }
  expect(searchFor(index, wordOf(99)).numbers).toEqual([9]);
  expect(searchFor(index, wordOf(100)).numbers).not.toEqual([9]);
  // The words of other sellers become known, and the laptops of this one are found by known words.
  index.upsert({ ...plain, number: 1_000, notes: wordOf(20_000), sellerId: 'another' });
  index.upsert({ ...plain, number: 1_001, notes: wordOf(20_000), sellerId: 'one' });
  expect(searchFor(index, wordOf(20_000)).numbers).toEqual([1_001, 1_000]);
});

test('any 100 characters are read within a small multiple of the time of usual words', () => {
  const index = createLaptopIndex();
  for (let at = 1; at <= 3_000; at += 1)
    index.upsert({ ...plain, number: at, place: `${wordOf(at)} ba, ${wordOf(at + 9)}` });
  const filters = (q: string) => ({ ...all, q: q.slice(0, 100) });
  const texts = [
    'ba '.repeat(40),
    'under '.repeat(20),
    '$1 '.repeat(40),
    'near in at from '.repeat(8),
    `${'9'.repeat(50)} ${'1,'.repeat(30)}`,
    'gaming '.repeat(20),
  ];
  for (const text of texts) expect(index.understand(filters(text)).q.length).toBeLessThanOrEqual(100);
  const [one = 0, ...others] = leastTimes([
    () => searchFor(index, 'hp elitebook near lisbon'),
    ...texts.map((text) => () => index.understand(filters(text))),
  ]);
  for (const time of others) expect(time / one).toBeLessThan(30);
});
