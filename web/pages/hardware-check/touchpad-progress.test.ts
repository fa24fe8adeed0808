import { expect, test } from 'vitest';
import { cornerAt } from './touchpad-progress.ts';

const size = { width: 500, height: 200 };

test.each([
  [0, 0, 'topLeft'],
  [100, 40, 'topLeft'],
  [499, 10, 'topRight'],
  [10, 190, 'bottomLeft'],
  [400, 160, 'bottomRight'],
  [101, 10, null],
  [10, 41, null],
  [250, 100, null],
])('the point %i, %i is in %s', (x, y, corner) => {
  expect(cornerAt(x, y, size)).toBe(corner);
});
