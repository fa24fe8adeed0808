import { expect, test } from 'vitest';
import { notificationPathOf } from './use-page-seen.ts';

test.each([
  ['/dashboard', '/dashboard/myOrders'],
  ['/dashboard/', '/dashboard/myOrders'],
  ['/dashboard/myBuyers', '/dashboard/myBuyers'],
  ['/dashboard/order/7', '/dashboard/order/7'],
  ['/laptop/7', '/laptop/7'],
  ['/laptop/7/hp-elitebook', '/laptop/7'],
  ['/laptop', null],
  ['/laptops', null],
  ['/home', null],
  ['/', null],
  ['/dashboard/notifications', null],
])('a visit to %s marks notifications that lead to %s', (pathname, path) => {
  expect(notificationPathOf(pathname)).toBe(path);
});
