// Decides which buyer may pay for a laptop. Pure: time and rows are parameters.

import { DAY_MS } from '#contract/platform/durations.ts';

/** How long a payment window lasts unless it is renewed, in milliseconds. The payment page renews it (`use-payment.ts`). */
export const PAYMENT_WINDOW_MILLISECONDS = 3 * 60_000;
/**
 * The longest time that one buyer can have a laptop to pay for, in milliseconds (docs/specification.md, S51). A constraint of `payment_windows`
 * and a sentence in `payments/prepare-payment.ts` have the same 20 minutes.
 */
export const TIME_TO_PAY_MILLISECONDS = 20 * 60_000;
/** The pause after which a buyer's time to pay starts again if nobody waits, in milliseconds. */
export const PAYMENT_WINDOW_PAUSE_MILLISECONDS = 5 * 60_000;
/** How long a place in line is valid, in milliseconds. The page renews it every 30 seconds. */
export const QUEUE_PLACE_MILLISECONDS = 90_000;
/** How long used time to pay is stored, in milliseconds. */
export const USED_TIME_RETENTION_MILLISECONDS = DAY_MS;
/** How many payment windows one buyer can have at once. A trigger on `payment_windows` enforces the same number. */
export const MAXIMUM_PAYMENT_WINDOWS = 2;

/** An exclusive right to pay for a laptop. */
export interface PaymentWindow {
  bookingId: string;
  /** The start of the buyer's 20 minutes: earlier than the payment window when the buyer has had one for the laptop before. */
  startedAt: Date;
  expiresAt: Date;
}

/** A place in line. */
export interface QueuePlace {
  bookingId: string;
  expiresAt: Date;
}

/** The input of {@link decidePaymentWindow}. */
export interface PaymentWindowRequest {
  bookingId: string;
  now: Date;
  /** The laptop's last payment window, expired or not. */
  current: PaymentWindow | null;
  /** This buyer's earlier payment windows of this laptop: their total length and the end of the last one. */
  use: { usedMilliseconds: number; endedAt: Date } | null;
  /** The laptop's unexpired places in line, the first one first. */
  queue: readonly QueuePlace[];
  /** How many other payment windows the buyer has now. */
  otherWindows: number;
}

/**
 * The result of requesting a payment window:
 * `open`: the buyer may pay; `waiting` other buyers wait in line.
 * `not_exclusive`: the time to pay is used up and nobody waits, so the buyer may pay without an exclusive payment window.
 * `busy`: another buyer has the payment window or is first in line. `place` counts from 1; it is null for a buyer whose
 * 20 minutes are used up, who gets no place.
 * `too_many`: the buyer already has {@link MAXIMUM_PAYMENT_WINDOWS} others.
 */
export type PaymentWindowDecision =
  | { kind: 'open'; paymentWindow: PaymentWindow; waiting: number }
  | { kind: 'not_exclusive' }
  | { kind: 'busy'; until: Date; place: number | null }
  | { kind: 'too_many' };

const addMilliseconds = (moment: Date, milliseconds: number) => new Date(moment.getTime() + milliseconds);

/** The length of a payment window including its buyer's earlier payment windows, in milliseconds. */
export const windowLength = ({ startedAt, expiresAt }: PaymentWindow): number =>
  expiresAt.getTime() - startedAt.getTime();

/** How much of the time to pay the buyer has used, in milliseconds. It is reset only while nobody else waits. */
function usedMillisecondsOf({ bookingId, now, current, use, queue }: PaymentWindowRequest): number {
  const last =
    current?.bookingId === bookingId
      ? { usedMilliseconds: windowLength(current), endedAt: current.expiresAt }
      : use;
  if (last === null) return 0;
  const isContended =
    queue.some((wait) => wait.bookingId !== bookingId) ||
    (current !== null && current.bookingId !== bookingId && current.expiresAt > now);
  const hasPaused = now >= addMilliseconds(last.endedAt, PAYMENT_WINDOW_PAUSE_MILLISECONDS);
  return hasPaused && !isContended ? 0 : last.usedMilliseconds;
}

/** Decides whether a buyer may pay: the holder first, then the buyer who has waited longest. */
export function decidePaymentWindow(request: PaymentWindowRequest): PaymentWindowDecision {
  const { bookingId, now, current, queue, otherWindows } = request;
  const waiting = queue.filter((wait) => wait.bookingId !== bookingId).length;
  const active = current !== null && current.expiresAt > now ? current : null;

  if (active?.bookingId === bookingId) {
    if (waiting > 0) return { kind: 'open', paymentWindow: active, waiting };
    const end = active.startedAt.getTime() + TIME_TO_PAY_MILLISECONDS;
    const expiresAt = new Date(Math.min(now.getTime() + PAYMENT_WINDOW_MILLISECONDS, end));
    return { kind: 'open', paymentWindow: { ...active, expiresAt }, waiting };
  }
  if (otherWindows >= MAXIMUM_PAYMENT_WINDOWS) return { kind: 'too_many' };

  const remaining = TIME_TO_PAY_MILLISECONDS - usedMillisecondsOf(request);
  const first = queue[0];
  const until = active?.expiresAt ?? (first?.bookingId === bookingId ? null : first?.expiresAt) ?? null;
  if (until !== null) {
    const index = queue.findIndex((wait) => wait.bookingId === bookingId);
    return { kind: 'busy', until, place: remaining <= 0 ? null : (index === -1 ? queue.length : index) + 1 };
  }
  if (remaining <= 0) return { kind: 'not_exclusive' };
  const startedAt = addMilliseconds(now, remaining - TIME_TO_PAY_MILLISECONDS);
  const expiresAt = addMilliseconds(now, Math.min(PAYMENT_WINDOW_MILLISECONDS, remaining));
  return { kind: 'open', paymentWindow: { bookingId, startedAt, expiresAt }, waiting };
}
