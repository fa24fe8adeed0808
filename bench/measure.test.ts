import { expect, test } from 'vitest';
import { measure, median, type Target } from './measure.ts';

test('an outlier does not change the median', () => {
  expect(median([10, 900, 11])).toBe(11);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test('a ratio is the median of those of the rounds: a round has other load on the machine than the next', async () => {
  const target = (name: string, baseline: Target | null, speeds: readonly number[]): Target => ({
    name,
    pid: process.pid,
    baseline,
    task: (round) => ({
      origin: String(speeds[round % speeds.length]),
      headers: {},
      work: { kind: 'pages', paths: [] },
    }),
  });
  const bare = target('bare', null, [100, 200, 300]);
  const shop = target('shop', bare, [90, 60, 150]);
  const load = async ({ origin }: { origin: string }) => ({
    answered: Number(origin),
    failures: {},
    seconds: 1,
  });
  const results = await measure(load, [bare, shop], 1);
  expect(results.get(bare)).toMatchObject({ requestsPerSecond: 200, ratio: null });
  expect(results.get(shop)).toMatchObject({ requestsPerSecond: 90, ratio: 0.5 });
});
