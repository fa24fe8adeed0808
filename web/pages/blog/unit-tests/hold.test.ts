import { expect, test } from 'vitest';
import { isHeld } from './hold.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const minutes = (count: number) => count * 60_000;

test('a laptop is held for twenty minutes', () => {
  expect(isHeld(noon, noon)).toBe(true);
  expect(isHeld(noon, noon + minutes(20) - 1)).toBe(true);
});

test('a laptop is no longer held after exactly twenty minutes', () => {
  expect(isHeld(noon, noon + minutes(20))).toBe(false);
});
