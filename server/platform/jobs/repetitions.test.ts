import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withoutRepetitions } from './repetitions.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a failure that repeats is told once a minute, and one with another cause at once', () => {
  const told: unknown[] = [];
  const fail = withoutRepetitions((error: unknown) => told.push(error));
  const away = new Error('connect ECONNREFUSED');
  const refused = new Error('permission denied');
  for (let second = 0; second < 120; second += 1) {
    fail(away);
    if (second === 40) fail(refused);
    vi.advanceTimersByTime(1_000);
  }
  expect(told).toEqual([away, refused, away]);
});

test('failures of several items and of other causes are not repetitions of each other', () => {
  const told: unknown[] = [];
  const fail = withoutRepetitions((error: unknown) => told.push(error));
  const errors = [
    new AggregateError([new Error('item 1')], 'some items failed'),
    new AggregateError([new Error('item 2')], 'some items failed'),
    new Error('some items failed', { cause: new Error('why') }),
  ];
  for (const error of [...errors, ...errors]) fail(error);
  expect(told).toEqual(errors);
});

test('what tells failures apart can be chosen', () => {
  const told: string[] = [];
  const fail = withoutRepetitions(
    (error: string) => told.push(error),
    (error) => error.replace(/\d/, ''),
  );
  for (const error of ['worker 1', 'worker 2', 'queue']) fail(error);
  expect(told).toEqual(['worker 1', 'queue']);
});
