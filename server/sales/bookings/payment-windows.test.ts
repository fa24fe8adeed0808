import { describe, expect, test } from 'vitest';
import {
  decideHold,
  HOLD_MILLISECONDS,
  HOLD_PAUSE_MILLISECONDS,
  type Hold,
  type HoldRequest,
  LONGEST_HOLD_MILLISECONDS,
  MAXIMUM_HOLDS,
  WAIT_MILLISECONDS,
} from './payment-windows.ts';

const start = new Date('2026-11-20T12:00:00Z');
const later = (milliseconds: number) => new Date(start.getTime() + milliseconds);
const hold = (expiresAt: Date, bookingId = 'mine'): Hold => ({ bookingId, startedAt: start, expiresAt });
const waits = (bookingId: string, expiresAt = later(WAIT_MILLISECONDS)) => ({ bookingId, expiresAt });

const ask = (request: Partial<HoldRequest>) =>
  decideHold({
    bookingId: 'mine',
    now: start,
    current: null,
    use: null,
    line: [],
    otherHolds: 0,
    ...request,
  });

const short = later(HOLD_MILLISECONDS);
const used = hold(later(LONGEST_HOLD_MILLISECONDS));

describe('a hold', () => {
  test('is short at first', () => {
    expect(ask({})).toEqual({ kind: 'held', hold: hold(short), waiting: 0 });
  });

  test('excludes other buyers until it expires, then the next one can start', () => {
    const current = hold(short, 'other');
    expect(ask({ current, now: later(HOLD_MILLISECONDS - 1) })).toEqual({
      kind: 'busy',
      until: short,
      place: 1,
    });
    expect(ask({ current, now: short })).toMatchObject({
      kind: 'held',
      hold: { bookingId: 'mine', startedAt: short },
    });
  });

  test('is renewed by its buyer, up to 20 minutes in total', () => {
    const now = later(LONGEST_HOLD_MILLISECONDS - 60_000);
    expect(ask({ current: hold(later(LONGEST_HOLD_MILLISECONDS - 30_000)), now })).toEqual({
      kind: 'held',
      hold: used,
      waiting: 0,
    });
  });

  test('is not renewed while another buyer waits', () => {
    const answer = ask({ current: hold(short), now: later(60_000), line: [waits('other')] });
    expect(answer).toEqual({ kind: 'held', hold: hold(short), waiting: 1 });
    // A place of one's own, from before, is no reason.
    expect(ask({ current: hold(short), now: later(60_000), line: [waits('mine')] })).toMatchObject({
      hold: { expiresAt: later(60_000 + HOLD_MILLISECONDS) },
    });
  });

  test('is refused to a buyer who holds two other laptops, but an existing one is kept', () => {
    expect(ask({ otherHolds: MAXIMUM_HOLDS })).toEqual({ kind: 'too_many' });
    expect(ask({ otherHolds: MAXIMUM_HOLDS - 1 })).toMatchObject({ kind: 'held' });
    expect(ask({ current: hold(short), otherHolds: MAXIMUM_HOLDS })).toMatchObject({ kind: 'held' });
    expect(ask({ current: hold(short, 'other'), otherHolds: MAXIMUM_HOLDS })).toEqual({ kind: 'too_many' });
  });
});

describe('the queue', () => {
  const current = hold(start, 'other');

  test('reserves the laptop for its first buyer until that place expires', () => {
    const first = waits('first', later(40_000));
    expect(ask({ current, line: [first] })).toEqual({ kind: 'busy', until: first.expiresAt, place: 2 });
    expect(ask({ current, line: [first, waits('mine')] })).toMatchObject({ kind: 'busy', place: 2 });
    expect(ask({ bookingId: 'first', current, line: [first, waits('mine')] })).toMatchObject({
      kind: 'held',
      waiting: 1,
    });
  });

  test('is joined at the end, and a buyer who asks again keeps the place', () => {
    const live = hold(short, 'other');
    const line = [waits('first'), waits('second')];
    expect(ask({ current: live, line })).toEqual({ kind: 'busy', until: short, place: 3 });
    expect(ask({ bookingId: 'second', current: live, line })).toEqual({
      kind: 'busy',
      until: short,
      place: 2,
    });
  });
});

describe('the total of 20 minutes', () => {
  const end = later(LONGEST_HOLD_MILLISECONDS);
  const half = { usedMilliseconds: LONGEST_HOLD_MILLISECONDS / 2, endedAt: start };

  test('once used up, gives no exclusive hold, even without other buyers', () => {
    expect(ask({ current: used, now: end })).toEqual({ kind: 'unheld' });
    expect(ask({ bookingId: 'other', current: used, now: end })).toMatchObject({ kind: 'held' });
    const anew = later(LONGEST_HOLD_MILLISECONDS + HOLD_PAUSE_MILLISECONDS);
    expect(ask({ current: used, now: anew })).toMatchObject({ kind: 'held', hold: { startedAt: anew } });
  });

  test('continues after a hold was released and acquired again', () => {
    const answer = ask({ current: hold(later(60_000)), now: later(120_000) });
    expect(answer).toMatchObject({ kind: 'held', hold: { startedAt: later(60_000) } });
    expect(ask({ use: half, now: later(1000) })).toMatchObject({
      hold: { startedAt: later(1000 - LONGEST_HOLD_MILLISECONDS / 2) },
    });
  });

  test('shortens a hold when less than its usual duration is left', () => {
    const use = { usedMilliseconds: LONGEST_HOLD_MILLISECONDS - 5000, endedAt: start };
    expect(ask({ use })).toMatchObject({ hold: { expiresAt: later(5000) } });
  });

  test('does not restart while other buyers wait or hold the laptop, regardless of time', () => {
    const use = { usedMilliseconds: LONGEST_HOLD_MILLISECONDS, endedAt: start };
    const now = later(60 * 60_000);
    const other = waits('other', later(61 * 60_000));
    expect(ask({ use, now })).toMatchObject({ kind: 'held' });
    expect(ask({ use, now, line: [other] })).toEqual({ kind: 'busy', until: other.expiresAt, place: null });
    const current = { ...hold(later(62 * 60_000), 'other'), startedAt: now };
    expect(ask({ use, now, current })).toEqual({ kind: 'busy', until: current.expiresAt, place: null });
  });
});
