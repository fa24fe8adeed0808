import { expect, test } from 'vitest';
import { estimateRefreshRate } from './refresh-rate.ts';

/** The times of frames at a rate. @param leftOut every how many frames one is left out; 0 for never */
function frames(hertz: number, { leftOut = 0, jitter = 0, count = 120 } = {}): number[] {
  return Array.from({ length: count }, (_, at) => (at * 1000) / hertz + jitter * ((at * 7) % 3)).filter(
    (_, at) => leftOut === 0 || at % leftOut !== 1,
  );
}

test.each([30, 48, 60, 75, 90, 120, 144, 165, 240])('finds %i Hz', (hertz) => {
  expect(estimateRefreshRate(frames(hertz))).toBe(hertz);
});

test('frames that are left out do not lower the rate', () => {
  expect(estimateRefreshRate(frames(60, { leftOut: 3 }))).toBe(60);
});

test('small differences do not matter', () => {
  const rate = estimateRefreshRate(frames(60, { jitter: 0.5 }));
  expect(rate).toBeGreaterThanOrEqual(59);
  expect(rate).toBeLessThanOrEqual(61);
});

test.each([
  ['too few frames', frames(60, { count: 29 })],
  ['no frames', []],
  ['frames at the same time', Array.from({ length: 60 }, () => 5)],
  // Intervals of 10, 14, 10, 14 … ms.
  ['uneven frames', Array.from({ length: 120 }, (_, at) => at * 12 + (at % 2) * 2)],
])('%s give no rate', (_name, times) => {
  expect(estimateRefreshRate(times)).toBeNull();
});
