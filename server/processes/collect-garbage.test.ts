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

test('garbage is collected after work', async () => {
  const collect = vi.fn<() => void>();
  const stop = collectWhenIdle(collect, { intervalMs: 100, worthwhileMs: 50 });
  try {
    for (const end = performance.now() + 100; performance.now() < end; );
    await expect.poll(() => collect.mock.calls.length, { interval: 200 }).toBe(1);
  } finally {
    stop();
  }
});

test('garbage is collected once after work, not during it nor during a pause of it, and not after a little of it', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    reportActivity(90, 90, 5, 5, 90, 5, 5, 5, 5, 5, 5);
    const collect = vi.fn<() => void>();
    const stop = collectWhenIdle(collect, { intervalMs: 100, worthwhileMs: 150 });
    const collections = Array.from({ length: 11 }, () => {
      vi.advanceTimersByTime(100);
      return collect.mock.calls.length;
    });
    expect(collections).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    stop();
  } finally {
    vi.useRealTimers();
  }
});
