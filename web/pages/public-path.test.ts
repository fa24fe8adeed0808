import { expect, test } from 'vitest';
import { toPublicPath } from './public-path.ts';

test.each([
  ['/register?as=seller&utm=x', '/register?as=seller'],
  ['/register?as=other', '/register'],
  ['/login?as=seller', '/login'],
  ['/laptops?memory=16&junk=1', '/laptops?memory=16'],
  ['/dashboard', null],
])('%s is rendered once as %s', (requested, path) => {
  expect(toPublicPath(new URL(requested, 'https://shop.example'))).toBe(path);
});
