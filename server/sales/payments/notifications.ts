import * as z from 'zod/mini';
import * as refundStore from '#server/money/refunds/steps.ts';
import { findEmailRecipient } from '#server/people/accounts/steps.ts';
import type { Notice, Notifier, Recipient } from '#server/people/notifications/rules.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { job } from '#server/platform/jobs/queue.ts';
import { findBooking } from '../bookings/steps.ts';
import { findOrder, findOrderIdOfPayment } from '../orders/steps.ts';
import {
  disputeClosedNotice,
  disputeEscalatedNotice,
  disputeOpenedNotice,
  disputeReinstatedNotice,
} from './dispute-notices.ts';
import * as disputeStore from './dispute-store.ts';
import { fraudWarningNotice } from './fraud-warning-notice.ts';
import { findFraudWarning } from './fraud-warning-store.ts';
import * as notices from './notices.ts';
import { isCancelledForBuyer } from './rules.ts';
import * as store from './store.ts';

// One job per recipient: an email that the mail server rejects is retried without notifying the others again.

export interface NotificationDependencies {
  database: Database;
  notifier: Notifier;
}

/** A laptop was paid for. `tell` is the recipient. */
export const paid = job(
  'payments.paid',
  z.object({ paymentId: z.string(), tell: z.enum(['buyer', 'seller']) }),
);

/** Notifies the buyer or the seller about a payment. */
export async function notifyPaid(
  { database, notifier }: NotificationDependencies,
  { paymentId, tell }: { paymentId: string; tell: 'buyer' | 'seller' },
  jobId: string,
): Promise<void> {
  const payment = await store.findPaymentById(database, paymentId);
  const booking = payment && (await findBooking(database, payment.booking_id));
  const seller = booking && (await findEmailRecipient(database, booking.seller_id));
  if (!payment || !booking || !seller) return;
  const sale = { booking, seller, transactionId: payment.transaction_id };
  const [userId, notice] =
    tell === 'buyer'
      ? [booking.buyer_id, notices.paidNoticeToBuyer(sale)]
      : [booking.seller_id, notices.paidNoticeToSeller(sale)];
  await notifier.notify({ userId, event: jobId, laptopId: booking.laptop_id }, notice);
}

/** A booked laptop left the shop unsold. */
export const bookingCancelled = job('payments.booking-cancelled', z.object({ bookingId: z.string() }));

/** Notifies a buyer whose booking was cancelled, unless the email about the refund says so. */
export async function notifyBookingCancelled(
  { database, notifier }: NotificationDependencies,
  bookingId: string,
  jobId: string,
): Promise<void> {
  const booking = await findBooking(database, bookingId);
  if (!booking || !isCancelledForBuyer(booking)) return;
  const refunds = await refundStore.refundReasonsOf(database, bookingId);
  if (refunds.includes('left_the_shop')) return;
  const mayBeCharged = refunds.length > 0 || (await store.hasOpenIntent(database, bookingId));
  await notifier.notify(
    { userId: booking.buyer_id, event: jobId, laptopId: booking.laptop_id },
    notices.cancelledNotice(booking, mayBeCharged),
  );
}

/** A refund succeeded. */
export const refunded = job('payments.refunded', z.object({ refundId: z.string() }));

/** Notifies the buyer about a refund, unless it has failed since. */
export async function notifyRefunded(
  { database, notifier }: NotificationDependencies,
  refundId: string,
  jobId: string,
): Promise<void> {
  const refund = await refundStore.findRefundById(database, refundId);
  const booking = refund && (await findBooking(database, refund.booking_id));
  if (!refund || !booking || refund.state !== 'done') return;
  const waitingCents = await refundStore.waitingCents(database, refund.transaction_id);
  const notice = notices.refundedNotice(booking, refund, waitingCents);
  await notifier.notify({ userId: booking.buyer_id, event: jobId, laptopId: booking.laptop_id }, notice);
}

/** The order of a payment, with its page; undefined without one. */
async function orderOf(database: Database, transactionId: string) {
  const orderId = await findOrderIdOfPayment(database, transactionId);
  return orderId === null ? undefined : findOrder(database, orderId);
}

