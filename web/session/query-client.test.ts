import { focusManager, MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Problem } from '#contract/client.ts';
import { forgetQueries, queryClientOf } from './query-client.ts';

const problem = (status: number) => new Problem({ status, code: 'x', detail: 'No.' });

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  focusManager.setFocused(undefined);
  onlineManager.setOnline(true);
  forgetQueries();
  vi.useRealTimers();
});

async function delaysUntilFailure(error: Error): Promise<number[]> {
  const times: number[] = [];
  const start = Date.now();
  const client = queryClientOf('ada@example.com');
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

test('a failing fetch is tried three times more, after 1, 2 and 4 seconds', async () => {
  expect(await delaysUntilFailure(problem(503))).toEqual([0, 1000, 3000, 7000]);
  expect(await delaysUntilFailure(problem(0))).toEqual([0, 1000, 3000, 7000]);
});

test('the pause between tries doubles from one second up to thirty, and stays there', () => {
  const { retryDelay } = queryClientOf('ada@example.com').getDefaultOptions().queries ?? {};
  const pauses = [0, 1, 2, 3, 4, 5, 6, 20].map((failures) =>
    typeof retryDelay === 'function' ? retryDelay(failures, problem(503)) : retryDelay,
  );
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

test('a refusal is an answer and is not asked for again', async () => {
  expect(await delaysUntilFailure(problem(404))).toEqual([0]);
});

test('what is on a page is fetched again when its window gets the focus back, and when the connection does', async () => {
  const client = queryClientOf('ada@example.com');
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

test('what no page shows any more is kept for five minutes', async () => {
  const client = queryClientOf('ada@example.com');
  const observer = new QueryObserver(client, { queryKey: ['orders'], queryFn: async () => 'answer' });
  const leave = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  leave();
  await vi.advanceTimersByTimeAsync(5 * 60_000 - 1);
  expect(client.getQueryData(['orders'])).toBe('answer');
  await vi.advanceTimersByTimeAsync(1);
  expect(client.getQueryData(['orders'])).toBeUndefined();
});

test('a write that fails is never repeated', async () => {
  const mutationFn = vi.fn(async () => {
    throw problem(503);
  });
  const write = new MutationObserver(queryClientOf('ada@example.com'), { mutationFn });
  await expect(write.mutate()).rejects.toThrow('No.');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(mutationFn).toHaveBeenCalledTimes(1);
});

test('without a connection a fetch fails instead of waiting for one', async () => {
  onlineManager.setOnline(false);
  expect(await delaysUntilFailure(problem(0))).toEqual([0, 1000, 3000, 7000]);
});

test('another person starts with an empty cache', () => {
  queryClientOf('ada@example.com').setQueryData(['bookings'], ['hers']);
  expect(queryClientOf('ada@example.com').getQueryData(['bookings'])).toEqual(['hers']);
  expect(queryClientOf('bob@example.com').getQueryData(['bookings'])).toBeUndefined();
  forgetQueries();
  expect(queryClientOf('bob@example.com').getQueryData(['bookings'])).toBeUndefined();
});
