import { expect, test, vi } from 'vitest';
import { Problem } from '#contract/client.ts';
import { forgetQueries, queryClientOf } from './query-client.ts';

const problem = (status: number) => new Problem({ status, code: 'x', detail: 'No.' });

async function delaysUntilFailure(error: Error): Promise<number[]> {
  vi.useFakeTimers();
  try {
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
  } finally {
    vi.useRealTimers();
    forgetQueries();
  }
}

test('a failing fetch is tried three times more, after 1, 2 and 4 seconds', async () => {
  expect(await delaysUntilFailure(problem(503))).toEqual([0, 1000, 3000, 7000]);
  expect(await delaysUntilFailure(problem(0))).toEqual([0, 1000, 3000, 7000]);
});

test('a refusal is an answer and is not asked for again', async () => {
  expect(await delaysUntilFailure(problem(404))).toEqual([0]);
});

test('what is not used is kept for five minutes, and a write is never repeated', () => {
  const { queries, mutations } = queryClientOf('ada@example.com').getDefaultOptions();
  expect(queries?.gcTime).toBe(300_000);
  expect(queries?.refetchOnWindowFocus).toBe(true);
  expect(queries?.refetchOnReconnect).toBe(true);
  expect(mutations?.retry).toBe(false);
});

test('another person starts with an empty cache', () => {
  queryClientOf('ada@example.com').setQueryData(['bookings'], ['hers']);
  expect(queryClientOf('ada@example.com').getQueryData(['bookings'])).toEqual(['hers']);
  expect(queryClientOf('bob@example.com').getQueryData(['bookings'])).toBeUndefined();
  forgetQueries();
  expect(queryClientOf('bob@example.com').getQueryData(['bookings'])).toBeUndefined();
});
