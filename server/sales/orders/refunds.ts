import { commissionAfterRefund } from '#server/money/ledger/rules.ts';
import type { RefundReason } from '#server/money/refunds/rules.ts';
import * as refundStore from '#server/money/refunds/steps.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { type OrderedLaptop, toLedgerOrder } from './rules.ts';

/** The part of a refund that the seller got already, in cents: it waits until the money is back. */
async function waitingPart(
  transaction: Transaction,
  order: OrderedLaptop,
  amountCents: number,
): Promise<number> {
  if (order.released_at === null) return 0;
  const { id, sellerId, refundedCents, ...sale } = toLedgerOrder(order);
  const commissionCents =
    commissionAfterRefund(sale, refundedCents) - commissionAfterRefund(sale, refundedCents + amountCents);
  const overpaidCents = await refundStore.overpaidCents(transaction, { orderId: id, sellerId });
  const waitingCents = await refundStore.waitingCents(transaction, order.transaction_id);
  return Math.max(0, Math.min(amountCents - commissionCents, overpaidCents - waitingCents));
}

/**
 * Refunds what was taken back of a locked order, in the transaction that took it and after its postings. The card processor gets each
 * refund under its own idempotency key. What the seller got already waits until it is back; the shop's commission does not.
 * @param order before it was taken back
 * @param refund.note what an admin tells both people
 * @returns the refund's id; of the part that is due at once if there is one
 */
export async function refundOrder(
  transaction: Transaction,
  enqueue: Enqueue,
  order: OrderedLaptop,
  refund: {
    amountCents: number;
    reason: RefundReason;
    note?: string | undefined;
  },
): Promise<string> {
  const { booking_id, transaction_id } = order;
  const { amountCents, reason, note = '' } = refund;
  const waitingCents = await waitingPart(transaction, order, amountCents);
  const parts = { booking_id, transaction_id, reason, note };
  const dueCents = amountCents - waitingCents;
  const waiting = { ...parts, amount_cents: waitingCents, state: 'waiting', next_check_at: null } as const;
  const waitingId = waitingCents > 0 ? await refundStore.insertRefund(transaction, waiting) : null;
  if (waitingId !== null && dueCents === 0) return waitingId;
  const refundId = await refundStore.insertRefund(transaction, { ...parts, amount_cents: dueCents });
  await enqueue(transaction, refundStore.refundDue, { refundId });
  return refundId;
}
