import { expect, test } from 'vitest';
import { formatUtc, formatUtcDay } from './rules.ts';

test('days and times say that they are in UTC', () => {
  const noon = new Date('2026-11-20T12:00:00Z');
  expect(formatUtc(noon)).toBe('November 20, 2026 at 12:00 PM UTC');
  expect(formatUtcDay(noon)).toBe('November 20, 2026 (UTC)');
});
