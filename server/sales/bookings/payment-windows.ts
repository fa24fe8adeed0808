// Decides which buyer may pay for a laptop. Pure: time and rows are parameters.

import { DAY_MS } from '#contract/platform/durations.ts';

/** The length of a hold until its renewal, in milliseconds. */
export const HOLD_MILLISECONDS = 3 * 60_000;
/** The longest time that one buyer can hold a laptop, in milliseconds (docs/specification.md, S51). */
export const LONGEST_HOLD_MILLISECONDS = 20 * 60_000;
/** The pause after which a buyer's 20 minutes start again if nobody waits, in milliseconds. */
export const HOLD_PAUSE_MILLISECONDS = 5 * 60_000;
/** How long a place in line is valid, in milliseconds. The page renews it every 30 seconds. */
export const WAIT_MILLISECONDS = 90_000;
/** How long used hold time is stored, in milliseconds. */
export const USED_TIME_RETENTION_MILLISECONDS = DAY_MS;
/** How many laptops one buyer can hold at once. A trigger on `holds` enforces the same number. */
export const MAXIMUM_HOLDS = 2;

/** An exclusive right to pay for a laptop. */
export interface Hold {
  bookingId: string;
  /** The start of the buyer's 20 minutes: earlier than the hold when the buyer has held the laptop before. */
  startedAt: Date;
  expiresAt: Date;
}

/** A place in line. */
export interface Wait {
  bookingId: string;
  expiresAt: Date;
}

/** The input of {@link decideHold}. */
export interface HoldRequest {
  bookingId: string;
  now: Date;
  /** The laptop's last hold, expired or not. */
  current: Hold | null;
  /** This buyer's earlier holds of this laptop: their total length and the end of the last one. */
  use: { usedMilliseconds: number; endedAt: Date } | null;
  /** The laptop's unexpired places in line, the first one first. */
  line: readonly Wait[];
  /** How many other laptops the buyer holds now. */
  otherHolds: number;
}

/**
 * The result of requesting a hold:
 * `held`: the buyer may pay; `waiting` other buyers wait in line.
 * `unheld`: the 20 minutes are used up and nobody waits, so the buyer may pay without an exclusive hold.
 * `busy`: another buyer holds the laptop or is first in line. `place` counts from 1; it is null for a buyer whose
 * 20 minutes are used up, who gets no place.
 * `too_many`: the buyer already holds {@link MAXIMUM_HOLDS} other laptops.
 */
export type HoldDecision =
  | { kind: 'held'; hold: Hold; waiting: number }
  | { kind: 'unheld' }
  | { kind: 'busy'; until: Date; place: number | null }
  | { kind: 'too_many' };

const addMilliseconds = (moment: Date, milliseconds: number) => new Date(moment.getTime() + milliseconds);

/** The length of a hold including its buyer's earlier holds, in milliseconds. */
export const lengthOf = ({ startedAt, expiresAt }: Hold): number => expiresAt.getTime() - startedAt.getTime();

/** How much of the 20 minutes the buyer has used, in milliseconds. It is reset only while nobody else waits. */
function usedMillisecondsOf({ bookingId, now, current, use, line }: HoldRequest): number {
  const last =
    current?.bookingId === bookingId
      ? { usedMilliseconds: lengthOf(current), endedAt: current.expiresAt }
      : use;
  if (last === null) return 0;
  const isContended =
    line.some((wait) => wait.bookingId !== bookingId) ||
    (current !== null && current.bookingId !== bookingId && current.expiresAt > now);
  const hasPaused = now >= addMilliseconds(last.endedAt, HOLD_PAUSE_MILLISECONDS);
  return hasPaused && !isContended ? 0 : last.usedMilliseconds;
}

/** Decides whether a buyer may pay: the holder first, then the buyer who has waited longest. */
export function decideHold(request: HoldRequest): HoldDecision {
  const { bookingId, now, current, line, otherHolds } = request;
  const waiting = line.filter((wait) => wait.bookingId !== bookingId).length;
  const active = current !== null && current.expiresAt > now ? current : null;

  if (active?.bookingId === bookingId) {
    if (waiting > 0) return { kind: 'held', hold: active, waiting };
    const end = active.startedAt.getTime() + LONGEST_HOLD_MILLISECONDS;
    const expiresAt = new Date(Math.min(now.getTime() + HOLD_MILLISECONDS, end));
    return { kind: 'held', hold: { ...active, expiresAt }, waiting };
  }
  if (otherHolds >= MAXIMUM_HOLDS) return { kind: 'too_many' };

  const remaining = LONGEST_HOLD_MILLISECONDS - usedMillisecondsOf(request);
  const first = line[0];
  const until = active?.expiresAt ?? (first?.bookingId === bookingId ? null : first?.expiresAt) ?? null;
  if (until !== null) {
    const index = line.findIndex((wait) => wait.bookingId === bookingId);
    return { kind: 'busy', until, place: remaining <= 0 ? null : (index === -1 ? line.length : index) + 1 };
  }
  if (remaining <= 0) return { kind: 'unheld' };
  const startedAt = addMilliseconds(now, remaining - LONGEST_HOLD_MILLISECONDS);
  const expiresAt = addMilliseconds(now, Math.min(HOLD_MILLISECONDS, remaining));
  return { kind: 'held', hold: { bookingId, startedAt, expiresAt }, waiting };
}
