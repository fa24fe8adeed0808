import { expect, test } from 'vitest';
import { parseSearch, toParameters } from './parse-search.ts';
import { searchUrl } from './search-url.ts';

const parse = (search: string) => parseSearch(new URLSearchParams(search));
const clean = (search: string) => searchUrl(toParameters(parse(search)));

test('parses all parameters of a search', () => {
  expect(
    parse('q=thinkpad&brand=HP&brand=Dell&memory=16&min_price=200&verified=yes&sort=price&cursor=abc'),
  ).toMatchObject({
    q: 'thinkpad',
    brand: ['Dell', 'HP'],
    memory: [16],
    min_price: 200,
    verified: ['yes'],
    sort: 'price',
    cursor: 'abc',
  });
});

test.each([
  ['an unknown parameter', 'colour=red'],
  ['a value that is no number', 'memory=lots'],
  ['an unknown name', 'system=amiga'],
  ['an unknown order', 'sort=random'],
  ['words that are too long', `q=${'x'.repeat(101)}`],
  ['a negative price', 'min_price=-5'],
  ['a cursor with other characters', 'cursor=%00'],
  ['empty fields of a form', 'q=&min_price=&max_price=&sort='],
  ['relevance without words', 'sort=relevance'],
])('ignores %s', (_, search) => {
  expect(clean(`brand=HP&${search}`)).toBe('/laptops?brand=HP');
  expect(parse(search).cursor).toBeUndefined();
});

test('keeps the values of a filter that can be understood, each once', () => {
  expect(parse('memory=8&memory=much&memory=8&memory=32').memory).toEqual([8, 32]);
});

test('takes at most 50 values of a filter', () => {
  const values = Array.from({ length: 60 }, (_, index) => `place=Town${index}`);
  expect(parse(values.join('&')).place).toHaveLength(50);
});

test('prices in the wrong order are swapped', () => {
  expect(parse('min_price=900&max_price=200')).toMatchObject({ min_price: 200, max_price: 900 });
});

test('the clean URL has a fixed order', () => {
  expect(clean('sort=price&memory=16&brand=HP&q=x360')).toBe('/laptops?q=x360&brand=HP&memory=16&sort=price');
});
