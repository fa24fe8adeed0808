import * as z from 'zod/mini';
import * as refundStore from '#server/money/refunds/steps.ts';
import { findEmailRecipient } from '#server/people/accounts/steps.ts';
import type { Notice, Recipient } from '#server/people/notifications/rules.ts';
import { type NotificationDependencies, notification } from '#server/people/notifications/steps.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { job } from '#server/platform/jobs/queue.ts';
import { findBooking } from '../bookings/steps.ts';
import { findOrder, findOrderIdOfPayment } from '../orders/steps.ts';
import {
  disputeClosedNotice,
  disputeEscalatedNotice,
  disputeOpenedNotice,
  disputeReinstatedNotice,
  fraudWarningNotice,
} from './dispute-notices.ts';
import * as disputeStore from './dispute-store.ts';
import * as notices from './notices.ts';
import { isCancelledForBuyer } from './rules.ts';
import * as store from './store.ts';

/**
 * A laptop was paid for. `tell` is the recipient: the buyer, unless the sale has ended since; the seller, as long as the laptop is to be
 * handed over or sent.
 */
export const paid = notification(
  'payments.paid',
  z.object({ paymentId: z.string(), tell: z.enum(['buyer', 'seller']) }),
  async ({ database }, { paymentId, tell }) => {
    const payment = await store.findPaymentById(database, paymentId);
    const booking = payment && (await findBooking(database, payment.booking_id));
    const seller = booking && (await findEmailRecipient(database, booking.seller_id));
    const order = payment && (await orderOf(database, payment.transaction_id));
    if (!payment || !booking || !seller || !order) return null;
    const isDue = tell === 'buyer' ? order.stands : order.state === 'held' || order.state === 'to_ship';
    if (!isDue) return null;
    const sale = { booking, seller, transactionId: payment.transaction_id };
    const laptopId = booking.laptop_id;
    return tell === 'buyer'
      ? { userId: booking.buyer_id, laptopId, notice: notices.paidNoticeToBuyer(sale) }
      : { userId: booking.seller_id, laptopId, notice: notices.paidNoticeToSeller(sale) };
  },
);

/** A booked laptop left the shop unsold. The buyer is told, unless the email about the refund says so. */
export const bookingCancelled = notification(
  'payments.booking-cancelled',
  z.object({ bookingId: z.string() }),
  async ({ database }, { bookingId }) => {
    const booking = await findBooking(database, bookingId);
    if (!booking || !isCancelledForBuyer(booking)) return null;
    const refunds = await refundStore.refundReasonsOf(database, bookingId);
    if (refunds.includes('left_the_shop')) return null;
    const mayBeCharged = refunds.length > 0 || (await store.hasOpenIntent(database, bookingId));
    const notice = notices.cancelledNotice(booking, mayBeCharged);
    return { userId: booking.buyer_id, laptopId: booking.laptop_id, notice };
  },
);

/** Reads a refund and its booking. */
async function findRefund(database: Database, refundId: string) {
  const refund = await refundStore.findRefundById(database, refundId);
  const booking = refund && (await findBooking(database, refund.booking_id));
  return refund && booking && { refund, booking };
}

/** A refund succeeded. The buyer is told, unless it has failed since. */
export const refunded = notification(
  'payments.refunded',
  z.object({ refundId: z.string() }),
  async ({ database }, { refundId }) => {
    const found = await findRefund(database, refundId);
    if (found?.refund.state !== 'done') return null;
    const { refund, booking } = found;
    const waitingCents = await refundStore.waitingCents(database, refund.transaction_id);
    const notice = notices.refundedNotice(booking, refund, waitingCents);
    return { userId: booking.buyer_id, laptopId: booking.laptop_id, notice };
  },
);

/** The order of a payment, with its page; undefined without one. */
async function orderOf(database: Database, transactionId: string) {
  const orderId = await findOrderIdOfPayment(database, transactionId);
  return orderId === null ? undefined : findOrder(database, orderId);
}

const pageOf = (order: { id: string } | undefined): Notice['action']['path'] =>
  order === undefined ? '/dashboard/auditTrail' : `/dashboard/order/${order.id}`;

/** Money of a sale goes back without a complaint. The seller is told; the buyer is told when it is on its way. */
export const refundDecided = notification(
  'payments.refund-decided',
  z.object({ refundId: z.string(), amountCents: z.int() }),
  async ({ database }, { refundId, amountCents }) => {
    const found = await findRefund(database, refundId);
    const order = found && (await orderOf(database, found.refund.transaction_id));
    if (!found || !order) return null;
    const { refund, booking } = found;
    const notice = notices.refundDecidedNotice(
      booking,
      { reason: refund.reason, amountCents, note: refund.note },
      {
        path: pageOf(order),
        isRefunded: order.state === 'refunded',
        laptopWithBuyer: order.laptop_with_buyer,
      },
    );
    return { userId: booking.seller_id, laptopId: booking.laptop_id, notice };
  },
);

