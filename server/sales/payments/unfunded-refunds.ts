import * as refundStore from '#server/money/refunds/steps.ts';
import { enqueueForAdmins } from '#server/people/accounts/steps.ts';
import type { CardRefund } from './cards.ts';
import type { PaymentDependencies } from './dependencies.ts';
import { refundUnfunded } from './notifications.ts';

/**
 * Notes whether a pending refund waits for funds in the balance at the card processor. Each admin and the log are told once per
 * attempt, because an operator has to add the funds.
 */
export async function noteFunding(
  { database, enqueue }: Pick<PaymentDependencies, 'database' | 'enqueue'>,
  refund: refundStore.RefundRow,
  { pendingReason }: Pick<CardRefund, 'pendingReason'>,
): Promise<void> {
  const isUnfunded = pendingReason === 'funds';
  if (isUnfunded === (refund.unfunded_attempt === refund.attempt)) return;
  await database.transaction().execute(async (transaction) => {
    const isChanged = await refundStore.setUnfunded(transaction, refund, isUnfunded);
    if (!isChanged || !isUnfunded) return;
    const toAdmin = (adminId: string | null) => ({ refundId: refund.id, adminId });
    await enqueue(transaction, refundUnfunded, toAdmin(null));
    await enqueueForAdmins(transaction, enqueue, 'money', [refundUnfunded, toAdmin]);
  });
}
