import { formatCents } from '#contract/platform/money.ts';
import {
  refundMadePosting,
  refundReturnedPosting,
  unexplainedRefundReturnedPosting,
} from '#server/money/ledger/rules.ts';
import { post } from '#server/money/ledger/steps.ts';
import { refundReference } from '#server/money/refunds/rules.ts';
import * as refundStore from '#server/money/refunds/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import { findBooking } from '../bookings/steps.ts';
import type { CardRefund } from './card-processor.ts';
import type { PaymentDependencies } from './dependencies.ts';
import { lockDisputesOf } from './dispute-store.ts';
import { refunded, refundFailed, refundUnfunded } from './notifications.ts';
import { recordFailedRefundByBank } from './refunds-by-bank.ts';
import { formatReason, nextDailyCheck, paymentSubject } from './rules.ts';

/**
 * Notes whether a pending refund waits for funds in the balance at the card processor. Each admin and the log are told once per
 * attempt, because an operator has to add the funds.
 */
async function noteFunding(
  { database, enqueue, logger }: Pick<PaymentDependencies, 'database' | 'enqueue' | 'logger'>,
  refund: refundStore.RefundRow,
  { pendingReason }: Pick<CardRefund, 'pendingReason'>,
): Promise<void> {
  const isUnfunded = pendingReason === 'funds';
  if (isUnfunded === (refund.unfunded_attempt === refund.attempt)) return;
  const isNew = await database.transaction().execute(async (transaction) => {
    const isChanged = await refundStore.setUnfunded(transaction, refund, isUnfunded);
    if (isChanged && isUnfunded) await enqueue(transaction, refundUnfunded, { refundId: refund.id });
    return isChanged && isUnfunded;
  });
  if (!isNew) return;
  const { id, transaction_id: transaction, amount_cents: amountCents } = refund;
  logger.warn(
    { refund: id, transaction, amountCents },
    'a refund waits for funds in the balance at the card processor',
  );
}

/**
 * Applies the card processor's status to a refund, records it in the audit trail and queues the emails. An outdated
 * status changes nothing.
 */
export async function applyRefund(
  { database, enqueue, logger }: Pick<PaymentDependencies, 'database' | 'enqueue' | 'logger'>,
  refund: refundStore.RefundRow,
  card: Pick<CardRefund, 'status' | 'failureReason' | 'pendingReason'>,
): Promise<void> {
  if (card.status === 'pending') return noteFunding({ database, enqueue, logger }, refund, card);
  const booking = await findBooking(database, refund.booking_id);
  const subject = paymentSubject(booking?.laptop_name ?? 'A laptop', refund.transaction_id);
  const amount = formatCents(refund.amount_cents);
  const reference = refundReference(refund);
  const isExplained = refund.reason !== 'unexplained';
  await database.transaction().execute(async (transaction) => {
    if (card.status === 'succeeded') {
      if (!(await refundStore.finishRefund(transaction, refund, nextDailyCheck(new Date())))) return;
      await post(transaction, refundMadePosting(reference, refund.amount_cents));
      if (isExplained) await enqueue(transaction, refunded, { refundId: refund.id });
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
    if (before === 'done') await post(transaction, refundReturnedPosting(reference, refund.amount_cents));
    if (!isExplained) {
      await post(transaction, unexplainedRefundReturnedPosting(reference, refund.amount_cents));
    }
    const note = `${amount}, attempt ${refund.attempt}: ${formatReason(failureReason)}`;
    await recordAudit(transaction, { act: 'Refund failed', subject, note });
    if (await recordFailedRefundByBank(transaction, refund, subject)) return;
    if (isExplained) await enqueue(transaction, refundFailed, { refundId: refund.id, failureReason });
  });
}