const pageOf = (order: { id: string } | undefined): Notice['action']['path'] =>
  order === undefined ? '/dashboard/auditTrail' : `/dashboard/order/${order.id}`;

/** Money of a sale goes back without a complaint. The seller is told; the buyer is told when it is on its way. */
export const refundDecided = job(
  'payments.refund-decided',
  z.object({ refundId: z.string(), amountCents: z.int() }),
);

/** Notifies the seller about a refund that the shop decided. */
export async function notifyRefundDecided(
  { database, notifier }: NotificationDependencies,
  { refundId, amountCents }: { refundId: string; amountCents: number },
  jobId: string,
): Promise<void> {
  const refund = await refundStore.findRefundById(database, refundId);
  const booking = refund && (await findBooking(database, refund.booking_id));
  const order = refund && (await orderOf(database, refund.transaction_id));
  if (!refund || !booking || !order) return;
  const notice = notices.refundDecidedNotice(
    booking,
    { reason: refund.reason, amountCents, note: refund.note },
    {
      path: pageOf(order),
      isRefunded: order.state === 'refunded',
      laptopWithBuyer: order.laptop_with_buyer,
    },
  );
  await notifier.notify({ userId: booking.seller_id, event: jobId, laptopId: booking.laptop_id }, notice);
}

/** A refund was found that the shop did not make. */
export const refundFound = job(
  'payments.refund-found',
  z.object({ cardRefundId: z.string(), adminId: z.string() }),
);

/** Notifies an admin about a refund that the shop did not make. */
export async function notifyRefundFound(
  { database, notifier }: NotificationDependencies,
  { cardRefundId, adminId }: { cardRefundId: string; adminId: string },
  jobId: string,
): Promise<void> {
  const refunds = await refundStore.refundsOfCardRefund(database, cardRefundId);
  const [first] = refunds;
  const booking = first && (await findBooking(database, first.booking_id));
  if (!first || !booking) return;
  const order = await orderOf(database, first.transaction_id);
  const sum = (counted: typeof refunds) =>
    counted.reduce((total, { amount_cents }) => total + amount_cents, 0);
  const found = {
    amountCents: sum(refunds),
    unexplainedCents: sum(refunds.filter(({ reason }) => reason === 'unexplained')),
    orderState: order?.state ?? null,
    cardRefundId,
  };
  const notice = notices.refundFoundNotice(booking, found, pageOf(order));
  await notifier.notify({ adminId, area: 'money', event: jobId, laptopId: booking.laptop_id }, notice);
}

/** The admin who is told; without one, the buyer. */
const toAdminOrBuyer = (adminId: string | null, { buyer_id }: { buyer_id: string }): Recipient =>
  adminId === null ? { userId: buyer_id } : { adminId, area: 'money' };

/** A refund has waited for the seller's money for some time. `adminId` is the recipient; null for the buyer. */
export const refundWaits = job(
  'payments.refund-waits',
  z.object({ refundId: z.string(), adminId: z.nullable(z.string()) }),
);

/** Notifies the buyer, or an admin, about a refund that waits, unless it does not wait any more. */
export async function notifyRefundWaits(
  { database, notifier }: NotificationDependencies,
  { refundId, adminId }: { refundId: string; adminId: string | null },
  jobId: string,
): Promise<void> {
  const refund = await refundStore.findRefundById(database, refundId);
  const booking = refund && (await findBooking(database, refund.booking_id));
  if (!refund || !booking || refund.state !== 'waiting') return;
  const order = await orderOf(database, refund.transaction_id);
  const notice =
    adminId === null
      ? notices.refundWaitsNotice(booking, refund.amount_cents, pageOf(order))
      : notices.refundWaitsNoticeToAdmin(booking, refund.amount_cents);
  await notifier.notify(
    { ...toAdminOrBuyer(adminId, booking), event: jobId, laptopId: booking.laptop_id },
    notice,
  );
}

/** A refund failed. `adminId` is the recipient; null for the buyer. */
export const refundFailed = job(
  'payments.refund-failed',
  z.object({ refundId: z.string(), failureReason: z.string(), adminId: z.nullable(z.string()) }),
);

