import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pollWithoutStream } from './poll-without-stream.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('the pauses double up to two minutes, and end with the poll', () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const read = vi.fn();
  const stop = pollWithoutStream(read, () => true);
  let expected = 0;
  for (const seconds of [20, 40, 80, 120, 120]) {
    vi.advanceTimersByTime(seconds * 1_000 - 1);
    expect(read).toHaveBeenCalledTimes(expected);
    vi.advanceTimersByTime(1);
    expected += 1;
    expect(read).toHaveBeenCalledTimes(expected);
  }
  stop();
  vi.advanceTimersByTime(600_000);
  expect(read).toHaveBeenCalledTimes(expected);
});

test('up to half of a pause is random, so that pages do not read at the same time', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const read = vi.fn();
  const stop = pollWithoutStream(read, () => true);
  vi.advanceTimersByTime(10_000);
  expect(read).toHaveBeenCalledOnce();
  stop();
});

test('a page that nobody sees reads nothing', () => {
  const read = vi.fn();
  const stop = pollWithoutStream(read, () => false);
  vi.advanceTimersByTime(600_000);
  expect(read).not.toHaveBeenCalled();
  stop();
});
