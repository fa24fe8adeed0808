import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readFacts } from '#contract/listings/facts.ts';
import { SearchFilters } from '#contract/listings/search.ts';
import { createLaptopIndex } from '#server/listings/search/index/laptop-index.ts';
import type { LaptopRow } from '#server/listings/search/index/row.ts';
import { demoSellers } from './accounts.ts';
import { demoLaptops } from './laptops.ts';

/** The laptops of the demo shop as the index has them. */
const rows = demoLaptops.map(({ configuration, notes, seller, ...laptop }, at): LaptopRow => {
  const facts = readFacts(configuration);
  const { Notes: _, ...texts } = { Notes: '', ...configuration };
  return {
    number: at + 1,
    brand: laptop.brand,
    name: laptop.name,
    condition: laptop.condition,
    priceCents: Math.round(laptop.resalePrice * 100),
    originalCents: Math.round(laptop.originalPrice * 100),
    memory: facts.memory ?? null,
    storage: facts.storage ?? null,
    screen: facts.screen ?? null,
    battery: facts.battery ?? null,
    processor: facts.processor ?? null,
    generation: facts.generation ?? null,
    graphics: facts.graphics ?? null,
    system: facts.system ?? null,
    level: 'word',
    verified: true,
    shipping: demoSellers.find(({ email }) => email === seller)?.delivery !== 'meet',
    place: demoSellers.find(({ email }) => email === seller)?.location ?? '',
    configuration: Object.values(texts).join(' / '),
    notes,
  };
});
const index = createLaptopIndex();
for (const row of rows) index.upsert(row);

const nameOf = (number: number) => rows[number - 1]?.name ?? '';
const search = (q: string, more: object = {}) =>
  index.search({ filters: z.parse(SearchFilters, { q, ...more }), limit: 60, after: null });

/** What was read in the words, each phrase as `words: parameters`. */
const readIn = (q: string, more: object = {}) =>
  search(q, more).understood.map(
    ({ text, parameters }) => `${text}: ${parameters.map(({ name, value }) => `${name}=${value}`).join(' ')}`,
  );

type Check = (laptop: LaptopRow) => boolean;
const isDedicated: Check = ({ graphics }) => graphics !== null && graphics !== 'integrated';
const hasMemory = (least: number) => (laptop: LaptopRow) => Number(laptop.memory) >= least;
const hasBattery = (least: number) => (laptop: LaptopRow) => Number(laptop.battery) >= least;
const costs =
  (low: number, high: number): Check =>
  ({ priceCents }) =>
    priceCents >= low * 100 && priceCents <= high * 100;
const isIn = (place: string) => (laptop: LaptopRow) => laptop.place === place;
const says =
  (pattern: RegExp): Check =>
  ({ name, configuration }) =>
    pattern.test(`${name} ${configuration}`);
const notes =
  (pattern: RegExp): Check =>
  (laptop) =>
    pattern.test(laptop.notes);
const all =
  (...checks: Check[]): Check =>
  (laptop) =>
    checks.every((check) => check(laptop));

const isPortland = isIn('Portland, Oregon');
const isVideo = all(isDedicated, hasMemory(16));

