// Random laptops and searches for tests of the index.
import fc from 'fast-check';
import * as z from 'zod/mini';
import { SearchFilters, sortOrders } from '#contract/listings/search.ts';
import type { LaptopRow } from '../row.ts';

const anyOf = <Item>(...items: Item[]) => fc.constantFrom(...items);

const brands = ['HP', 'Dell', 'Lenovo', 'Acer'];
const nameWords = [
  ...['EliteBook', 'ProBook', 'ThinkPad', 'ThinkBook', 'Latitude', 'Aspire', 'G5', '840', '14"', '15.6 inch'],
  ...['16GB', '512 GB', 'i7', 'Ryzen', 'Portégé', 'touchscreen', 'like new', 'laptop', 'Dell', 'windows'],
];
const configurationTexts = [
  ...[
    'Intel Core i7-1165G7, 4 cores',
    'AMD Ryzen 5 5600U',
    'Intel Iris Xe',
    'NVIDIA GeForce RTX 3060',
    'RTX3060 Ti',
  ],
  ...[
    '16 GB DDR4, 3200 MHz',
    '512GB NVMe SSD',
    'SSD',
    '14.0" IPS touch, 300 nits',
    '57 Wh',
    'Windows 11 Pro',
    'thinkpd',
  ],
];
const notes = [
  'Two Thunderbolt ports, both tried.',
  'No touch, but backlit.',
  'It has nvme. An ThinkPad fan wrote this.',
];
const places = Array.from({ length: 40 }, (_, index) => `Place ${index}`);

export const laptopFields = {
  brand: anyOf(...brands),
  condition: anyOf('Excellent', 'Good', 'Fair'),
  level: anyOf('word', 'measured', 'inspected_photos', 'inspected_hand'),
  priceCents: fc.integer({ min: 200, max: 240 }).map((dollars) => dollars * 100 + (dollars % 3)),
  originalCents: fc.integer({ min: 250, max: 270 }).map((dollars) => dollars * 100),
  memory: anyOf(null, 8, 16, 32),
  storage: anyOf(null, 256, 512, 1024),
  screen: anyOf(null, 11.6, 14, 15.6, 18),
  battery: anyOf(null, 61, 70, 79, 80, 89, 90, 104),
  processor: anyOf(null, 'intel-core-i5', 'intel-core-i7', 'amd-ryzen-7', 'apple'),
  generation: anyOf(null, 'intel-11', 'ryzen-5000', 'apple-1'),
  graphics: anyOf(null, 'integrated', 'geforce'),
  system: anyOf(null, 'windows-11', 'linux'),
  verified: fc.boolean(),
  shipping: fc.boolean(),
  place: anyOf(...places),
  name: fc.array(anyOf(...nameWords), { minLength: 1, maxLength: 5 }).map((words) => words.join(' ')),
  configuration: fc.array(anyOf(...configurationTexts), { maxLength: 4 }).map((texts) => texts.join(' / ')),
  notes: fc.array(anyOf(...notes), { maxLength: 3 }).map((texts) => texts.join(' ')),
};
/** A random laptop. */
export const laptop = (number: fc.Arbitrary<number>): fc.Arbitrary<LaptopRow> =>
  fc.record({ number, ...laptopFields });

const typedWords = anyOf(
  ...[
    'elitebok',
    'thinkpd',
    'dlel',
    'notebook',
    'elite',
    'thi',
    'p',
    'dell',
    'i7',
    '16 gb',
    '16gb',
    '512',
    '1tb',
    '14"',
    'windows',
  ],
  ...[
    'laptop',
    'latitude',
    'xyzzy',
    '841',
    'rizen',
    'portege',
    'intel',
    'toutchscreen',
    'new',
    'm1',
    '11th',
    '7',
    '1',
  ],
  ...[
    'nvme',
    'ssd',
    'sdd',
    'i7-1165g7',
    '1165g7',
    'rtx3060',
    'rtx 30',
    'touch',
    'xe',
    'del',
    'irsi',
    '4 cores',
    'ddr4',
    'thunderbolt',
    'backlit',
  ],
);
/** Words as people type them, also misspelled. */
export const typed = fc.array(typedWords, { maxLength: 3 }).map((words) => words.join(' '));
const sometimes = <Item>(items: fc.Arbitrary<Item>) =>
  fc.oneof({ weight: 10, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: items });
const some = <Item>(...items: Item[]) => sometimes(fc.array(anyOf(...items), { minLength: 1, maxLength: 3 }));

/** A random search. */
export const request = fc.record({
  filters: fc
    .record({
      q: fc.oneof(fc.constant(''), typed),
      brand: some(...brands, 'Asus'),
      condition: some('Excellent', 'Good', 'Fair'),
      level: some('word', 'measured', 'inspected_photos', 'inspected_hand'),
      memory: some<string | number>(8, 16, 64, '16-or-more', '32-or-more'),
      storage: some(256, 1024),
      screen: some<string | number>(12, 14, 15, 17, '14-or-less'),
      battery: some(70, 80, 90),
      processor: some('intel-core-i7', 'apple'),
      generation: some('intel-11', 'apple-1'),
      graphics: some('geforce', 'dedicated'),
      system: some('linux', 'macos'),
      place: some(...places, 'Nowhere'),
      verified: sometimes(fc.constant('yes')),
      shipping: sometimes(fc.constant('free')),
      min_price: sometimes(fc.integer({ min: 195, max: 245 })),
      max_price: sometimes(fc.integer({ min: 195, max: 245 })),
    })
    .map((filters) => z.parse(SearchFilters, filters)),
  sort: anyOf(...sortOrders),
  limit: fc.integer({ min: 1, max: 30 }),
});
