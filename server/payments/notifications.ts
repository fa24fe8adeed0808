import * as z from 'zod/mini';
import { toRecipient } from '../accounts/rules.ts';
import { findUser } from '../accounts/steps.ts';
import { findBooking } from '../bookings/steps.ts';
import type { Database } from '../database/tables.ts';
import { job } from '../jobs/queue.ts';
import type { EmailSender } from '../vendors/email.ts';
import { disputeClosedEmail, disputeEscalatedEmail, disputeOpenedEmail } from './dispute-emails.ts';
import * as disputeStore from './dispute-store.ts';
import * as emails from './emails.ts';
import * as refundStore from './refund-store.ts';
import { isCancelledForBuyer } from './rules.ts';
import * as store from './store.ts';

// One job per recipient: an email that the mail server rejects is retried without sending the others again.

export interface NotificationDependencies {
  database: Database;
  emailSender: EmailSender;
  origin: string;
}

/** A laptop was paid for. `tell` is the recipient. */
export const paid = job(
  'payments.paid',
  z.object({ paymentId: z.string(), tell: z.enum(['buyer', 'seller']) }),
);

/** Emails the buyer or the seller about a payment. */
export async function notifyPaid(
  { database, emailSender, origin }: NotificationDependencies,
  { paymentId, tell }: { paymentId: string; tell: 'buyer' | 'seller' },
): Promise<void> {
  const payment = await store.findPaymentById(database, paymentId);
  const booking = payment && (await findBooking(database, payment.booking_id));
  const seller = booking && (await findUser(database, booking.seller_id));
  if (!payment || !booking || !seller) return;
  const sale = { booking, seller: toRecipient(seller), transactionId: payment.transaction_id };
  await emailSender.send(
    tell === 'buyer' ? emails.paidEmailToBuyer(sale, origin) : emails.paidEmailToSeller(sale, origin),
  );
}

/** A booked laptop left the shop unsold. */
export const bookingCancelled = job('payments.booking-cancelled', z.object({ bookingId: z.string() }));

/** Emails a buyer whose booking was cancelled, unless the email about the refund says so. */
export async function notifyBookingCancelled(
  { database, emailSender, origin }: NotificationDependencies,
  bookingId: string,
): Promise<void> {
  const booking = await findBooking(database, bookingId);
  if (!booking || !isCancelledForBuyer(booking)) return;
  const refunds = await refundStore.refundReasonsOf(database, bookingId);
  if (refunds.includes('left_the_shop')) return;
  const mayBeCharged = refunds.length > 0 || (await store.hasOpenIntent(database, bookingId));
  await emailSender.send(emails.cancelledEmail(booking, mayBeCharged, origin));
}

/** A refund succeeded. */
export const refunded = job('payments.refunded', z.object({ refundId: z.string() }));

/** Emails the buyer about a refund, unless it has failed since. */
export async function notifyRefunded(
  { database, emailSender, origin }: NotificationDependencies,
  refundId: string,
): Promise<void> {
  const refund = await refundStore.findRefundById(database, refundId);
  const booking = refund && (await findBooking(database, refund.booking_id));
  if (!refund || !booking || refund.state !== 'done') return;
  await emailSender.send(emails.refundedEmail(booking, refund, origin));
}

/** A refund failed. `adminId` is the recipient; null for the buyer. */
export const refundFailed = job(
  'payments.refund-failed',
  z.object({ refundId: z.string(), failureReason: z.string(), adminId: z.nullable(z.string()) }),
);

/** Emails the buyer, or an admin, about a failed refund. */
export async function notifyRefundFailed(
  { database, emailSender, origin }: NotificationDependencies,
  { refundId, failureReason, adminId }: { refundId: string; failureReason: string; adminId: string | null },
): Promise<void> {
  const refund = await refundStore.findRefundById(database, refundId);
  const booking = refund && (await findBooking(database, refund.booking_id));
  if (!refund || !booking) return;
  if (adminId === null) return emailSender.send(emails.refundFailedEmail(booking, refund, origin));
  const admin = await findUser(database, adminId);
  if (!admin) return;
  await emailSender.send(
    emails.refundFailedEmailToAdmin(toRecipient(admin), { booking, refund, failureReason }, origin),
  );
}

/** `escalated`: an inquiry has become a chargeback. */
const DisputeUpdate = z.enum(['opened', 'escalated', 'closed']);
export type DisputeUpdate = z.infer<typeof DisputeUpdate>;

/** A dispute changed its state. `adminId` is the recipient. */
export const disputeChanged = job(
  'payments.dispute-news',
  z.object({ disputeId: z.string(), tell: DisputeUpdate, adminId: z.string() }),
);

const disputeEmails = {
  opened: disputeOpenedEmail,
  escalated: disputeEscalatedEmail,
  closed: disputeClosedEmail,
} as const;

/** Emails an admin about a dispute, unless it has been closed or opened again since. */
export async function notifyDisputeChanged(
  { database, emailSender, origin }: NotificationDependencies,
  { disputeId, tell, adminId }: { disputeId: string; tell: DisputeUpdate; adminId: string },
): Promise<void> {
  const dispute = await disputeStore.findDispute(database, disputeId);
  const booking = dispute && (await findBooking(database, dispute.booking_id));
  const admin = await findUser(database, adminId);
  if (!dispute || !booking || !admin) return;
  // An outdated email would ask for an answer to a closed dispute, or report an open one as closed.
  if ((tell === 'closed') === (dispute.closed_at === null)) return;
  await emailSender.send(disputeEmails[tell](toRecipient(admin), { booking, dispute }, origin));
}
