import { expect, test, vi } from 'vitest';
import { every } from './work.ts';

test('stopping aborts the running round, waits for it, and reports no failure', async () => {
  const failures: unknown[] = [];
  const begun = Promise.withResolvers<AbortSignal>();
  let ended = false;
  const timer = every(
    1,
    (signal) =>
      new Promise((_, reject) => {
        begun.resolve(signal);
        signal.addEventListener('abort', () => {
          ended = true;
          reject(new Error('aborted'));
        });
      }),
    (error) => failures.push(error),
  );
  const signal = await begun.promise;
  expect(signal.aborted).toBe(false);
  await timer.stop();
  expect(ended).toBe(true);
  expect(failures).toEqual([]);
});

test('reports a failed round, and runs the next one', async () => {
  const failures: unknown[] = [];
  let rounds = 0;
  const timer = every(
    1,
    async () => {
      rounds += 1;
      throw new Error(`round ${rounds}`);
    },
    (error) => failures.push(error),
  );
  await vi.waitUntil(() => failures.length >= 2, 60_000);
  await timer.stop();
  expect(failures.slice(0, 2)).toEqual([new Error('round 1'), new Error('round 2')]);
});

test('does not wait forever for a round that ignores the signal', async () => {
  vi.useFakeTimers();
  const timer = every(
    1,
    () => new Promise(() => undefined),
    () => undefined,
  );
  await vi.advanceTimersByTimeAsync(1);
  const stopped = timer.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  await stopped;
  vi.useRealTimers();
});
