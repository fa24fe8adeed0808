import { formatCents } from '#contract/platform/money.ts';
import { refundSettledPosting } from '#server/money/ledger/rules.ts';
import { post } from '#server/money/ledger/steps.ts';
import { type RefundRow, settleByBank } from '#server/money/refunds/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { lostByShopCents } from './dispute-store.ts';

/** Records refunds as settled by a bank in the audit trail. @returns their sum in cents */
async function recordSettled(
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
 * Settles the failed and waiting refunds of a payment of which a bank takes an amount back: the buyer gets that money from the bank.
 * @param subject the payment in the audit trail
 * @returns the settled amount in cents, which the caller posts
 */
export async function settleRefunds(
  transaction: Transaction,
  { transactionId, amountCents }: { transactionId: string; amountCents: number },
  subject: string,
): Promise<number> {
  return recordSettled(transaction, await settleByBank(transaction, transactionId, amountCents), subject);
}

/**
 * Settles a refund that failed after a dispute about its payment was lost: the loss that the shop posted then was this refund. The
 * disputes of the payment must be locked.
 * @param subject the payment in the audit trail
 * @returns whether the refund is settled
 */
export async function settleFailedRefund(
  transaction: Transaction,
  refund: Pick<RefundRow, 'id' | 'transaction_id'>,
  subject: string,
): Promise<boolean> {
  const lostCents = await lostByShopCents(transaction, refund.transaction_id);
  const settled = await settleByBank(transaction, refund.transaction_id, lostCents);
  for (const { id, amount_cents } of settled) {
    await post(transaction, refundSettledPosting(id, amount_cents));
  }
  await recordSettled(transaction, settled, subject);
  return settled.some(({ id }) => id === refund.id);
}
