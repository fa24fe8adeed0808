import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createToastStore } from './toast-store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('an error lasts 4000 ms, a success 2000 ms', () => {
  const store = createToastStore();
  const messages = () => store.read().map(({ message }) => message);
  store.error('No');
  store.success('Yes');
  vi.advanceTimersByTime(1_999);
  expect(messages()).toEqual(['Yes', 'No']);
  vi.advanceTimersByTime(1);
  expect(messages()).toEqual(['No']);
  vi.advanceTimersByTime(1_999);
  expect(messages()).toEqual(['No']);
  vi.advanceTimersByTime(1);
  expect(messages()).toEqual([]);
});

test('keeps at most 20 toasts, the latest ones', () => {
  const store = createToastStore();
  for (let index = 1; index <= 25; index += 1) store.error(`${index}`);
  expect(store.read().map(({ message }) => message)).toEqual(
    Array.from({ length: 20 }, (_, i) => `${25 - i}`),
  );
});

test('time does not run while paused, also for toasts that are added then, and begins anew afterwards', () => {
  const store = createToastStore();
  const changed = vi.fn();
  store.subscribe(changed);
  store.error('Before');
  vi.advanceTimersByTime(3_000);
  store.pause(true);
  store.success('Meanwhile');
  vi.advanceTimersByTime(60_000);
  expect(store.read()).toHaveLength(2);
  store.pause(false);
  vi.advanceTimersByTime(2_000);
  expect(store.read().map(({ message }) => message)).toEqual(['Before']);
  vi.advanceTimersByTime(1_999);
  expect(store.read()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(store.read()).toEqual([]);
  expect(changed).toHaveBeenCalledTimes(4);
});

test('a toast can be removed before its time', () => {
  const store = createToastStore();
  store.error('No');
  store.remove(store.read()[0]?.id ?? 0);
  expect(store.read()).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
