import { recordAudit } from '../audit/steps.ts';
import { findBooking } from '../bookings/steps.ts';
import type { Database } from '../database/tables.ts';
import * as refundStore from './refund-store.ts';
import { formatCents, paymentSubject } from './rules.ts';

/** The result of retrying a refund. */
export type RefundRetry =
  | { kind: 'pending' | 'done' }
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
      return refund === undefined ? null : { kind: refund.state === 'done' ? 'done' : 'pending' };
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
