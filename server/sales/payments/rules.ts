import { DAY_MS, HOUR_MS } from '#contract/platform/durations.ts';
import { amountFromCents } from '#contract/platform/money.ts';
import type { WaitingRefund } from '#contract/sales/orders.ts';
import { type RefundReason, type refundStates, TAKEN_BACK_BY_BANK } from '#server/money/refunds/rules.ts';
import type { Row } from '#server/platform/database/tables.ts';
import { type BookedLaptop, bookingState } from '../bookings/rules.ts';
import { type BookedPrice, priceOfOrder } from '../order-price.ts';
import type { CardIntent } from './card-processor.ts';

/** What happens to captured money: it pays an order at a price, in cents, or goes back. */
export type PaymentDecision = { kind: 'sale'; priceCents: number } | { kind: 'refund'; reason: RefundReason };

/**
 * Decides whether a captured payment buys the laptop or is refunded. The caller has locked the laptop's row, so of two
 * concurrent payments the first finds it available and the second finds it sold.
 * @param attemptCents the amount of the shop's attempt with this intent; null without one
 */
export function decidePayment(
  intent: Pick<CardIntent, 'receivedCents' | 'currency'>,
  booking: BookedPrice & Pick<BookedLaptop, 'order_id' | 'ended_at' | 'cancelled_by' | 'buyer_ended_at'>,
  laptop: Pick<Row<'laptops'>, 'state'>,
  attemptCents: number | null,
): PaymentDecision {
  if (booking.ended_at !== null) return { kind: 'refund', reason: 'left_the_shop' };
  if (booking.order_id !== null) return { kind: 'refund', reason: 'paid_twice' };
  if (booking.cancelled_by !== null) {
    return {
      kind: 'refund',
      reason: booking.cancelled_by === 'buyer' ? 'booking_cancelled' : 'left_the_shop',
    };
  }
  if (laptop.state === 'sold') return { kind: 'refund', reason: 'sold_to_another' };
  if (laptop.state === 'blocked') return { kind: 'refund', reason: 'lock_found' };
  if (laptop.state !== 'available' || booking.buyer_ended_at !== null) {
    return { kind: 'refund', reason: 'left_the_shop' };
  }
  const price = priceOfOrder(intent, booking, attemptCents);
  if ('refundReason' in price) return { kind: 'refund', reason: price.refundReason };
  return { kind: 'sale', priceCents: price.priceCents };
}

/** The reasons for refunds as sentences for the buyer. */
const refundSentences = (laptopName: string): Record<RefundReason, string> => ({
  sold_to_another: `${laptopName} was sold to another buyer a moment before your payment arrived.`,
  left_the_shop: `${laptopName} left the shop before your payment arrived.`,
  booking_cancelled: `You cancelled your booking of ${laptopName} before your payment arrived.`,
  lock_found: `A lock was found on ${laptopName} before your payment arrived, so it cannot be sold now.`,
  paid_twice: `${laptopName} is yours already; this was a second payment for it.`,
  price_changed: `The price of ${laptopName} changed before your payment arrived.`,
  order_cancelled: `The seller of ${laptopName} could not go through with the sale.`,
  not_delivered: `${laptopName} was not delivered to you.`,
  complaint: `Your complaint about ${laptopName} ended with the whole price for you.`,
  charged_back: `Your bank took a part of the price of ${laptopName} back before the laptop was yours, so the sale has ended.`,
  partial: `Your complaint about ${laptopName} ended with a part of the price for you.`,
  by_admin: `The shop gives you money back for ${laptopName}.`,
  made_at_processor: `The shop gives you money back for ${laptopName}.`,
  goodwill: `The shop gives you money back for ${laptopName}, at its own cost.`,
  unexplained: `The shop sent money for ${laptopName} to your card.`,
  wrong_amount: `The amount that arrived for ${laptopName} was not its price.`,
});

export const refundSentence = (reason: RefundReason, laptopName: string): string =>
  refundSentences(laptopName)[reason];

/** What became of a refund, in words to its buyer. */
export const refundStateSentences: Record<keyof typeof refundStates, string> = {
  waiting: 'Your money is yours, and is not on its way to your card yet. Your order shows how that stands.',
  pending: 'Your money is on its way back to your card.',
  done: 'Your money is on its way back to your card.',
  failed: 'Giving your money back to your card has failed; it is still yours, and we look after it.',
  paid_by_bank: 'Your bank gave the money back to you.',
  paid_by_hand: 'The shop has paid the money to you another way.',
};

/** A reason code of the card processor, such as `expired_or_canceled_card`, as words. */
export const formatReason = (reason: string): string => reason.replaceAll('_', ' ');

/** The audit trail's subject for a payment. It names no person, because entries are kept for ever. */
export const paymentSubject = (laptopName: string, transactionId: string): string =>
  `${laptopName}, ${transactionId}`;

/** The shortest interval between two checks of an attempt, in milliseconds. */
export const MINIMUM_CHECK_INTERVAL_MS = 30_000;
const MAXIMUM_CHECK_INTERVAL_MS = HOUR_MS;

