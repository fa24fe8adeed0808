// Who may pay for a laptop now, decided from what the database says: no clock and no database in here.

/** How long a hold lasts unless it is renewed, in milliseconds. */
export const HOLD_MILLISECONDS = 3 * 60_000;
/** How long one buyer may hold a laptop in all, in milliseconds (reading.md, Rules of sale). */
export const LONGEST_HOLD_MILLISECONDS = 20 * 60_000;
/** After this long without a hold, in milliseconds, a buyer's 20 minutes begin anew unless others wait. */
export const HOLD_PAUSE_MILLISECONDS = 5 * 60_000;
/** How long a place in line lasts unless its buyer asks again, in milliseconds. The page asks every 30 seconds. */
export const WAIT_MILLISECONDS = 90_000;
/** How long it is remembered that a buyer has held a laptop, in milliseconds. */
export const REMEMBERED_MILLISECONDS = 24 * 60 * 60_000;
/** How many laptops one buyer may hold at once. A trigger on `holds` enforces the same number. */
export const MAXIMUM_HOLDS = 2;

/** An exclusive turn at paying for a laptop. */
export interface Hold {
  bookingId: string;
  /** From when the 20 minutes in all count: earlier than the hold when its buyer has held the laptop before. */
  startedAt: Date;
  expiresAt: Date;
}

/** A place in line. */
export interface Wait {
  bookingId: string;
  expiresAt: Date;
}

/** What a buyer's request for a hold is decided from. */
export interface HoldRequest {
  bookingId: string;
  now: Date;
  /** The laptop's last hold, expired or not. */
  current: Hold | null;
  /** How long this buyer had held this laptop before that hold, and until when. */
  use: { usedMilliseconds: number; endedAt: Date } | null;
  /** The laptop's unexpired places in line, the first one first. */
  line: readonly Wait[];
  /** How many other laptops the buyer holds now. */
  otherHolds: number;
}

/**
 * What comes of asking for a hold:
 * `held`: the buyer may pay before others, of whom `waiting` wait in line.
 * `unheld`: the 20 minutes are used up but nobody else wants to pay, so the buyer may go on without the exclusive turn.
 * `busy`: somebody else holds the laptop or comes first in line. `place` counts from 1; null for a buyer whose
 * 20 minutes are used up, who gets no place.
 * `too_many`: the buyer holds as many other laptops as anybody may.
 */
export type HoldDecision =
  | { kind: 'held'; hold: Hold; waiting: number }
  | { kind: 'unheld' }
  | { kind: 'busy'; until: Date; place: number | null }
  | { kind: 'too_many' };

const after = (moment: Date, milliseconds: number) => new Date(moment.getTime() + milliseconds);

/** How long a hold has lasted, with all that its buyer held before, in milliseconds. */
export const usedBy = ({ startedAt, expiresAt }: Hold): number => expiresAt.getTime() - startedAt.getTime();

/** How much of the 20 minutes the buyer has used, in milliseconds. Waiting buyers keep it from beginning anew. */
function usedOf({ bookingId, now, current, use, line }: HoldRequest): number {
  const last =
    current?.bookingId === bookingId
      ? { usedMilliseconds: usedBy(current), endedAt: current.expiresAt }
      : use;
  if (last === null) return 0;
  const contended =
    line.some((wait) => wait.bookingId !== bookingId) ||
    (current !== null && current.bookingId !== bookingId && current.expiresAt > now);
  const rested = now >= after(last.endedAt, HOLD_PAUSE_MILLISECONDS);
  return rested && !contended ? 0 : last.usedMilliseconds;
}

/** Decides who may pay: whoever holds the laptop, then whoever has waited longest. */
export function decideHold(request: HoldRequest): HoldDecision {
  const { bookingId, now, current, line, otherHolds } = request;
  const waiting = line.filter((wait) => wait.bookingId !== bookingId).length;
  const live = current !== null && current.expiresAt > now ? current : null;

  if (live?.bookingId === bookingId) {
    if (waiting > 0) return { kind: 'held', hold: live, waiting };
    const end = live.startedAt.getTime() + LONGEST_HOLD_MILLISECONDS;
    const expiresAt = new Date(Math.min(now.getTime() + HOLD_MILLISECONDS, end));
    return { kind: 'held', hold: { ...live, expiresAt }, waiting };
  }
  if (otherHolds >= MAXIMUM_HOLDS) return { kind: 'too_many' };

  const left = LONGEST_HOLD_MILLISECONDS - usedOf(request);
  const first = line[0];
  const until = live?.expiresAt ?? (first?.bookingId === bookingId ? null : first?.expiresAt) ?? null;
  if (until !== null) {
    const index = line.findIndex((wait) => wait.bookingId === bookingId);
    return { kind: 'busy', until, place: left <= 0 ? null : (index === -1 ? line.length : index) + 1 };
  }
  if (left <= 0) return { kind: 'unheld' };
  const startedAt = after(now, left - LONGEST_HOLD_MILLISECONDS);
  const expiresAt = after(now, Math.min(HOLD_MILLISECONDS, left));
  return { kind: 'held', hold: { bookingId, startedAt, expiresAt }, waiting };
}
