import * as z from 'zod/mini';
import { dollarsFromCents, formatDollars } from '#contract/scalars.ts';
import { findBooking, payBooking } from '../bookings/steps.ts';
import { lockLaptop, sellLaptop } from '../catalogue/steps.ts';
import type { Transaction } from '../database/tables.ts';
import { type Enqueue, job } from '../jobs/queue.ts';
import type { CardIntent } from './cards.ts';
import * as refundStore from './refund-store.ts';
import { judge, moneySubject, type RefundReason } from './rules.ts';
import * as store from './store.ts';

/** A laptop was paid for: its buyer and its seller are told by mail, each by a job of their own. */
export const paid = job(
  'payments.paid',
  z.object({ paymentId: z.string(), tell: z.enum(['buyer', 'seller']) }),
);

/** Money is to be given back at the card provider. */
export const refundDue = job('payments.refund-due', z.object({ refundId: z.string() }));

/** Money was given back: its buyer is told by mail. */
export const refunded = job('payments.refunded', z.object({ refundId: z.string() }));

/** A refund failed: its buyer is told by mail, and each admin, each by a job of their own. */
export const refundFailed = job(
  'payments.refund-failed',
  z.object({
    refundId: z.string(),
    failureReason: z.string(),
    /** Who is told; null for the buyer. */
    adminId: z.nullable(z.string()),
  }),
);

/** `escalated`: an inquiry has become a chargeback. */
const DisputeLetter = z.enum(['opened', 'escalated', 'closed']);
export type DisputeLetter = z.infer<typeof DisputeLetter>;

/** A dispute came to another state: each admin is told by mail, each by a job of their own. */
export const disputeNews = job(
  'payments.dispute-news',
  z.object({ disputeId: z.string(), tell: DisputeLetter, adminId: z.string() }),
);

/** A booked laptop left the shop unsold: its buyer is told by mail. */
export const bookingCancelled = job('payments.booking-cancelled', z.object({ bookingId: z.string() }));

/** A laptop can no longer be paid for: open attempts at it are to be canceled at the card provider. */
export const closeAttempts = job('payments.close-attempts', z.object({ laptopId: z.string() }));

/** A buyer's account has ended: open attempts at paying are to be canceled at the card provider. */
export const closeAttemptsOfBuyer = job(
  'payments.close-attempts-of-buyer',
  z.object({ buyerId: z.string() }),
);

/** How taken money ended. */
export type Settlement =
  | { kind: 'paid'; paymentId: string; bookingId: string }
  | {
      kind: 'refunded';
      reason: RefundReason;
      state: 'pending' | 'done' | 'failed';
      laptopName: string;
      bookingId: string;
    };

/**
 * The one step in which a sale happens: marks the booking as paid and the laptop as sold, or, when the laptop cannot
 * be had any more, writes down that the money goes back. Once per transaction id, however often and from wherever it
 * is called; everything else about the sale (the wishlist, the lists, the other bookings) follows from these rows.
 * @param intent as the card provider just told it, with status `succeeded`
 * @returns null when the intent is none of this shop's
 */
export async function settle(
  transaction: Transaction,
  enqueue: Enqueue,
  intent: CardIntent,
): Promise<Settlement | null> {
  const { transactionId, bookingId } = intent;
  const known =
    bookingId !== null && z.safeParse(z.uuid(), bookingId).success
      ? await findBooking(transaction, bookingId)
      : null;
  if (known === null) return null;

  // The laptop's lock puts all payments for it in line; what was read before it is read again behind it.
  const laptop = await lockLaptop(transaction, known.laptop_id);
  const booking = await findBooking(transaction, known.id);
  if (laptop === null || booking === null) return null;

  const payment = await store.findPayment(transaction, transactionId);
  if (payment !== undefined) return { kind: 'paid', paymentId: payment.id, bookingId: payment.booking_id };
  const refund = await refundStore.findRefund(transaction, transactionId);
  if (refund !== undefined) {
    const { reason, state } = refund;
    return { kind: 'refunded', reason, state, laptopName: laptop.name, bookingId: booking.id };
  }

  const verdict = judge(intent, booking, laptop);
  const money = { booking_id: booking.id, transaction_id: transactionId, amount_cents: intent.receivedCents };
  if (verdict.kind === 'refund') {
    const refundId = await refundStore.insertRefund(transaction, { ...money, reason: verdict.reason });
    await store.endIntent(transaction, transactionId, 'refunded');
    await enqueue(transaction, refundDue, { refundId });
    return {
      kind: 'refunded',
      reason: verdict.reason,
      state: 'pending',
      laptopName: laptop.name,
      bookingId: booking.id,
    };
  }

  await payBooking(transaction, booking, transactionId);
  const paymentId = await store.insertPayment(transaction, money);
  await sellLaptop(transaction, laptop.id, booking.buyer_id);
  await store.endIntent(transaction, transactionId, 'settled');
  await enqueue(transaction, paid, { paymentId, tell: 'buyer' });
  await enqueue(transaction, paid, { paymentId, tell: 'seller' });
  await enqueue(transaction, closeAttempts, { laptopId: laptop.id });
  return { kind: 'paid', paymentId, bookingId: booking.id };
}

/** Whether money is on its way back to a buyer. */
export function awaitsRefund(transaction: Transaction, buyerId: string): Promise<boolean> {
  return refundStore.hasPendingRefund(transaction, buyerId);
}

/**
 * Keeps for bookkeeping who paid and who was paid, before the account's own row loses its name.
 * @returns in how many payments and refunds that was
 */
export function keepForBookkeeping(
  transaction: Transaction,
  person: { id: string; name: string; email: string },
): Promise<number> {
  return store.keepParty(transaction, person);
}

/** What came of wanting to try a failed refund again. */
export type Retrial =
  | { kind: 'pending' | 'done' }
  /** `amount` in words, and `subject` as the audit trail names it. */
  | { kind: 'begun'; attempt: number; amount: string; subject: string };

/**
 * Begins the next attempt at a failed refund. It is due at once: the next reconciliation of a running shop asks the
 * card provider for it, under a key of its own.
 * @returns null when there is no refund of this transaction
 */
export async function tryRefundAgain(
  transaction: Transaction,
  transactionId: string,
): Promise<Retrial | null> {
  const begun = await refundStore.beginAgain(transaction, transactionId);
  if (begun === undefined) {
    const refund = await refundStore.findRefund(transaction, transactionId);
    return refund === undefined ? null : { kind: refund.state === 'done' ? 'done' : 'pending' };
  }
  const booking = await findBooking(transaction, begun.booking_id);
  return {
    kind: 'begun',
    attempt: begun.attempt,
    amount: formatDollars(dollarsFromCents(begun.amount_cents)),
    subject: moneySubject(booking?.laptop_name ?? 'A laptop', transactionId),
  };
}