/** Notifies the buyer, or an admin, about a failed refund. */
export async function notifyRefundFailed(
  { database, notifier }: NotificationDependencies,
  { refundId, failureReason, adminId }: { refundId: string; failureReason: string; adminId: string | null },
  jobId: string,
): Promise<void> {
  const refund = await refundStore.findRefundById(database, refundId);
  const booking = refund && (await findBooking(database, refund.booking_id));
  if (!refund || !booking) return;
  const notice =
    adminId === null
      ? notices.refundFailedNotice(booking, refund)
      : notices.refundFailedNoticeToAdmin({ booking, refund, failureReason });
  await notifier.notify(
    { ...toAdminOrBuyer(adminId, booking), event: jobId, laptopId: booking.laptop_id },
    notice,
  );
}

/** A refund waits for funds in the balance at the card processor. `adminId` is the recipient; null for the log. */
export const refundUnfunded = job(
  'payments.refund-unfunded',
  z.object({ refundId: z.string(), adminId: z.nullable(z.string()) }),
);

/** Tells an admin, or the log, of a refund that waits for funds, unless it does no longer. */
export async function notifyRefundUnfunded(
  { database, notifier }: NotificationDependencies,
  { refundId, adminId }: { refundId: string; adminId: string | null },
  { jobId, warn }: { jobId: string; warn(refund: object): void },
): Promise<void> {
  const refund = await refundStore.findRefundById(database, refundId);
  if (refund?.state !== 'pending' || refund.unfunded_attempt !== refund.attempt) return;
  const { amount_cents: amountCents, transaction_id: transaction } = refund;
  if (adminId === null) return warn({ refund: refundId, transaction, amountCents });
  await notifier.notify({ adminId, area: 'money', event: jobId }, notices.refundUnfundedNotice(refund));
}

/** A card network warns of fraud. `adminId` is the recipient. */
export const fraudWarned = job(
  'payments.fraud-warning-news',
  z.object({ warningId: z.string(), adminId: z.string() }),
);

/** Tells an admin of an early fraud warning. */
export async function notifyFraudWarning(
  { database, notifier }: NotificationDependencies,
  { warningId, adminId }: { warningId: string; adminId: string },
  jobId: string,
): Promise<void> {
  const warning = await findFraudWarning(database, warningId);
  const booking = warning && (await findBooking(database, warning.booking_id));
  if (!warning || !booking) return;
  await notifier.notify(
    { adminId, area: 'money', event: jobId, laptopId: booking.laptop_id },
    fraudWarningNotice(booking, warning),
  );
}

/** `escalated`: an inquiry has become a chargeback. */
const DisputeUpdate = z.enum(['opened', 'escalated', 'closed', 'reinstated']);
export type DisputeUpdate = z.infer<typeof DisputeUpdate>;

/** A dispute changed its state. `adminId` is the recipient. */
export const disputeChanged = job(
  'payments.dispute-news',
  z.object({ disputeId: z.string(), tell: DisputeUpdate, adminId: z.string() }),
);

const disputeNotices = {
  opened: disputeOpenedNotice,
  escalated: disputeEscalatedNotice,
  closed: disputeClosedNotice,
  reinstated: disputeReinstatedNotice,
} as const;

/** Notifies an admin about a dispute, unless it has been closed or opened again since. */
export async function notifyDisputeChanged(
  { database, notifier }: NotificationDependencies,
  { disputeId, tell, adminId }: { disputeId: string; tell: DisputeUpdate; adminId: string },
  jobId: string,
): Promise<void> {
  const dispute = await disputeStore.findDispute(database, disputeId);
  const booking = dispute && (await findBooking(database, dispute.booking_id));
  if (!dispute || !booking) return;
  // An outdated notice would ask for an answer to a closed dispute, or report an open one as closed.
  const isAboutEnd = tell === 'closed' || tell === 'reinstated';
  if (isAboutEnd === (dispute.closed_at === null)) return;
  await notifier.notify(
    { adminId, area: 'money', event: jobId, laptopId: booking.laptop_id },
    disputeNotices[tell]({ booking, dispute }),
  );
}
