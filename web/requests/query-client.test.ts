import { focusManager, MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Problem } from '#contract/platform/client.ts';
import { clearQueries, queryClientFor } from './query-client.ts';

const problem = (status: number) => new Problem({ status, code: 'x', detail: 'No.' });

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  focusManager.setFocused(undefined);
  onlineManager.setOnline(true);
  clearQueries();
  vi.useRealTimers();
});

async function delaysUntilFailure(error: Error): Promise<number[]> {
  const times: number[] = [];
  const start = Date.now();
  const client = queryClientFor('ada@example.com');
  const failed = client
    .fetchQuery({
      queryKey: ['x'],
      ...client.getDefaultOptions().queries,
      queryFn: () => {
        times.push(Date.now() - start);
        throw error;
      },
    })
    .catch(() => 'failed');
  await vi.runAllTimersAsync();
  expect(await failed).toBe('failed');
  return times;
}

test('retries a failing fetch three times, after 1, 2 and 4 seconds', async () => {
  expect(await delaysUntilFailure(problem(503))).toEqual([0, 1000, 3000, 7000]);
  expect(await delaysUntilFailure(problem(0))).toEqual([0, 1000, 3000, 7000]);
});

test('doubles the delay between retries from 1 to 30 seconds', () => {
  const { retryDelay } = queryClientFor('ada@example.com').getDefaultOptions().queries ?? {};
  const pauses = [0, 1, 2, 3, 4, 5, 6, 20].map((failures) =>
    typeof retryDelay === 'function' ? retryDelay(failures, problem(503)) : retryDelay,
  );
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

test('does not retry a refusal', async () => {
  expect(await delaysUntilFailure(problem(404))).toEqual([0]);
});

test('refetches a shown query when its window regains focus and when the connection returns', async () => {
  const client = queryClientFor('ada@example.com');
  client.mount();
  const queryFn = vi.fn(async () => 'answer');
  const stop = new QueryObserver(client, { queryKey: ['orders'], queryFn }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  expect(queryFn).toHaveBeenCalledTimes(1);
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(queryFn).toHaveBeenCalledTimes(2);
  onlineManager.setOnline(false);
  onlineManager.setOnline(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(queryFn).toHaveBeenCalledTimes(3);
  stop();
  client.unmount();
});

test('keeps an unused query for five minutes', async () => {
  const client = queryClientFor('ada@example.com');
  const observer = new QueryObserver(client, { queryKey: ['orders'], queryFn: async () => 'answer' });
  const leave = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  leave();
  await vi.advanceTimersByTimeAsync(5 * 60_000 - 1);
  expect(client.getQueryData(['orders'])).toBe('answer');
  await vi.advanceTimersByTimeAsync(1);
  expect(client.getQueryData(['orders'])).toBeUndefined();
});

test('never retries a failed mutation', async () => {
  const mutationFn = vi.fn(async () => {
    throw problem(503);
  });
  const write = new MutationObserver(queryClientFor('ada@example.com'), { mutationFn });
  await expect(write.mutate()).rejects.toThrow('No.');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(mutationFn).toHaveBeenCalledTimes(1);
});

test('fails a fetch without a connection instead of waiting for one', async () => {
  onlineManager.setOnline(false);
  expect(await delaysUntilFailure(problem(0))).toEqual([0, 1000, 3000, 7000]);
});

test('starts another user with an empty cache', () => {
  queryClientFor('ada@example.com').setQueryData(['bookings'], ['hers']);
  expect(queryClientFor('ada@example.com').getQueryData(['bookings'])).toEqual(['hers']);
  expect(queryClientFor('bob@example.com').getQueryData(['bookings'])).toBeUndefined();
  clearQueries();
  expect(queryClientFor('bob@example.com').getQueryData(['bookings'])).toBeUndefined();
});
