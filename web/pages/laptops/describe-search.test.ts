import { expect, test } from 'vitest';
import { describeSearch } from './describe-search.ts';
import { parseSearch } from './parse-search.ts';

const described = (search: string) => describeSearch(parseSearch(new URLSearchParams(search)));

test.each([
  ['', 'Laptops'],
  ['brand=Dell&memory=16', 'Dell laptops, 16 GB'],
  ['q=elitebook&max_price=500', 'Results for “elitebook”, up to $500'],
  ['storage=1024&screen=13&verified=yes', 'Laptops, 1 TB, 13–13.9″, Verified sellers only'],
  ['min_price=200&max_price=1200', 'Laptops, $200 to $1,200'],
])('?%s is titled “%s”', (search, title) => expect(described(search).title).toBe(title));

test('the heading of more than two filters leaves them to the list below it', () => {
  expect(described('brand=Dell&memory=16').heading).toBe('Dell laptops, 16 GB');
  expect(described('brand=Dell&memory=16&max_price=500').heading).toBe('Dell laptops');
  expect(described('q=elitebook&memory=16&max_price=500').heading).toBe('Results for “elitebook”');
});

test('each chosen value can be removed on its own, the price as a whole', () => {
  expect(described('q=x&brand=HP&brand=Dell&min_price=100&max_price=900').chosen).toEqual([
    { filter: 'q', value: null, label: '“x”' },
    { filter: 'brand', value: 'Dell', label: 'Dell' },
    { filter: 'brand', value: 'HP', label: 'HP' },
    { filter: 'price', value: null, label: '$100 to $900' },
  ]);
});

test('the canonical URL has neither order nor cursor', () => {
  expect(described('sort=price&cursor=abc&memory=16&brand=HP')).toMatchObject({
    canonical: '/laptops?brand=HP&memory=16',
    parameters: 'brand=HP&memory=16&sort=price',
  });
});

test.each([
  ['', true],
  ['brand=HP', true],
  ['brand=HP&brand=Dell', false],
  ['brand=HP&memory=16', false],
  ['q=elitebook', false],
])('?%s may be indexed: %s', (search, indexed) => expect(described(search).indexed).toBe(indexed));