/** A refund was found that the shop did not make. An admin is told. */
export const refundFound = notification(
  'payments.refund-found',
  z.object({ cardRefundId: z.string(), adminId: z.string() }),
  async ({ database }, { cardRefundId, adminId }) => {
    const refunds = await refundStore.refundsOfCardRefund(database, cardRefundId);
    const [first] = refunds;
    const booking = first && (await findBooking(database, first.booking_id));
    if (!first || !booking) return null;
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
    return { adminId, area: 'money', laptopId: booking.laptop_id, notice };
  },
);

/** The admin who is told; without one, the buyer. */
const toAdminOrBuyer = (adminId: string | null, { buyer_id }: { buyer_id: string }): Recipient =>
  adminId === null ? { userId: buyer_id } : { adminId, area: 'money' };

/**
 * A refund has waited for the seller's money for some time. `adminId` is the recipient, null for the buyer; nobody is told when it does
 * not wait any more.
 */
export const refundWaits = notification(
  'payments.refund-waits',
  z.object({ refundId: z.string(), adminId: z.nullable(z.string()) }),
  async ({ database }, { refundId, adminId }) => {
    const found = await findRefund(database, refundId);
    if (found?.refund.state !== 'waiting') return null;
    const { refund, booking } = found;
    const order = await orderOf(database, refund.transaction_id);
    const notice =
      adminId === null
        ? notices.refundWaitsNotice(booking, refund.amount_cents, pageOf(order))
        : notices.refundWaitsNoticeToAdmin(booking, refund.amount_cents);
    return { ...toAdminOrBuyer(adminId, booking), laptopId: booking.laptop_id, notice };
  },
);

/** A refund failed. `adminId` is the recipient, null for the buyer; nobody is told when it was made or tried again since. */
export const refundFailed = notification(
  'payments.refund-failed',
  z.object({ refundId: z.string(), failureReason: z.string(), adminId: z.nullable(z.string()) }),
  async ({ database }, { refundId, failureReason, adminId }) => {
    const found = await findRefund(database, refundId);
    if (found?.refund.state !== 'failed') return null;
    const { refund, booking } = found;
    const notice =
      adminId === null
        ? notices.refundFailedNotice(booking, refund)
        : notices.refundFailedNoticeToAdmin({ booking, refund, failureReason });
    return { ...toAdminOrBuyer(adminId, booking), laptopId: booking.laptop_id, notice };
  },
);

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

/** A card network warns of fraud. An admin is told. */
export const fraudWarned = notification(
  'payments.fraud-warning-news',
  z.object({ warningId: z.string(), adminId: z.string() }),
  async ({ database }, { warningId, adminId }) => {
    const warning = await disputeStore.findFraudWarning(database, warningId);
    const booking = warning && (await findBooking(database, warning.booking_id));
    if (!warning || !booking) return null;
    const notice = fraudWarningNotice(booking, warning);
    return { adminId, area: 'money', laptopId: booking.laptop_id, notice };
  },
);

/** `escalated`: an inquiry has become a chargeback. */
const DisputeUpdate = z.enum(['opened', 'escalated', 'closed', 'reinstated']);
export type DisputeUpdate = z.infer<typeof DisputeUpdate>;

const disputeNotices = {
  opened: disputeOpenedNotice,
  escalated: disputeEscalatedNotice,
  closed: disputeClosedNotice,
  reinstated: disputeReinstatedNotice,
} as const;

/** A dispute changed its state. An admin is told, unless it has been closed or opened again since. */
export const disputeChanged = notification(
  'payments.dispute-news',
  z.object({ disputeId: z.string(), tell: DisputeUpdate, adminId: z.string() }),
  async ({ database }, { disputeId, tell, adminId }) => {
    const dispute = await disputeStore.findDispute(database, disputeId);
    const booking = dispute && (await findBooking(database, dispute.booking_id));
    if (!dispute || !booking) return null;
    // An outdated notice would ask for an answer to a closed dispute, or report an open one as closed.
    const isAboutEnd = tell === 'closed' || tell === 'reinstated';
    if (isAboutEnd === (dispute.closed_at === null)) return null;
    const notice = disputeNotices[tell]({ booking, dispute });
    return { adminId, area: 'money', laptopId: booking.laptop_id, notice };
  },
);

export const all = [
  paid,
  bookingCancelled,
  refunded,
  refundDecided,
  refundFound,
  refundWaits,
  refundFailed,
  fraudWarned,
  disputeChanged,
];
