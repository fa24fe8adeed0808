import { expect, test } from 'vitest';
import { parseReturnPage, toReturnPage } from './return-page.ts';

test('keeps the query and the fragment of the page', () => {
  const state = toReturnPage({ pathname: '/category/HP', search: '?book=1', hash: '#price' });
  expect(parseReturnPage({ state, search: '' })).toEqual({ from: '/category/HP?book=1#price' });
});

test.each([
  null,
  undefined,
  {},
  { from: 5 },
  { from: '//evil.example' },
  { from: '/\\evil.example' },
  { from: 'https://evil.example' },
])('reads %j as the home page', (state) => {
  expect(parseReturnPage({ state, search: '' })).toEqual({ from: '/' });
});

test('leads who registers as a seller to Add Product, unless a page led there', () => {
  const search = '?as=seller';
  expect(parseReturnPage({ state: null, search })).toEqual({ from: '/dashboard/addProduct' });
  expect(parseReturnPage({ state: { from: '/laptops' }, search })).toEqual({ from: '/laptops' });
});
