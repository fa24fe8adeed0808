import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  backOffMs,
  backupsToRemove,
  dueStep,
  isOverdue,
  type KeptBackup,
  nameOf,
  parseName,
} from './rules.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const now = new Date('2026-11-23T15:00:00Z');
const SHOP = '0123abcd';
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);

const kept = (startedAt: Date, outcome?: 'passed' | 'failed' | 'not_done'): KeptBackup => ({
  name: nameOf(startedAt, SHOP),
  startedAt,
  verification: outcome === undefined ? null : { outcome },
});

const dates = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-12-31'), noInvalidDate: true });
const backups = fc
  .uniqueArray(fc.record({ startedAt: dates, outcome: fc.constantFrom('passed', 'failed', 'not_done') }), {
    selector: ({ startedAt }) => nameOf(startedAt, SHOP),
    maxLength: 60,
  })
  .map((list) => list.map(({ startedAt, outcome }) => kept(startedAt, outcome)));
const counts = fc.integer({ min: 0, max: 12 });
const rules = fc.record({ hours: counts, days: counts, weeks: counts, months: counts });

test('names are ordered by time and contain it, and the shop', () => {
  fc.assert(
    fc.property(dates, dates, (one, other) => {
      expect(parseName(nameOf(one, SHOP))).toEqual({ startedAt: one, shopId: SHOP });
      expect(nameOf(one, 'ffffffff') < nameOf(other, '00000000')).toBe(one < other);
    }),
  );
  for (const name of [
    'coomercio-20261123T150000000Z-0123abcd.tar',
    'coomercio-20261123T150000000Z',
    'other',
  ]) {
    expect(parseName(name)).toBeNull();
  }
});

test('the newest backup and the newest usable one are never removed', () => {
  fc.assert(
    fc.property(backups, rules, (list, keep) => {
      const removed = new Set(backupsToRemove(list, keep));
      const byTime = list.toSorted((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
      const newest = byTime.at(-1);
      const usable = byTime.findLast(({ verification }) => verification?.outcome !== 'failed');
      for (const backup of [newest, usable]) if (backup) expect(removed.has(backup.name)).toBe(false);
    }),
  );
});

test('of a period, at most the newest usable backup is kept, and at most as many backups as the rule has periods', () => {
  fc.assert(
    fc.property(backups, rules, (list, keep) => {
      const removed = new Set(backupsToRemove(list, keep));
      const left = list.filter(({ name }) => !removed.has(name));
      expect(left.length).toBeLessThanOrEqual(keep.hours + keep.days + keep.weeks + keep.months + 2);
      const usable = left.filter(({ verification }) => verification?.outcome !== 'failed');
      const period = (keep.hours > 0 ? '2026-11-23T15' : '2026-11-23').length;
      expect(new Set(usable.map(({ startedAt }) => startedAt.toISOString().slice(0, period))).size).toBe(
        usable.length,
      );
    }),
  );
});

test('what was kept without a failed backup is kept with it, and removing changes nothing the second time', () => {
  fc.assert(
    fc.property(backups, rules, (list, keep) => {
      const usable = list.filter(({ verification }) => verification?.outcome !== 'failed');
      const removed = backupsToRemove(list, keep);
      const names = new Set(usable.map(({ name }) => name));
      expect(removed.filter((name) => names.has(name))).toEqual(backupsToRemove(usable, keep));
      const left = list.filter(({ name }) => !removed.includes(name));
      expect(backupsToRemove(left, keep)).toEqual([]);
    }),
  );
});

test('a year of daily backups leaves a week of days, a month of weeks and half a year of months', () => {
  const year = Array.from({ length: 365 }, (_, index) => kept(ago(index * DAY_MS), 'passed'));
  const removed = new Set(backupsToRemove(year, { hours: 0, days: 7, weeks: 4, months: 6 }));
  const left = year
    .filter(({ name }) => !removed.has(name))
    .map(({ startedAt }) => startedAt.toISOString().slice(0, 10));
  expect(left).toEqual([
    ...['2026-11-23', '2026-11-22', '2026-11-21', '2026-11-20', '2026-11-19', '2026-11-18', '2026-11-17'],
    // Sundays, then the last days of months.
    ...['2026-11-15', '2026-11-08'],
    ...['2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31', '2026-06-30'],
  ]);
});

const last = { name: 'any', at: ago(HOUR_MS), bytes: 1, durationMs: 1 };
const passed = { outcome: 'passed' as const, at: now, detail: null };

test('a backup is due at the start, after the interval, and after a failed verification; a verification until it ends', () => {
  expect(dueStep({ last: null, verification: null, retryAt: null }, DAY_MS, now)).toBe('backup');
  expect(dueStep({ last, verification: passed, retryAt: null }, HOUR_MS, now)).toBe('backup');
  expect(dueStep({ last, verification: passed, retryAt: null }, HOUR_MS + 1, now)).toBeNull();
  expect(dueStep({ last, verification: null, retryAt: null }, DAY_MS, now)).toBe('verification');
  expect(dueStep({ last, verification: null, retryAt: null }, HOUR_MS, now)).toBe('backup');
  const failed = { ...passed, outcome: 'failed' as const };
  expect(dueStep({ last, verification: failed, retryAt: null }, DAY_MS, now)).toBe('backup');
  expect(dueStep({ last, verification: failed, retryAt: ago(-1) }, DAY_MS, now)).toBeNull();
  expect(dueStep({ last: null, verification: null, retryAt: ago(-1) }, DAY_MS, now)).toBeNull();
});

test('attempts are farther and farther apart, up to an hour and the interval', () => {
  expect([0, 1, 2, 3, 7, 1000].map((failures) => backOffMs(failures, DAY_MS) / 60_000)).toEqual([
    0, 1, 2, 4, 60, 60,
  ]);
  expect(backOffMs(5, 60_000)).toBe(60_000);
});

test('admins are told after twice the interval, at a start only when the missed backup fails', () => {
  const state = { lastUsableAt: ago(2 * DAY_MS + 1), expectedSince: ago(9 * DAY_MS), failures: 0 };
  const long = { now, startedAt: ago(DAY_MS) };
  const started = { now, startedAt: ago(1000) };
  expect(isOverdue(state, DAY_MS, long)).toBe(true);
  expect(isOverdue({ ...state, lastUsableAt: ago(2 * DAY_MS) }, DAY_MS, long)).toBe(false);
  expect(isOverdue(state, DAY_MS, started)).toBe(false);
  expect(isOverdue({ ...state, failures: 1 }, DAY_MS, started)).toBe(true);
  expect(isOverdue({ ...state, lastUsableAt: null }, DAY_MS, long)).toBe(true);
  // Backups that were just switched on are not late.
  expect(isOverdue({ ...state, expectedSince: ago(1000) }, DAY_MS, long)).toBe(false);
  expect(isOverdue({ ...state, expectedSince: null }, DAY_MS, long)).toBe(false);
});
