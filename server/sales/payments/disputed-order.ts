import {
  disputeLostPosting,
  disputeOpenedPosting,
  disputeReinstatedPosting,
  disputeWonPosting,
  takenBackOf,
} from '#server/money/ledger/rules.ts';
import { lockSellerBalance, post } from '#server/money/ledger/steps.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { type OrderedLaptop, toLedgerOrder } from '../orders/rules.ts';
import { findOrderIdOfPayment, moveOrder, selectOrderForUpdate, takeBackByBank } from '../orders/steps.ts';
import type { CardDispute } from './cards.ts';
import { findOtherDisputes } from './dispute-store.ts';
import { settleRefunds } from './settled-refunds.ts';
import type { DisputeState } from './states.ts';
import { refundOrder } from './steps.ts';

/** A dispute of a payment, with the payment's name in the audit trail. */
type DisputeOfPayment = CardDispute & { transactionId: string; subject: string };

/** Posts what a dispute moves. @returns the part of a lost dispute that its order gives back, in cents */
async function postDispute(
  transaction: Transaction,
  { disputeId, transactionId, amountCents, state, subject }: DisputeOfPayment,
  order: OrderedLaptop | undefined,
): Promise<number> {
  // An inquiry moves no money.
  if (state === 'inquiry' || state === 'inquiry_closed') return 0;
  await post(transaction, disputeOpenedPosting(disputeId, amountCents));
  if (state === 'won') await post(transaction, disputeWonPosting(disputeId, amountCents));
  if (state !== 'lost') return 0;
  // Before the refunds that wait, as when they go on: then the two never wait for each other.
  if (order !== undefined) await lockSellerBalance(transaction, order.seller_id);
  const settledCents = await settleRefunds(transaction, { transactionId, amountCents }, subject);
  const ledgerOrder = order === undefined ? null : toLedgerOrder(order);
  await post(transaction, disputeLostPosting(disputeId, amountCents, ledgerOrder, settledCents));
  return ledgerOrder === null ? 0 : takenBackOf(ledgerOrder, amountCents, settledCents);
}

/**
 * Applies a dispute that was opened or changed its state to the order of its payment and to the ledger: the order waits until
 * the bank has decided about all disputes of the payment, and afterwards goes on or is charged back. What is paid to the seller
 * meanwhile follows from the order's state (`server/money/payouts/`).
 * @param from the state before; null for a new dispute
 */
export async function applyToOrder(
  transaction: Transaction,
  enqueue: Enqueue,
  dispute: DisputeOfPayment,
  from: DisputeState | null,
): Promise<void> {
  const { disputeId, transactionId, amountCents, state } = dispute;
  const orderId = await findOrderIdOfPayment(transaction, transactionId);
  // Its lock orders the disputes of one payment.
  const order = orderId === null ? undefined : await selectOrderForUpdate(transaction, orderId);
  if (from === 'lost') {
    // The order has ended, and its laptop may have been sold again: the money belongs to nobody until an admin decides.
    await post(transaction, disputeReinstatedPosting(disputeId, amountCents));
    return;
  }
  const takenBackCents = await postDispute(transaction, dispute, order);
  if (order === undefined) return;
  if (state === 'inquiry' || state === 'chargeback') {
    await moveOrder(transaction, enqueue, [order, 'dispute']);
    return;
  }
  const others = await findOtherDisputes(transaction, { transactionId, disputeId });
  if (others.isOpen || order.state === 'charged_back') {
    if (takenBackCents > 0) await takeBackByBank(transaction, order, takenBackCents);
  } else if (state === 'lost' || others.wasLost) {
    const details = { amountCents: takenBackCents };
    const moved = await moveOrder(transaction, enqueue, [order, 'lose_dispute'], details);
    const refundCents = moved?.refundCents ?? 0;
    if (refundCents > 0) {
      await refundOrder(transaction, enqueue, order, { amountCents: refundCents, reason: 'charged_back' });
    }
  } else {
    await moveOrder(transaction, enqueue, [order, 'win_dispute']);
  }
}