// What a buyer types, what is searched as words, and the laptops that are found: exactly those.
test.each<[q: string, words: string, check: Check]>([
  ['video editing under $900 near Portland', '', all(isVideo, costs(0, 900), isPortland)],
  ['a laptop for video editing', '', isVideo],
  ['gaming', '', isDedicated],
  ['Gaming laptop under 500 dollars', '', all(isDedicated, costs(0, 500))],
  ['touchscreen', 'touchscreen', says(/touch/)],
  ['touch screen', 'touch screen', says(/touch/)],
  ['4k oled', '4k oled', says(/OLED.*3840/)],
  ['thunderbolt', 'thunderbolt', notes(/Thunderbolt/)],
  ['portland', '', isPortland],
  ['in Portland', '', isPortland],
  ['near oregon', '', isPortland],
  ['new mexico', '', isIn('Albuquerque, New Mexico')],
  ['acer austin', 'acer', all(says(/^Acer/), isIn('Austin, Texas'))],
  ['portland or austin', '', (laptop) => isPortland(laptop) || isIn('Austin, Texas')(laptop)],
  ['dell xps under 900', 'dell xps', all(says(/^Dell XPS/), costs(0, 900))],
  ['xps 13 under 900', 'xps 13', all(says(/XPS 13/), costs(0, 900))],
  ['between 500 and 800', '', costs(500, 800)],
  ['$500 - $800', '', costs(500, 800)],
  ['from 500 to 800 usd', '', costs(500, 800)],
  ['less than $1,000', '', costs(0, 1000)],
  ['hp 1k max', 'hp', all(says(/^HP/), costs(0, 1000))],
  ['over $900', '', costs(900, 1e6)],
  ['600 or less', '', costs(0, 600)],
  ['around $500', '', costs(400, 600)],
  ['$400', '', costs(0, 400)],
  ['school', '', all(hasMemory(8), hasBattery(70))],
  ['for university students', '', all(hasMemory(8), hasBattery(70))],
  ['programming', '', hasMemory(16)],
  ['travel', '', all((laptop) => Number(laptop.screen) < 15, hasBattery(70))],
  ['16 gb or more', '', hasMemory(16)],
  ['at least 32gb', '', hasMemory(32)],
  ['i7 16gb ram', 'i7', all(says(/i7/), (laptop) => laptop.memory === 16)],
  ['cheap dell', 'dell', says(/^Dell/)],
  ['most expensive dell', 'dell', says(/^Dell/)],
  ['battery over 90', '', hasBattery(90)],
  ['battery health at least 80% under 500', '', all(hasBattery(80), costs(0, 500))],
  ['dell over 90 percent battery', 'dell', all(says(/^Dell/), hasBattery(90))],
  ['dell notebooks', 'dell notebooks', says(/^Dell/)],
  ...['laptop', 'notebook', 'notebooks', 'computer', 'pc', 'used laptop', 'the best notebook'].map(
    (q): [string, string, Check] => [q, q, () => true],
  ),
  ['dell with free shipping', 'dell', all(says(/^Dell/), ({ shipping }) => shipping === true)],
  ['shipped', '', ({ shipping }) => shipping === true],
])('%s', (q, words, check) => {
  const result = search(q);
  const expected = rows.filter(check).map(({ name }) => name);
  expect(result.words).toBe(words);
  expect(result.numbers.map(nameOf).sort()).toEqual(expected.sort());
  expect(expected.length).toBeGreaterThan(0);
  expect(result.corrected).toBeUndefined();
});

test.each([
  ['under $900', ['under $900: max_price=900']],
  ['gaming under 900', ['under 900: max_price=900', 'gaming: graphics=dedicated']],
  ['video editing', ['video editing: graphics=dedicated memory=16-or-more']],
  ['near portland', ['near portland: place=Portland, Oregon']],
  ['cheap', ['cheap: sort=price']],
  ['$800 to 500', ['$800 to 500: min_price=500 max_price=800']],
  // Numbers of models, sizes and units are no prices, and words in quotes are words.
  ['latitude 5430', []],
  ['under 14 inches', []],
  ['up to 64 gb', []],
  ['over 300 nits', []],
  ['battery above 85', []],
  ['above 85 battery', []],
  ['battery under 600', ['under 600: max_price=600']],
  ['under 300 cycles', []],
  ['battery over $85', ['over $85: min_price=85']],
  ['good battery under 300', ['under 300: max_price=300', 'good battery: battery=80']],
  ['battery cycles below 200', []],
  ['cycle count under 200', []],
  ['less than 100 percent', []],
  ['not expensive', ['not expensive: sort=price']],
  ['expensive', ['expensive: sort=-price']],
  ['14" or 15"', []],
  ['"gaming"', []],
  ['dell "under 900"', []],
  ['new charger', []],
  ['travelmate', []],
  // The first of two prices is meant.
  ['under 900 under 500', ['under 900: max_price=900', 'under 500: ']],
])('“%s” is read as %j', (q, read) => {
  expect(readIn(q)).toEqual(read);
});

test('a filter that is given wins over one that was read', () => {
  expect(readIn('gaming under 900', { max_price: 500 })).toEqual([
    'under 900: ',
    'gaming: graphics=dedicated',
  ]);
  const found = search('gaming under 900', { max_price: 500 }).numbers.map((number) => rows[number - 1]);
  expect(found.every((laptop) => laptop !== undefined && costs(0, 500)(laptop))).toBe(true);
});

