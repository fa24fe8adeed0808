import { randomInt } from 'node:crypto';
import type { OrderMove, OrderState } from '#contract/order-states.ts';
import { orderMoves } from '#contract/order-states.ts';
import { returnLaptop } from '../catalogue/steps.ts';
import type { Transaction } from '../database/tables.ts';
import type { Enqueue } from '../jobs/queue.ts';
import { refundDecidedPosting, releasePosting, salePosting } from '../ledger/rules.ts';
import { post } from '../ledger/steps.ts';
import { issueReceiptsOfMove, issueSaleReceipt } from '../receipts/steps.ts';
import { orderMoved } from './notifications.ts';
import {
  type Commission,
  commissionOn,
  dueAt,
  type OrderedLaptop,
  stateAfter,
  toLedgerOrder,
} from './rules.ts';
import * as store from './store.ts';

export { dueOrders, findOrder, orderOfPayment, selectOrderForUpdate, timelinesOf } from './store.ts';

/** Opens the order of a sale: the shop holds the price. The laptop must be locked. */
export async function openOrder(
  transaction: Transaction,
  sale: {
    bookingId: string;
    laptopId: string;
    laptopName: string;
    buyerId: string;
    sellerId: string;
    transactionId: string;
    priceCents: number;
  },
  commission: Commission,
): Promise<void> {
  const { transactionId, priceCents, sellerId } = sale;
  const commissionCents = commissionOn(priceCents, commission);
  const id = await store.insertOrder(transaction, {
    booking_id: sale.bookingId,
    laptop_id: sale.laptopId,
    buyer_id: sale.buyerId,
    seller_id: sellerId,
    transaction_id: transactionId,
    price_cents: priceCents,
    commission_cents: commissionCents,
    due_at: dueAt('held', new Date()),
    handover_code: String(randomInt(1_000_000)).padStart(6, '0'),
  });
  await store.insertEvent(transaction, { order_id: id, event: 'paid', actor: 'buyer', amount_cents: null });
  const order = { id, sellerId, priceCents, commissionCents, refundedCents: 0, isReleased: false };
  await post(transaction, salePosting(order, transactionId));
  const { buyerId, laptopName } = sale;
  await issueSaleReceipt(transaction, { ...order, buyerId, laptopName });
}

/** The states in which the seller has been credited with what was not refunded. */
const creditedStates: readonly OrderState[] = ['released', 'completed', 'partly_refunded', 'charged_back'];

/** What a move gives back to the buyer, in cents. */
function amountBack(order: OrderedLaptop, to: OrderState, amountCents: number): number {
  if (to === 'refunded') return order.price_cents - order.refunded_cents;
  return to === 'partly_refunded' || to === 'charged_back' ? amountCents : 0;
}

/** The result of a move. */
export interface Moved {
  to: OrderState;
  /** What the caller must refund in the same transaction, in cents; 0 for nothing. */
  refundCents: number;
}

/**
 * Moves a locked order: changes its state and clock, records the event, posts what becomes due to whom, and enqueues emails
 * to both people. A refund itself is the caller's; the schema refuses the transaction without it.
 * @param details.amountCents the part of the price that is offered, refunded in part, or taken back by a bank
 * @param details.isWithBuyer whether the buyer has the laptop from now on, where the move says so
 * @returns null when the order is not in a state that allows the move; then nothing changes
 */
export async function moveOrder(
  transaction: Transaction,
  enqueue: Enqueue,
  [order, move]: readonly [order: OrderedLaptop, move: OrderMove],
  details: { amountCents?: number; isWithBuyer?: boolean } = {},
): Promise<Moved | null> {
  const isWithBuyer = details.isWithBuyer ?? order.laptop_with_buyer;
  const to = stateAfter({ ...order, laptop_with_buyer: isWithBuyer }, move);
  if (to === null) return null;
  const now = new Date();
  const backCents = amountBack(order, to, details.amountCents ?? 0);
  const refundCents = to === 'charged_back' ? 0 : backCents;
  if (refundCents > 0) {
    await post(transaction, refundDecidedPosting(toLedgerOrder(order), refundCents, order.id));
  }
  const after = { ...order, refunded_cents: order.refunded_cents + backCents };
  const isCredited = order.released_at === null && creditedStates.includes(to);
  if (isCredited && after.refunded_cents < order.price_cents) {
    await post(transaction, releasePosting(toLedgerOrder(after)));
  }
  await store.updateOrder(transaction, order.id, {
    state: to,
    state_since: now,
    due_at: dueAt(to, now),
    refunded_cents: after.refunded_cents,
    laptop_with_buyer: isWithBuyer,
    ...(isCredited && { released_at: now }),
  });
  const amount = backCents > 0 ? backCents : (details.amountCents ?? null);
  await store.insertEvent(transaction, {
    order_id: order.id,
    event: move,
    actor: orderMoves[move].by,
    amount_cents: amount,
  });
  if (to === 'refunded' && !isWithBuyer) await returnLaptop(transaction, order.laptop_id);
  await enqueue(transaction, orderMoved, { orderId: order.id, move, tell: 'buyer' });
  await enqueue(transaction, orderMoved, { orderId: order.id, move, tell: 'seller' });
  const receipted = { ...toLedgerOrder(order), buyerId: order.buyer_id, laptopName: order.laptop_name };
  await issueReceiptsOfMove(transaction, receipted, { backCents, isCredited });
  return { to, refundCents };
}