/** The age at which an unpaid attempt is canceled at the card processor, in milliseconds. */
export const ABANDONED_MS = DAY_MS;

/** When to check an attempt again: every 30 s at first, less often with its age, at least hourly. */
export function nextCheck(createdAt: Date, now: Date): Date {
  const age = now.getTime() - createdAt.getTime();
  return new Date(
    now.getTime() + Math.min(MAXIMUM_CHECK_INTERVAL_MS, Math.max(MINIMUM_CHECK_INTERVAL_MS, age / 2)),
  );
}

/** The age at which the card processor may have forgotten an idempotency key, with an hour to spare, in milliseconds. */
const KEY_LIFETIME_MS = DAY_MS - HOUR_MS;

/** Whether the card processor may have forgotten the idempotency key of a refund that was requested when it was new. */
export const isKeyForgotten = ({ created_at }: { created_at: Date }, now: Date): boolean =>
  now.getTime() - created_at.getTime() > KEY_LIFETIME_MS;

/** How long a refund waits before the buyer and the admins are told, in milliseconds. Most sellers' money is back within seconds. */
export const NOTIFY_WAITING_AFTER_MS = HOUR_MS;

/** How long a done refund is checked, in milliseconds: the bank can return the money for that long. */
const REFUND_RETURN_MS = 30 * DAY_MS;

/** How long an event's id is kept, in milliseconds. The card processor can send an event again for 30 days. */
export const EVENT_RETENTION_MS = 31 * DAY_MS;

/** When to check an open dispute or a done refund again. */
export const nextDailyCheck = (now: Date): Date => new Date(now.getTime() + DAY_MS);

/** When to check a refund again; null for never. */
export function nextRefundCheck(
  refund: { created_at: Date; done_at: Date | null; attempt: number; card_refund_id: string | null },
  now: Date,
): Date | null {
  // An attempt that the command line started has no job: only this check requests it.
  if (refund.attempt > 1 && refund.card_refund_id === null) return nextCheck(now, now);
  if (refund.done_at === null) return nextCheck(refund.created_at, now);
  return now.getTime() - refund.done_at.getTime() < REFUND_RETURN_MS ? nextDailyCheck(now) : null;
}

/** Whether to email a booking's buyer about its cancellation: not about the buyer's own act. */
export const isCancelledForBuyer = (
  booking: Pick<
    BookedLaptop,
    'order_id' | 'cancelled_at' | 'laptop_state' | 'buyer_ended_at' | 'cancelled_by'
  >,
): boolean =>
  bookingState(booking) === 'Cancelled' &&
  booking.cancelled_by !== 'buyer' &&
  booking.buyer_ended_at === null;

/** A refund that waits for the seller's money or has failed, for the admins' list. */
export interface ListedWaitingRefund {
  id: string;
  order_id: string | null;
  laptop_name: string;
  buyer_name: string;
  seller_name: string;
  amount_cents: number;
  created_at: Date;
  /** The card processor's code; null unless the refund failed. */
  failure_reason: string | null;
  /** Why the card processor refused to take a transfer back, in a sentence; null when it did not. */
  failure: string | null;
  /** Whether a part of the order was transferred to the seller's account. */
  was_transferred: boolean;
  /** Whether that account was closed since, from which nothing can be taken back. */
  is_account_closed: boolean;
  /** Whether a bank has the money while it decides a dispute. */
  is_withheld: boolean;
}

/** Why the card processor refuses a refund during a dispute, and fails one that was pending when the dispute began. */
export const disputeFailures: readonly string[] = [
  'charge_disputed',
  'refund_disputed_payment',
  'charge_for_pending_refund_disputed',
];

/** Why the money of a refund that waits is not back, or why it failed. */
function whyItWaits(refund: ListedWaitingRefund): string {
  const { is_withheld, failure_reason, failure, was_transferred, is_account_closed } = refund;
  if (is_withheld) return 'The buyer’s bank has the money until it has decided a dispute.';
  if (failure_reason === TAKEN_BACK_BY_BANK) {
    return 'The buyer’s bank had paid it in a dispute, and took the money back when the shop won after all.';
  }
  if (failure_reason !== null) {
    return `The buyer’s bank or the card processor did not take it: ${formatReason(failure_reason)}.`;
  }
  if (is_account_closed) {
    return 'The seller’s account at the card processor is closed, so nothing can be taken back from it.';
  }
  if (failure !== null) return `The seller’s account could not give it back: ${failure}`;
  return was_transferred
    ? 'It is being taken back from the seller’s account.'
    : 'The seller was paid outside the card processor, so it cannot be taken back.';
}

/** The response for a refund that waits. */
export const toWaitingRefund = (row: ListedWaitingRefund): WaitingRefund => ({
  _id: row.id,
  ...(row.order_id !== null && { orderId: row.order_id }),
  productName: row.laptop_name,
  buyerName: row.buyer_name,
  sellerName: row.seller_name,
  amount: amountFromCents(row.amount_cents),
  isFailed: row.failure_reason !== null,
  isWithheld: row.is_withheld,
  why: whyItWaits(row),
  since: row.created_at.toISOString(),
});