test('cheap and expensive laptops are listed by price, unless another order is asked for', () => {
  for (const [q, order, sign] of [
    ['cheap dell', 'price', 1],
    ['most expensive dell', '-price', -1],
  ] as const) {
    const { numbers, sort } = search(q);
    const prices = numbers.map((number) => rows[number - 1]?.priceCents ?? 0);
    expect(sort).toBe(order);
    expect(prices).toEqual(prices.toSorted((one, other) => (one - other) * sign));
  }
  const filters = z.parse(SearchFilters, { q: 'cheap dell' });
  expect(index.search({ filters, sort: 'saving', limit: 1, after: null }).sort).toBe('saving');
});

test('what a description denies is not found', () => {
  const found = search('burn').numbers.map(nameOf);
  expect(found).not.toContain('Acer Swift X SFX14-71G');
});

test('when nothing matches, the closest six are named with what they lack', () => {
  const { total, closest } = search('video editing under $500 near Portland', { brand: 'Dell' });
  expect(total).toBe(0);
  expect(closest).toHaveLength(6);
  for (const { number, filters, words } of closest) {
    const laptop = rows[number - 1];
    if (laptop === undefined) throw new Error('The index names a laptop that it does not have.');
    expect(words).toEqual([]);
    expect(filters.includes('graphics')).toBe(!isDedicated(laptop));
    expect(filters.includes('memory')).toBe(!hasMemory(16)(laptop));
    expect(filters.includes('price')).toBe(!costs(0, 500)(laptop));
    expect(filters.includes('place')).toBe(!isPortland(laptop));
    expect(filters.includes('brand')).toBe(laptop.brand !== 'Dell');
  }
  // Fewest first.
  const lacking = closest.map(({ filters }) => filters.length);
  expect(lacking).toEqual(lacking.toSorted());
  expect(search('latitude zzzzzz').closest[0]).toMatchObject({ filters: [], words: ['zzzzzz'] });
  expect(nameOf(search('latitude zzzzzz').closest[0]?.number ?? 0)).toContain('Latitude');
});

test('suggestions know purposes, places and what was read before them', () => {
  const suggest = (typed: string) =>
    index.suggest(typed).searches.map(({ read, text, count }) => ({ text: `${read} ${text}`.trim(), count }));
  const count = (check: Check) => rows.filter(check).length;
  expect(suggest('vid')[0]).toEqual({ text: 'video editing', count: count(isVideo) });
  expect(suggest('dell vid')[0]).toEqual({
    text: 'dell video editing',
    count: count(all(says(/^Dell/), isVideo)),
  });
  expect(suggest('univ')[0]).toEqual({ text: 'university', count: count(all(hasMemory(8), hasBattery(70))) });
  expect(suggest('portl')).toContainEqual({ text: 'portland', count: count(isPortland) });
  expect(suggest('gaming portl')).toEqual([
    { text: 'gaming portland', count: count(all(isDedicated, isPortland)) },
  ]);
  expect(suggest('dell under $900')).toEqual([
    { text: 'dell under $900', count: count(all(says(/^Dell/), costs(0, 900))) },
  ]);
});

test('a suggestion has the number of laptops that its search finds', () => {
  for (const typed of ['ga', 'gam', 'games', 'off', 'por', 'stu', 'dell 1', 'gaming portl', 'latit']) {
    const suggested = index
      .suggest(typed)
      .searches.map(({ read, text, count }) => ({ text: `${read} ${text}`.trim().toLowerCase(), count }));
    expect(suggested.length).toBeGreaterThan(0);
    expect(new Set(suggested.map(({ text }) => text)).size).toBe(suggested.length);
    expect(suggested).toEqual(suggested.map(({ text }) => ({ text, count: search(text).total })));
  }
});

test('words in full width are read as in the usual one', () => {
  expect(readIn('ｇａｍｉｎｇ　１６ＧＢ ｒａｍ ｕｎｄｅｒ ＄９００')).toEqual(
    readIn('gaming 16GB ram under $900'),
  );
  expect(search('ｌａｔｉｔｕｄｅ').numbers).toEqual(search('latitude').numbers);
});

test('the filters that a search stands for find the same laptops', () => {
  for (const q of ['video editing under $900 near Portland', 'cheap "gaming" dell', 'dell xps under 900']) {
    const read = index.understand(z.parse(SearchFilters, { q }));
    const { sort: _, ...filters } = { sort: undefined, ...read };
    const again = index.search({ filters, sort: 'newest', limit: 60, after: null });
    expect(again.understood).toEqual([]);
    const filtersOf = z.parse(SearchFilters, { q });
    expect(again.numbers).toEqual(
      index.search({ filters: filtersOf, sort: 'newest', limit: 60, after: null }).numbers,
    );
  }
});
