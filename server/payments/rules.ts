import type { CardIntent } from './cards.ts';

/** What becomes of money that the card provider has taken. */
export type Verdict = { kind: 'sale' } | { kind: 'refund'; reason: RefundReason };

/** Why money is given back, as the refund's row and the buyer's mail say it. */
export type RefundReason = 'sold_to_another' | 'left_the_shop' | 'paid_twice' | 'wrong_amount';

/**
 * Whether taken money buys the laptop. The laptop's row is locked by whoever asks, so of two payments at the same
 * instant one finds it available and the other sold.
 */
export function judge(
  intent: Pick<CardIntent, 'receivedCents' | 'currency'>,
  booking: { price_cents: number; paid_at: Date | null; buyer_ended_at: Date | null },
  laptop: { state: 'available' | 'sold' | 'withdrawn' | 'taken_down' },
): Verdict {
  if (booking.paid_at !== null) return { kind: 'refund', reason: 'paid_twice' };
  if (laptop.state === 'sold') return { kind: 'refund', reason: 'sold_to_another' };
  if (laptop.state !== 'available' || booking.buyer_ended_at !== null) {
    return { kind: 'refund', reason: 'left_the_shop' };
  }
  if (intent.receivedCents !== booking.price_cents || intent.currency !== 'usd') {
    return { kind: 'refund', reason: 'wrong_amount' };
  }
  return { kind: 'sale' };
}

/** What the buyer is told about money that comes back, as one sentence about a laptop. */
export function refundSentence(reason: RefundReason, laptopName: string): string {
  switch (reason) {
    case 'sold_to_another':
      return `${laptopName} was sold to another buyer a moment before your payment arrived.`;
    case 'left_the_shop':
      return `${laptopName} left the shop before your payment arrived.`;
    case 'paid_twice':
      return `${laptopName} is yours already; this was a second payment for it.`;
    case 'wrong_amount':
      return `The amount that arrived for ${laptopName} was not its price.`;
  }
}

/** A reason as the card provider writes it, such as `expired_or_canceled_card`, for people to read. */
export const inWords = (reason: string): string => reason.replaceAll('_', ' ');

/** What the audit trail calls money: the laptop and the payment, but nobody's name, for it is kept for ever. */
export const moneySubject = (laptopName: string, transactionId: string): string =>
  `${laptopName}, ${transactionId}`;

/** How soon a payment that somebody is making is asked about should nothing be heard of it, in milliseconds. */
export const SHORTEST_WAIT = 30_000;
const LONGEST_WAIT = 60 * 60_000;

/** After this long an unpaid attempt is given up and canceled at the card provider, in milliseconds. */
export const ABANDONED_MILLISECONDS = 24 * 60 * 60_000;

/** When an attempt of this age should be asked about again: often while fresh, hourly at last. */
export function nextCheck(createdAt: Date, now: Date): Date {
  const age = now.getTime() - createdAt.getTime();
  return new Date(now.getTime() + Math.min(LONGEST_WAIT, Math.max(SHORTEST_WAIT, age / 2)));
}

const DAY = 24 * 60 * 60_000;

/** How long a refund that was done is asked about, in milliseconds: a bank may send it back that late. */
const SURE_MILLISECONDS = 30 * DAY;

/** How long an event's name is kept, in milliseconds: the card provider itself has an event for thirty days. */
export const REPEATABLE_MILLISECONDS = 31 * DAY;

/** When an open dispute, or a refund that is done, should be asked about again. */
export const tomorrow = (now: Date): Date => new Date(now.getTime() + DAY);

/** When a refund should be asked about again, should nothing be heard of it; null for never. */
export function nextRefundCheck(
  refund: { created_at: Date; done_at: Date | null; attempt: number; card_refund_id: string | null },
  now: Date,
): Date | null {
  // No job asks for what the command line has begun again.
  if (refund.attempt > 1 && refund.card_refund_id === null) return nextCheck(now, now);
  if (refund.done_at === null) return nextCheck(refund.created_at, now);
  return now.getTime() - refund.done_at.getTime() < SURE_MILLISECONDS ? tomorrow(now) : null;
}
