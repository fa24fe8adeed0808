import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '#contract/platform/durations.ts';
import { nameOf, parseFile, type StoredBackup } from './destination.ts';
import { backupsToRemove, isDue, isOverdue } from './rules.ts';

const now = new Date('2026-11-23T12:00:00Z');
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);

test('a name states when a backup was begun and which shop made it', () => {
  const name = nameOf(now, '0123abcd');
  expect(name).toBe('coomercio-20261123T120000000Z-0123abcd');
  expect(parseFile(`${name}.tar`, 7)).toEqual({ name, shopId: '0123abcd', startedAt: now, bytes: 7 });
  for (const other of [`${name}.json`, `${name}.tar.partial`, 'by-hand.tar', `x${name}.tar`]) {
    expect(parseFile(other, 7)).toBeNull();
  }
});

test.each([
  ['before the first', { last_at: null, attempted_at: null, failures: 0 }, true],
  ['after the interval', { last_at: ago(DAY_MS), attempted_at: ago(DAY_MS), failures: 0 }, true],
  ['before the interval', { last_at: ago(DAY_MS - 1), attempted_at: ago(DAY_MS), failures: 0 }, false],
  ['a minute after the first failure', { last_at: null, attempted_at: ago(60_000), failures: 1 }, true],
  ['before it', { last_at: null, attempted_at: ago(59_999), failures: 1 }, false],
  ['four minutes after the third', { last_at: null, attempted_at: ago(4 * 60_000), failures: 3 }, true],
  ['before them', { last_at: null, attempted_at: ago(4 * 60_000 - 1), failures: 3 }, false],
  ['an hour after the hundredth', { last_at: ago(DAY_MS), attempted_at: ago(HOUR_MS), failures: 100 }, true],
  ['before it', { last_at: ago(DAY_MS), attempted_at: ago(HOUR_MS - 1), failures: 100 }, false],
] as const)('%s, a daily backup with %o is due: %s', (_, state, due) => {
  expect(isDue(state, DAY_MS, now)).toBe(due);
});

test.each([
  [{ last_at: ago(2 * DAY_MS), failure: null }, DAY_MS, false],
  [{ last_at: ago(2 * DAY_MS + 1), failure: null }, DAY_MS, true],
  [{ last_at: null, failure: 'The disk is full.' }, DAY_MS, true],
  // Right after a start it is made first, unless it fails.
  [{ last_at: ago(3 * DAY_MS), failure: null }, HOUR_MS, false],
  [{ last_at: ago(3 * DAY_MS), failure: 'The disk is full.' }, HOUR_MS, true],
])('with %o, %d ms after the start, a daily backup is overdue: %s', (state, runningMs, overdue) => {
  const expected_since = ago(9 * DAY_MS);
  expect(isOverdue({ ...state, expected_since }, DAY_MS, { now, startedAt: ago(runningMs) })).toBe(overdue);
});

test('a shop that expects no backups misses none', () => {
  const state = { last_at: null, failure: null, expected_since: null };
  expect(isOverdue(state, DAY_MS, { now, startedAt: ago(DAY_MS) })).toBe(false);
});

describe('keeping', () => {
  const stored = (days: number, shopId = 'aaaaaaaa'): StoredBackup => ({
    name: nameOf(ago(days * DAY_MS), shopId),
    shopId,
    startedAt: ago(days * DAY_MS),
    bytes: 1,
  });

  test('keeps the newest ones of this shop, also with its previous secret, and all of other shops', () => {
    const [one, two, three, other] = [stored(1), stored(2, 'bbbbbbbb'), stored(3), stored(4, 'cccccccc')];
    const backups = [one, two, three, other];
    const own = ['aaaaaaaa', 'bbbbbbbb'];
    expect(backupsToRemove(backups, own, 2)).toEqual([three.name]);
    expect(backupsToRemove(backups, own, 1)).toEqual([two.name, three.name]);
    expect(backupsToRemove(backups, own, 3)).toEqual([]);
  });
});
