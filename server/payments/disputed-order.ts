import type { Transaction } from '../database/tables.ts';
import type { Enqueue } from '../jobs/queue.ts';
import { disputeLostPosting, disputeOpenedPosting, disputeWonPosting } from '../ledger/rules.ts';
import { post } from '../ledger/steps.ts';
import { toLedgerOrder } from '../orders/rules.ts';
import { findOrderIdOfPayment, moveOrder, selectOrderForUpdate } from '../orders/steps.ts';
import type { CardDispute } from './cards.ts';

/**
 * Applies a dispute that was opened or changed its state to the order of its payment and to the ledger: the order waits until
 * the bank has decided, and afterwards goes on or is charged back.
 */
export async function applyToOrder(
  transaction: Transaction,
  enqueue: Enqueue,
  { disputeId, transactionId, amountCents, state }: CardDispute & { transactionId: string },
): Promise<void> {
  const orderId = await findOrderIdOfPayment(transaction, transactionId);
  const order = orderId === null ? undefined : await selectOrderForUpdate(transaction, orderId);
  // An inquiry moves no money.
  if (state === 'chargeback' || state === 'won' || state === 'lost') {
    await post(transaction, disputeOpenedPosting(disputeId, amountCents));
  }
  if (state === 'won') await post(transaction, disputeWonPosting(disputeId, amountCents));
  if (state === 'lost') {
    const ledgerOrder = order === undefined ? null : toLedgerOrder(order);
    await post(transaction, disputeLostPosting(disputeId, amountCents, ledgerOrder));
  }
  if (order === undefined) return;
  switch (state) {
    case 'inquiry':
    case 'chargeback':
      await moveOrder(transaction, enqueue, [order, 'dispute']);
      return;
    case 'inquiry_closed':
    case 'won':
      await moveOrder(transaction, enqueue, [order, 'win_dispute']);
      return;
    case 'lost':
      await moveOrder(transaction, enqueue, [order, 'lose_dispute'], {
        amountCents: Math.min(amountCents, order.price_cents - order.refunded_cents),
      });
  }
}
