import { expect, test } from 'vitest';
import { needsServer } from './needs-server.ts';

const at = (url: string) => {
  const { pathname, search } = new URL(url, 'https://shop.example');
  return { pathname, search };
};
const opened = new Set(['/', '/laptops', '/dashboard/myOrders', '/dashboard/allSellers']);

test.each([
  ['another page with data', '/laptops', '/', true],
  ['a filter, an order or the next page', '/laptops', '/laptops?brand=HP', true],
  ['the next laptops of a seller', '/seller/1', '/seller/1?laptops=abc', true],
  ['a dialog of the same page', '/laptops?brand=HP', '/laptops?brand=HP&book=1', false],
  ['a part of the same page', '/laptops?brand=HP', '/laptops?brand=HP#page', false],
  ['a page of the dashboard that was opened', '/', '/dashboard/myOrders', false],
  ['another list on a page of the dashboard', '/dashboard/allSellers', '/dashboard/allSellers?q=ann', false],
  ['a page of the dashboard whose scripts are not loaded', '/dashboard/myOrders', '/dashboard/money', true],
])('%s', (_, from, to, expected) => {
  expect(needsServer(at(from), at(to), opened)).toBe(expected);
});
