import { randomInt } from 'node:crypto';
import type { OrderActor, OrderMove, OrderState } from '#contract/order-states.ts';
import { orderMoves } from '#contract/order-states.ts';
import { returnLaptop } from '../catalogue/steps.ts';
import type { Transaction } from '../database/tables.ts';
import type { Enqueue } from '../jobs/queue.ts';
import { refundDecidedPosting, salePosting } from '../ledger/rules.ts';
import { post } from '../ledger/steps.ts';
import { issueCreditNote, issueReceiptsOfMove, issueSaleReceipt } from '../receipts/steps.ts';
import { orderMoved } from './notifications.ts';
import {
  type Commission,
  commissionOn,
  dueAt,
  moveEffects,
  type OrderedLaptop,
  toLedgerOrder,
} from './rules.ts';
import * as store from './store.ts';

export { findOrderForNotice } from './order-for-notice.ts';
export {
  eraseCancelReasons,
  findDueOrderIds,
  findOrder,
  findOrderIdOfPayment,
  hasOrders,
  selectOrderForUpdate,
  timelinesOf,
} from './store.ts';

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
    due_at: dueAt('held', new Date(), null),
    handover_code: String(randomInt(1_000_000)).padStart(6, '0'),
  });
  await store.insertEvent(transaction, { order_id: id, event: 'paid', actor: 'buyer', amount_cents: null });
  const order = { id, sellerId, priceCents, commissionCents, refundedCents: 0, isReleased: false };
  await post(transaction, salePosting(order, transactionId));
  const { buyerId, laptopName } = sale;
  await issueSaleReceipt(transaction, { ...order, buyerId, laptopName });
}

/**
 * Cancels a locked order for its seller.
 * @param reason the seller's words to the buyer
 * @returns null when the laptop was handed over, or the order has moved on otherwise
 */
export async function cancelOrder(
  transaction: Transaction,
  enqueue: Enqueue,
  order: OrderedLaptop,
  reason: string,
): Promise<MoveResult | null> {
  const moved = await moveOrder(transaction, enqueue, [order, 'cancel']);
  if (moved !== null) await store.updateOrder(transaction, order.id, { cancel_reason: reason });
  return moved;
}

/** The result of a move. */
export interface MoveResult {
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
): Promise<MoveResult | null> {
  const effects = moveEffects(order, move, details);
  if (effects === null) return null;
  const { to, isWithBuyer, returnedCents, goodwillCents, refundCents, isCredited } = effects;
  const now = new Date();
  for (const posting of effects.postings) await post(transaction, posting);
  await store.updateOrder(transaction, order.id, {
    state: to,
    state_since: now,
    due_at: dueAt(to, now, order.released_at),
    disputed_in: to === 'charge_disputed' ? order.state : null,
    refunded_cents: order.refunded_cents + returnedCents,
    goodwill_cents: order.goodwill_cents - goodwillCents,
    laptop_with_buyer: isWithBuyer,
    ...(isCredited && { released_at: now }),
  });
  await store.insertEvent(transaction, {
    order_id: order.id,
    event: move,
    actor: orderMoves[move].by,
    amount_cents: returnedCents > 0 ? returnedCents : (details.amountCents ?? null),
  });
  if (to === 'refunded' && !isWithBuyer) await returnLaptop(transaction, order.laptop_id);
  await enqueue(transaction, orderMoved, { orderId: order.id, move, tell: 'buyer' });
  await enqueue(transaction, orderMoved, { orderId: order.id, move, tell: 'seller' });
  await issueReceiptsOfMove(transaction, toReceiptedOrder(order), {
    returnedCents,
    goodwillCents,
    isCredited,
  });
  return { to, refundCents };
}

const toReceiptedOrder = (order: OrderedLaptop) => ({
  ...toLedgerOrder(order),
  buyerId: order.buyer_id,
  laptopName: order.laptop_name,
});

/**
 * Takes a part of the price of a locked order back at the cost of its sale, and leaves its state: what is released later is the rest.
 * The refund itself is the caller's; the schema refuses the transaction without it.
 */
export async function takePart(
  transaction: Transaction,
  order: OrderedLaptop,
  { amountCents, actor }: { amountCents: number; actor: OrderActor },
): Promise<void> {
  await post(transaction, refundDecidedPosting(toLedgerOrder(order), amountCents));
  await store.updateOrder(transaction, order.id, { refunded_cents: order.refunded_cents + amountCents });
  const event = { order_id: order.id, event: 'refund_part', actor, amount_cents: amountCents } as const;
  await store.insertEvent(transaction, event);
  const change = { returnedCents: amountCents, goodwillCents: 0, isCredited: false };
  await issueReceiptsOfMove(transaction, toReceiptedOrder(order), change);
}

/**
 * Adds to what the buyer of a locked order gets back at the shop's own cost. The refund and its posting are the caller's; the schema
 * refuses the transaction without the refund.
 */
export async function addGoodwill(
  transaction: Transaction,
  order: OrderedLaptop,
  amountCents: number,
): Promise<void> {
  await store.updateOrder(transaction, order.id, { goodwill_cents: order.goodwill_cents + amountCents });
  const event = { order_id: order.id, event: 'goodwill', actor: 'admin', amount_cents: amountCents } as const;
  await store.insertEvent(transaction, event);
  await issueCreditNote(transaction, toReceiptedOrder(order), amountCents);
}
