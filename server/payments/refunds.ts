import * as z from 'zod/mini';
import { formatCents } from '#contract/money.ts';
import { activeAdmins } from '../accounts/steps.ts';
import { recordAudit } from '../audit/steps.ts';
import { findBooking } from '../bookings/steps.ts';
import type { Database } from '../database/tables.ts';
import { job } from '../jobs/queue.ts';
import { refundMadePosting, refundReturnedPosting } from '../ledger/rules.ts';
import { post } from '../ledger/steps.ts';
import type { CardRefund } from './cards.ts';
import type { PaymentDependencies } from './dependencies.ts';
import { lockDisputesOf } from './dispute-store.ts';
import { refunded, refundFailed } from './notifications.ts';
import * as refundStore from './refund-store.ts';
import { formatReason, paymentSubject, tomorrow } from './rules.ts';
import { settleFailedRefund } from './settled-refunds.ts';
import { noteFunding } from './unfunded-refunds.ts';

/** A refund is due. Handled by {@link reconcileRefund}. */
export const refundDue = job('payments.refund-due', z.object({ refundId: z.string() }));

/** The card processor sent an event about a refund. Handled by {@link handleRefundEvent}. */
export const refundEvent = job(
  'payments.refund-event',
  z.object({ transactionId: z.string(), cardRefundId: z.string() }),
);

/** The idempotency key of an attempt. The first has no number because attempts were not counted at first. */
const idempotencyKeyOf = ({ id, attempt }: refundStore.RefundRow) =>
  attempt === 1 ? `refund-${id}` : `refund-${id}-${attempt}`;

/** The reference of an attempt in the ledger. */
const attemptReference = ({ id, attempt }: refundStore.RefundRow) => `${id}-${attempt}`;

/**
 * Applies the card processor's status to a refund, records it in the audit trail and queues the emails. An outdated
 * status changes nothing.
 */
export async function applyRefund(
  { database, enqueue }: Pick<PaymentDependencies, 'database' | 'enqueue'>,
  refund: refundStore.RefundRow,
  card: Pick<CardRefund, 'status' | 'failureReason' | 'pendingReason'>,
): Promise<void> {
  if (card.status === 'pending') return noteFunding({ database, enqueue }, refund, card);
  const booking = await findBooking(database, refund.booking_id);
  const subject = paymentSubject(booking?.laptop_name ?? 'A laptop', refund.transaction_id);
  const amount = formatCents(refund.amount_cents);
  await database.transaction().execute(async (transaction) => {
    if (card.status === 'succeeded') {
      if (!(await refundStore.finishRefund(transaction, refund, tomorrow(new Date())))) return;
      await post(transaction, refundMadePosting(attemptReference(refund), refund.amount_cents));
      await enqueue(transaction, refunded, { refundId: refund.id });
      // A first attempt that succeeds is the normal case and not recorded.
      if (refund.attempt === 1) return;
      const note = `${amount}, attempt ${refund.attempt}`;
      return recordAudit(transaction, { act: 'Refund went through', subject, note });
    }
    const failureReason = card.failureReason ?? 'unknown';
    // Before the refund, as a decision of the bank does: then the two never wait for each other.
    await lockDisputesOf(transaction, refund.transaction_id);
    const before = await refundStore.failRefund(transaction, refund, failureReason);
    if (before === null) return;
    if (before === 'done') {
      await post(transaction, refundReturnedPosting(attemptReference(refund), refund.amount_cents));
    }
    const note = `${amount}, attempt ${refund.attempt}: ${formatReason(failureReason)}`;
    await recordAudit(transaction, { act: 'Refund failed', subject, note });
    if (await settleFailedRefund(transaction, refund.transaction_id, subject)) return;
    const recipients = [null, ...(await activeAdmins(transaction)).map(({ id }) => id)];
    for (const adminId of recipients) {
      await enqueue(transaction, refundFailed, { refundId: refund.id, failureReason, adminId });
    }
  });
}

/**
 * Creates the refund at the card processor unless that was done before, and applies its current status. Idempotent.
 * @throws CardProcessorUnavailable
 */
export async function reconcileRefund(dependencies: PaymentDependencies, refundId: string): Promise<void> {
  const { database, cards } = dependencies;
  const refund = await refundStore.findRefundById(database, refundId);
  if (refund === undefined || refund.state === 'failed' || refund.state === 'settled_by_bank') return;
  let cardRefundId = refund.card_refund_id;
  if (cardRefundId === null) {
    // Refunded by a version that did not store the id.
    if (refund.state === 'done') return;
    const created = await cards.refund({
      transactionId: refund.transaction_id,
      amountCents: refund.amount_cents,
      idempotencyKey: idempotencyKeyOf(refund),
    });
    if (created.refundId === null) return applyRefund(dependencies, refund, created);
    cardRefundId = created.refundId;
    await refundStore.setProviderId(database, refund, cardRefundId);
  }
  const card = await cards.readRefund(cardRefundId);
  if (card !== null) return applyRefund(dependencies, refund, card);
  // The card processor does not know this refund, so a pending one will never succeed. A done one stays done.
  if (refund.state === 'pending') {
    return applyRefund(dependencies, refund, {
      status: 'failed',
      failureReason: 'unknown_to_the_card_processor',
      pendingReason: null,
    });
  }
}

/** Handles {@link refundEvent}: reads the current status of the shop's refund and applies it. */
export async function handleRefundEvent(
  dependencies: PaymentDependencies,
  { transactionId, cardRefundId }: { transactionId: string; cardRefundId: string },
): Promise<void> {
  const { database, cards } = dependencies;
  const refund = await refundStore.findRefund(database, transactionId);
  if (refund === undefined) return;
  if (refund.card_refund_id === null) {
    // Either the job that creates the refund is still running and will read its status, or the event is about an
    // earlier attempt.
    if (refund.state !== 'done') return;
    const card = await cards.readRefund(cardRefundId);
    if (card?.transactionId !== transactionId) return;
    await refundStore.setProviderId(database, refund, cardRefundId);
  }
  await reconcileRefund(dependencies, refund.id);
}

/** The result of retrying a refund. */
export type RefundRetry =
  | { kind: Exclude<refundStore.RefundRow['state'], 'failed'> }
  /** `amount` is formatted; `subject` is the audit trail's. */
  | { kind: 'begun'; attempt: number; amount: string; subject: string };

/**
 * Starts the next attempt at a failed refund and records it in the audit trail. The next reconciliation of a running
 * shop requests it from the card processor, with an idempotency key of its own.
 * @returns null when there is no refund for this transaction
 */
export function retryRefund(database: Database, transactionId: string): Promise<RefundRetry | null> {
  return database.transaction().execute(async (transaction): Promise<RefundRetry | null> => {
    const begun = await refundStore.beginAgain(transaction, transactionId);
    if (begun === undefined) {
      const refund = await refundStore.findRefund(transaction, transactionId);
      if (refund === undefined) return null;
      return { kind: refund.state === 'failed' ? 'pending' : refund.state };
    }
    const booking = await findBooking(transaction, begun.booking_id);
    const { attempt } = begun;
    const amount = formatCents(begun.amount_cents);
    const subject = paymentSubject(booking?.laptop_name ?? 'A laptop', transactionId);
    await recordAudit(transaction, {
      act: 'Tried refund again',
      subject,
      note: `${amount}, attempt ${attempt}`,
    });
    return { kind: 'begun', attempt, amount, subject };
  });
}
