import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { expect, test, vi } from 'vitest';
import { collectWhenIdle } from './collect-garbage.ts';

/** Makes the event loop report that it was active for these milliseconds of each interval of 100 ms. */
function reportActivity(...activeMs: readonly number[]): void {
  const intervals = [...activeMs];
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation((now): EventLoopUtilization => {
    const active = now === undefined ? 0 : (intervals.shift() ?? 0);
    return { active, idle: 100 - active, utilization: active / 100 };
  });
}

test('garbage is collected three times after work', async () => {
  const collect = vi.fn<() => void>();
  const stop = collectWhenIdle(collect, { intervalMs: 100, worthwhileMs: 50 });
  try {
    for (const end = performance.now() + 100; performance.now() < end; );
    await expect.poll(() => collect.mock.calls.length, { interval: 200 }).toBe(3);
  } finally {
    stop();
  }
});

/** How often garbage was collected by the end of each interval of 100 ms. @param activeMs work in each of them */
function collectionsWith(...activeMs: readonly number[]): number[] {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    reportActivity(...activeMs);
    const collect = vi.fn<() => void>();
    const stop = collectWhenIdle(collect, { intervalMs: 100, worthwhileMs: 150 });
    const collections = activeMs.map(() => {
      vi.advanceTimersByTime(100);
      return collect.mock.calls.length;
    });
    stop();
    return collections;
  } finally {
    vi.useRealTimers();
  }
}

test('garbage is not collected during work nor in a pause of it, and not after a little of it', () => {
  const work = [90, 90];
  const pause = [5, 5, 5, 5];
  expect(collectionsWith(...work, ...pause, 90, ...pause)).toEqual(Array(11).fill(0));
  expect(collectionsWith(90, ...pause, ...pause)).toEqual(Array(9).fill(0));
  const idle = [5, 5, 5, 5, 5, 5, 5, 5];
  expect(collectionsWith(...work, ...idle)).toEqual([0, 0, 0, 0, 0, 0, 1, 2, 3, 3]);
});

test('work ends the collections', () => {
  const idle = [5, 5, 5, 5, 5];
  expect(collectionsWith(90, 90, ...idle, 90, ...idle).slice(6)).toEqual([1, 1, 1, 1, 1, 1, 1]);
});
