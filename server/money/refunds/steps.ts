import * as z from 'zod/mini';
import type { Transaction } from '#server/platform/database/tables.ts';
import { type Enqueue, job } from '#server/platform/jobs/queue.ts';
import { lockSellerBalance } from '../ledger/steps.ts';
import { payableWaits, UNKNOWN_MS } from './rules.ts';
import * as store from './store.ts';

// Payments decides about refunds, so it uses all of the table's queries.
export * from './store.ts';

/** The card processor has a payment whose status is to be read and applied. Handled by `handleCardEvent`. */
export const cardEvent = job('payments.card-event', z.object({ transactionId: z.string() }), 'cards');

/** A refund is due. Handled by `reconcileRefund`. */
export const refundDue = job('payments.refund-due', z.object({ refundId: z.string() }), 'cards');

/** The card processor sent an event about a refund. Handled by `handleRefundEvent`. */
export const refundEvent = job(
  'payments.refund-event',
  z.object({ transactionId: z.string(), cardRefundId: z.string() }),
  'cards',
);

/** The card processor has a refund of a payment that the shop does not know. Handled by `checkRefunds`. */
export const refundsToCheck = job(
  'payments.refunds-to-check',
  z.object({ transactionId: z.string() }),
  'cards',
);

/** The card processor sent an event about a dispute, or its balance lists one that the shop does not know. Handled by `reconcileDispute`. */
export const disputeEvent = job('payments.dispute-event', z.object({ cardDisputeId: z.string() }), 'cards');

/**
 * Makes refunds due that waited for a seller's money, as far as it is back: a transfer was reversed, other sales cover the debt, or it was
 * repaid. One whose payment a bank disputes goes on waiting: the bank may give the buyer this money. Locks the seller's balance.
 */
export async function payWaitingRefunds(
  transaction: Transaction,
  enqueue: Enqueue,
  sellerId: string,
): Promise<void> {
  await lockSellerBalance(transaction, sellerId);
  const waiting = await store.selectWaitingForUpdate(transaction, sellerId);
  if (waiting.length === 0) return;
  const byOrder = Map.groupBy(waiting, ({ order_id }) => order_id);
  const orders = [];
  for (const [orderId, refunds] of byOrder) {
    const amountCents = refunds.reduce((total, { amount_cents }) => total + amount_cents, 0);
    orders.push({
      refunds,
      amountCents,
      overpaidCents: await store.overpaidCents(transaction, { orderId, sellerId }),
    });
  }
  const payable = payableWaits(orders, await store.debtCents(transaction, sellerId, [...byOrder.keys()]));
  for (const [index, { refunds }] of orders.entries()) {
    let restCents = payable[index] ?? 0;
    for (const refund of refunds) {
      const amountCents = Math.min(restCents, refund.amount_cents);
      if (amountCents === 0 || (await store.isWithheld(transaction, refund.transaction_id))) break;
      restCents -= amountCents;
      const refundId = await store.endRefundWait(transaction, refund, amountCents);
      await enqueue(transaction, refundDue, { refundId });
    }
  }
}

/**
 * Enqueues a reading of each payment of the card processor's balance that the shop has not settled, a comparison of the refunds of each
 * payment of which it lists a refund that the shop does not know, and a reading of each dispute that it does not know or whose money came
 * back: their events were lost, or came after the backup from which the shop was restored.
 * @returns the number of these payments and disputes
 */
export async function checkUnknownMovements(
  transaction: Transaction,
  enqueue: Enqueue,
  now: Date,
): Promise<number> {
  const since = new Date(now.getTime() - UNKNOWN_MS);
  const unsettled = await store.unknownPayments(transaction, since);
  for (const transactionId of unsettled) await enqueue(transaction, cardEvent, { transactionId });
  const payments = await store.paymentsWithUnknownRefunds(transaction, since);
  for (const transactionId of payments) await enqueue(transaction, refundsToCheck, { transactionId });
  const disputes = await store.unknownDisputes(transaction, since);
  for (const cardDisputeId of disputes) await enqueue(transaction, disputeEvent, { cardDisputeId });
  return unsettled.length + payments.length + disputes.length;
}

/**
 * Whether the card processor gave back more of a payment than the shop knows. Then a comparison is enqueued, and its money must not be
 * paid out before.
 * @param refundedCents what was refunded according to the card processor
 */
export async function hasUnknownRefund(
  transaction: Transaction,
  enqueue: Enqueue,
  payment: { transactionId: string; refundedCents: number },
): Promise<boolean> {
  const { transactionId, refundedCents } = payment;
  if (refundedCents <= (await store.madeRefundCents(transaction, transactionId))) return false;
  await enqueue(transaction, refundsToCheck, { transactionId });
  return true;
}
