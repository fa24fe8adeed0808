import { afterEach, expect, test, vi } from 'vitest';
import { today } from './shop-days.ts';

afterEach(() => vi.useRealTimers());

test('the present day depends on the time zone', () => {
  vi.useFakeTimers({ now: new Date('2026-12-31T23:30:00Z') });
  expect(today('UTC')).toBe('2026-12-31');
  expect(today('Europe/Berlin')).toBe('2027-01-01');
  expect(today('America/Los_Angeles')).toBe('2026-12-31');
});
