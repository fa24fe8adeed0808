import { expect, test } from 'vitest';
import { byFacet } from '#contract/listings/facets.ts';
import type { SearchResult } from '#contract/listings/search.ts';
import { filterGroups } from './filter-groups.ts';

const labels = (facets: Partial<SearchResult['facets']>) =>
  filterGroups({ ...byFacet(() => []), ...facets }).flatMap(({ values }) => values.map(({ label }) => label));
const counted = (...values: string[]) => values.map((value, index) => ({ value, count: index + 1 }));

test('sizes are labelled with units, in ascending order', () => {
  expect(labels({ memory: counted('16', '8', '128') })).toEqual(['8 GB', '16 GB', '128 GB']);
  expect(labels({ storage: counted('1024', '512') })).toEqual(['512 GB', '1 TB']);
  expect(labels({ screen: counted('17', '13', '12') })).toEqual([
    '12.9″ or smaller',
    '13–13.9″',
    '17″ or larger',
  ]);
});

test('batteries are labelled as the least capacity, the best first', () => {
  expect(labels({ battery: counted('70', '90', '80') })).toEqual([
    'Battery 90 % or more',
    'Battery 80 % or more',
    'Battery 70 % or more',
  ]);
});

test('named values are in the order of the names, brands and places by their counts', () => {
  expect(labels({ condition: counted('Fair', 'Excellent') })).toEqual(['Excellent', 'Fair']);
  expect(labels({ processor: counted('amd-ryzen-5', 'intel-core-i7') })).toEqual([
    'Intel Core i7',
    'AMD Ryzen 5',
  ]);
  expect(labels({ brand: counted('Acer', 'HP') })).toEqual(['HP', 'Acer']);
});

test('a filter without values is left out', () => {
  expect(filterGroups({ ...byFacet(() => []), verified: counted('yes') })).toEqual([
    {
      name: 'verified',
      title: 'Seller',
      values: [{ value: 'yes', label: 'Verified sellers only', count: 1 }],
    },
  ]);
});
