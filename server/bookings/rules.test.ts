import { describe, expect, test } from 'vitest';
import {
  askForHold,
  HOLD_MILLISECONDS,
  HOLD_PAUSE_MILLISECONDS,
  type Hold,
  LONGEST_HOLD_MILLISECONDS,
} from './rules.ts';

const start = new Date('2026-11-20T12:00:00Z');
const later = (milliseconds: number) => new Date(start.getTime() + milliseconds);
const hold = (expiresAt: Date): Hold => ({ bookingId: 'mine', startedAt: start, expiresAt });

describe('a hold', () => {
  test('begins short', () => {
    expect(askForHold(null, 'mine', start)).toEqual({ kind: 'held', hold: hold(later(HOLD_MILLISECONDS)) });
  });

  test('keeps others out until it lapses, then lets the next one in', () => {
    const current = hold(later(HOLD_MILLISECONDS));
    expect(askForHold(current, 'other', later(HOLD_MILLISECONDS - 1))).toEqual({
      kind: 'busy',
      until: current.expiresAt,
    });
    expect(askForHold(current, 'other', later(HOLD_MILLISECONDS))).toMatchObject({
      kind: 'held',
      hold: { bookingId: 'other', startedAt: later(HOLD_MILLISECONDS) },
    });
  });

  test('is renewed by its own buyer, but never beyond 20 minutes in all', () => {
    const answer = askForHold(
      hold(later(HOLD_MILLISECONDS)),
      'mine',
      later(LONGEST_HOLD_MILLISECONDS - 60_000),
    );
    expect(answer).toEqual({ kind: 'held', hold: hold(later(LONGEST_HOLD_MILLISECONDS)) });
  });

  test('that is used up makes its buyer pause, so that others get a turn, and can begin anew after that', () => {
    const used = hold(later(LONGEST_HOLD_MILLISECONDS));
    expect(askForHold(used, 'mine', later(LONGEST_HOLD_MILLISECONDS))).toEqual({ kind: 'unheld' });
    expect(askForHold(used, 'other', later(LONGEST_HOLD_MILLISECONDS))).toMatchObject({ kind: 'held' });
    const anew = later(LONGEST_HOLD_MILLISECONDS + HOLD_PAUSE_MILLISECONDS);
    expect(askForHold(used, 'mine', anew)).toMatchObject({ kind: 'held', hold: { startedAt: anew } });
  });
});
