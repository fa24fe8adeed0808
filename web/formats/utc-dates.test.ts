import { expect, test } from 'vitest';
import { longUtcDay, utcDay, utcMonth } from './utc-dates.ts';

test('dates are those of UTC, whatever the time zone of the browser', () => {
  const lateEvening = '2026-11-25T23:59:59.999Z';
  expect(utcDay(lateEvening)).toBe('Nov 25, 2026');
  expect(longUtcDay(lateEvening)).toBe('November 25, 2026');
  expect(utcMonth('2026-11')).toBe('November 2026');
});
