import * as z from 'zod/mini';
import type { Commission } from '#contract/money/commission.ts';
import { selectLaptopForUpdate, sellLaptop } from '#server/listings/catalogue/steps.ts';
import { paymentWithoutSalePosting } from '#server/money/ledger/rules.ts';
import { post } from '#server/money/ledger/steps.ts';
import type { RefundReason } from '#server/money/refunds/rules.ts';
import * as refundStore from '#server/money/refunds/steps.ts';
import { refundDue } from '#server/money/refunds/steps.ts';
import { lockAccountKeys } from '#server/people/accounts/steps.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { type Enqueue, job } from '#server/platform/jobs/queue.ts';
import { deletePaymentWindow, findBooking } from '../bookings/steps.ts';
import { findOrderIdOfPayment, openOrder } from '../orders/steps.ts';
import type { CardIntent } from './card-processor.ts';
import { paid } from './notifications.ts';
import { decidePayment } from './rules.ts';
import * as store from './store.ts';

export { copyToBookkeeping } from './store.ts';

/** A laptop was sold: its other open attempts are to be closed. */
export const closeLaptopAttempts = job(
  'payments.close-attempts',
  z.object({ laptopId: z.string() }),
  'cards',
);

/**
 * A laptop left the shop unsold: its open attempts are to be closed, and the buyers of its bookings told. `at` is the database's time,
 * ISO 8601 in UTC.
 */
export const laptopUnavailable = job(
  'payments.laptop-unavailable',
  z.object({ laptopId: z.string(), at: z.iso.datetime() }),
  'cards',
  // A seller may withdraw many at once: payments that were just made come first.
  -1,
);

/** An account has ended: its open attempts are to be closed, and its customer deleted at the card processor. */
export const buyerEnded = job('payments.buyer-ended', z.object({ buyerId: z.string() }), 'cards');

/** The result of a captured payment. */
export type PaymentOutcome =
  | { kind: 'paid'; orderId: string; bookingId: string }
  | {
      kind: 'refunded';
      reason: RefundReason;
      state: refundStore.RefundRow['state'];
      laptopName: string;
      bookingId: string;
    };

/**
 * Applies a captured payment: opens an order, in which the laptop is sold, or inserts a refund when the laptop is
 * no longer available. The only step in which a sale happens. Idempotent per transaction id. The states of the wishlist,
 * the lists and the other bookings follow from these rows.
 * @param intent read from the card processor just now, with status `succeeded`
 * @param commission what the shop charges for this sale
 * @returns null when the intent is none of this shop's
 */
export async function sellOrRefund(
  transaction: Transaction,
  enqueue: Enqueue,
  intent: CardIntent,
  commission: Commission,
): Promise<PaymentOutcome | null> {
  const { transactionId, bookingId } = intent;
  const known =
    bookingId !== null && z.safeParse(z.uuid(), bookingId).success
      ? await findBooking(transaction, bookingId)
      : undefined;
  if (known === undefined) return null;

  // The order and the ledger refer to both accounts.
  await lockAccountKeys(transaction, [known.buyer_id, known.seller_id]);
  // The laptop's row lock serializes all payments for it; the booking is read again under the lock.
  const laptop = await selectLaptopForUpdate(transaction, known.laptop_id);
  const booking = await findBooking(transaction, known.id);
  if (laptop === undefined || booking === undefined) return null;

  const paidOrderId = await findOrderIdOfPayment(transaction, transactionId);
  if (paidOrderId !== null) return { kind: 'paid', orderId: paidOrderId, bookingId: booking.id };
  const refund = await refundStore.findRefund(transaction, transactionId);
  if (refund !== undefined) {
    const { reason, state } = refund;
    return { kind: 'refunded', reason, state, laptopName: laptop.name, bookingId: booking.id };
  }

  const asked = await store.attemptCents(transaction, transactionId);
  const decision = decidePayment(intent, booking, laptop, asked);
  if (decision.kind === 'refund') {
    const refundId = await refundStore.insertRefund(transaction, {
      booking_id: booking.id,
      transaction_id: transactionId,
      amount_cents: intent.receivedCents,
      reason: decision.reason,
    });
    await post(transaction, paymentWithoutSalePosting(transactionId, intent.receivedCents));
    await store.endIntent(transaction, transactionId, 'refunded');
    await enqueue(transaction, refundDue, { refundId });
    return {
      kind: 'refunded',
      reason: decision.reason,
      state: 'pending',
      laptopName: laptop.name,
      bookingId: booking.id,
    };
  }

  const sale = {
    bookingId: booking.id,
    laptopId: laptop.id,
    laptopName: laptop.name,
    buyerId: booking.buyer_id,
    sellerId: laptop.seller_id,
    transactionId,
    priceCents: decision.priceCents,
    delivery: booking.delivery,
  };
  const orderId = await openOrder(transaction, sale, commission);
  await sellLaptop(transaction, laptop.id, orderId);
  await deletePaymentWindow(transaction, laptop.id);
  await store.endIntent(transaction, transactionId, 'sold');
  await enqueue(transaction, paid, { orderId });
  await enqueue(transaction, closeLaptopAttempts, { laptopId: laptop.id });
  return { kind: 'paid', orderId, bookingId: booking.id };
}
