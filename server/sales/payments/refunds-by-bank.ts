import { formatCents } from '#contract/platform/money.ts';
import { refundPaidByBankPosting } from '#server/money/ledger/rules.ts';
import { post } from '#server/money/ledger/steps.ts';
import { type RefundRow, setOwedAgain, setPaidByBank } from '#server/money/refunds/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { lostByShopCents, refundsPaidByDispute } from './dispute-store.ts';

/** Records refunds as paid by a bank in the audit trail. @returns their sum in cents */
async function auditRefundsByBank(
  transaction: Transaction,
  refunds: readonly Pick<RefundRow, 'amount_cents'>[],
  subject: string,
): Promise<number> {
  for (const { amount_cents } of refunds) {
    const note = `${formatCents(amount_cents)}; the lost dispute gave the buyer this money`;
    await recordAudit(transaction, { act: 'Refund settled by bank', subject, note });
  }
  return refunds.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

/**
 * A bank takes an amount of a payment back and gives it to the buyer: the payment's failed and waiting refunds of that amount are
 * marked as paid by the bank.
 * @param subject the payment in the audit trail
 * @returns their amount in cents, which the caller posts
 */
export async function recordRefundsByBank(
  transaction: Transaction,
  { transactionId, amountCents }: { transactionId: string; amountCents: number },
  subject: string,
): Promise<number> {
  return auditRefundsByBank(
    transaction,
    await setPaidByBank(transaction, transactionId, amountCents),
    subject,
  );
}

/**
 * A lost dispute was won after all, and the bank took its money back from the buyer: the refunds that it had paid are owed again. They go
 * on when an admin tries them again or pays them by hand.
 * @param subject the payment in the audit trail @returns their amount in cents, which the caller posts
 */
export async function recordRefundsTakenBack(
  transaction: Transaction,
  dispute: { transactionId: string; disputeId: string },
  subject: string,
): Promise<number> {
  const { transactionId } = dispute;
  const owedCents = await setOwedAgain(
    transaction,
    transactionId,
    await refundsPaidByDispute(transaction, dispute),
  );
  if (owedCents > 0) {
    const note = `${formatCents(owedCents)}; the bank took this money of the dispute back from the buyer`;
    await recordAudit(transaction, { act: 'Refund failed', subject, note });
  }
  return owedCents;
}

/**
 * Marks a refund as paid by the bank if it failed after a dispute about its payment was lost: the loss that the shop posted then was this refund. The
 * disputes of the payment must be locked.
 * @param subject the payment in the audit trail
 * @returns whether the refund is paid by the bank
 */
export async function recordFailedRefundByBank(
  transaction: Transaction,
  refund: Pick<RefundRow, 'id' | 'transaction_id'>,
  subject: string,
): Promise<boolean> {
  const lostCents = await lostByShopCents(transaction, refund.transaction_id);
  const paid = await setPaidByBank(transaction, refund.transaction_id, lostCents);
  for (const { id, amount_cents } of paid) {
    await post(transaction, refundPaidByBankPosting(id, amount_cents));
  }
  await auditRefundsByBank(transaction, paid, subject);
  return paid.some(({ id }) => id === refund.id);
}
