import { expect, test } from 'vitest';
import { remember, rememberedIn } from './remembered-page.ts';

test('the page somebody came from is remembered with its query and fragment', () => {
  const state = remember({ pathname: '/category/HP', search: '?book=1', hash: '#price' });
  expect(rememberedIn(state)).toEqual({ from: '/category/HP?book=1#price' });
});

test.each([
  null,
  undefined,
  {},
  { from: 5 },
  { from: '//evil.example' },
  { from: '/\\evil.example' },
  { from: 'https://evil.example' },
])('nobody is sent on to %j', (state) => {
  expect(rememberedIn(state)).toEqual({ from: '/' });
});
