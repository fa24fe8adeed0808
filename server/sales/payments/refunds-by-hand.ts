import { formatCents } from '#contract/platform/money.ts';
import { refundPaidByHandPosting } from '#server/money/ledger/rules.ts';
import { post } from '#server/money/ledger/steps.ts';
import * as refundStore from '#server/money/refunds/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { findBooking } from '../bookings/steps.ts';
import { lockDisputesOf } from './dispute-store.ts';
import { paymentSubject } from './rules.ts';

/**
 * Records that an admin paid a failed refund from the shop's bank account. It is not tried again.
 * @param paid.reference the bank's
 * @returns false when it is not failed any more @throws Refusal
 */
export async function payRefundByHand(
  transaction: Transaction,
  admin: Caller,
  { refundId, reference }: { refundId: string; reference: string },
): Promise<boolean> {
  const refund = await refundStore.findRefundById(transaction, refundId);
  if (refund === undefined) throw new Refusal('not_found', 'There is no such refund.');
  // Before the refund, as when a lost dispute settles it.
  await lockDisputesOf(transaction, refund.transaction_id);
  if (await refundStore.isWithheld(transaction, refund.transaction_id)) {
    throw new Refusal(
      'refund_refused',
      'The buyer’s bank disputes this payment and may give the buyer the money. Nothing was recorded. Please wait until the bank has decided.',
    );
  }
  const paid = await refundStore.payFailedByHand(transaction, refundId);
  if (paid === undefined) return false;
  const { amount_cents: amountCents, booking_id, transaction_id } = paid;
  await post(transaction, refundPaidByHandPosting(refundId, amountCents));
  const booking = await findBooking(transaction, booking_id);
  await recordAudit(transaction, {
    adminId: admin.userId,
    act: 'Paid refund by hand',
    subject: paymentSubject(booking?.laptop_name ?? 'A laptop', transaction_id),
    note: `${formatCents(amountCents)}, reference ${reference}`,
  });
  return true;
}
