import * as z from 'zod/mini';
import { lockAccountKeys } from '../accounts/steps.ts';
import { endHold, findBooking } from '../bookings/steps.ts';
import { selectLaptopForUpdate, sellLaptop } from '../catalogue/steps.ts';
import type { Transaction } from '../database/tables.ts';
import { type Enqueue, job } from '../jobs/queue.ts';
import { paymentWithoutSalePosting } from '../ledger/rules.ts';
import { post } from '../ledger/steps.ts';
import type { Commission, OrderedLaptop } from '../orders/rules.ts';
import { openOrder } from '../orders/steps.ts';
import type { CardIntent } from './cards.ts';
import { paid } from './notifications.ts';
import * as refundStore from './refund-store.ts';
import { refundDue } from './refunds.ts';
import { decidePayment, type RefundReason } from './rules.ts';
import * as store from './store.ts';

export { hasPendingRefund } from './refund-store.ts';
export { copyToBookkeeping } from './store.ts';

/** A laptop was sold: its other open attempts are to be closed. */
export const closeLaptopAttempts = job('payments.close-attempts', z.object({ laptopId: z.string() }));

/** A buyer's account has ended: its open attempts are to be closed. */
export const closeBuyerAttempts = job('payments.close-attempts-of-buyer', z.object({ buyerId: z.string() }));

/** The result of settling a captured payment. */
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
 * Settles a captured payment: opens an order, in which the laptop is sold, or inserts a refund when the laptop is
 * no longer available. The only step in which a sale happens. Idempotent per transaction id. The states of the wishlist,
 * the lists and the other bookings follow from these rows.
 * @param intent read from the card processor just now, with status `succeeded`
 * @param commission what the shop charges for this sale
 * @returns null when the intent is none of this shop's
 */
export async function settle(
  transaction: Transaction,
  enqueue: Enqueue,
  intent: CardIntent,
  commission: Commission,
): Promise<Settlement | null> {
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

  const payment = await store.findPayment(transaction, transactionId);
  if (payment !== undefined) return { kind: 'paid', paymentId: payment.id, bookingId: payment.booking_id };
  const refund = await refundStore.findRefund(transaction, transactionId);
  if (refund !== undefined) {
    const { reason, state } = refund;
    return { kind: 'refunded', reason, state, laptopName: laptop.name, bookingId: booking.id };
  }

  const asked = await store.askedCents(transaction, transactionId);
  const decision = decidePayment(intent, booking, laptop, asked);
  const money = { booking_id: booking.id, transaction_id: transactionId, amount_cents: intent.receivedCents };
  if (decision.kind === 'refund') {
    const refundId = await refundStore.insertRefund(transaction, { ...money, reason: decision.reason });
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

  const paymentId = await store.insertPayment(transaction, money);
  const sale = {
    bookingId: booking.id,
    laptopId: laptop.id,
    laptopName: laptop.name,
    buyerId: booking.buyer_id,
    sellerId: laptop.seller_id,
    transactionId,
    priceCents: intent.receivedCents,
  };
  await sellLaptop(transaction, laptop.id, await openOrder(transaction, sale, commission));
  await endHold(transaction, laptop.id);
  await store.endIntent(transaction, transactionId, 'settled');
  await enqueue(transaction, paid, { paymentId, tell: 'buyer' });
  await enqueue(transaction, paid, { paymentId, tell: 'seller' });
  await enqueue(transaction, closeLaptopAttempts, { laptopId: laptop.id });
  return { kind: 'paid', paymentId, bookingId: booking.id };
}

/**
 * Refunds what a move gave back of a locked order, in the transaction of the move. An order gives money back once, so it has
 * one refund; the card processor gets its request under the refund's own idempotency key.
 * @param amountCents `refundCents` of the move
 */
export async function refundOrder(
  transaction: Transaction,
  enqueue: Enqueue,
  order: Pick<OrderedLaptop, 'booking_id' | 'transaction_id'>,
  { amountCents, reason }: { amountCents: number; reason: 'order_cancelled' | 'complaint' | 'partial' },
): Promise<void> {
  const { booking_id, transaction_id } = order;
  const refund = { booking_id, transaction_id, amount_cents: amountCents, reason };
  await enqueue(transaction, refundDue, { refundId: await refundStore.insertRefund(transaction, refund) });
}
