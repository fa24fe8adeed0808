import { randomInt } from 'node:crypto';
import { type Commission, commissionOn } from '#contract/money/commission.ts';
import type { Delivery, OrderActor, OrderMove, OrderState } from '#contract/money/order-states.ts';
import { deadlineMs, orderMoves, PUT_OFF_DAYS, releaseTime } from '#contract/money/order-states.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import type { ParcelWay } from '#contract/sales/labels.ts';
import { endEvidenceOfReturned } from '#server/certification/inspections/steps.ts';
import { returnLaptop } from '#server/listings/catalogue/steps.ts';
import { labelChargedPosting, refundDecidedPosting, salePosting } from '#server/money/ledger/rules.ts';
import { post } from '#server/money/ledger/steps.ts';
import { issueCreditNote, issueReceiptsOfMove, issueSaleReceipt } from '#server/money/receipts/steps.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { updateBooking } from '../bookings/steps.ts';
import { buyerOfOrderEnded, orderMoved, sellerEnded } from './notifications.ts';
import { openClaims, openDamageClaim } from './open-insurance-claims.ts';
import { refundOrder } from './refunds.ts';
import {
  deadlinesAfter,
  isOrderOver,
  moveEffects,
  movesReturningLaptop,
  type OrderedLaptop,
  parcelTimesAfter,
  refundReasonOf,
  refundsWithLaptopUnknown,
  toLedgerOrder,
} from './rules.ts';
import * as store from './store.ts';

export { applyOrderDeadlines } from './deadlines.ts';
export { findNotifiedOrder, type NotifiedOrder, orderText } from './notified-order.ts';
export { claimableCents, isClaim, openClaims, openDamageClaim } from './open-insurance-claims.ts';
export { refundOrder } from './refunds.ts';
export { isReturnUnaddressed } from './return-address.ts';
export {
  agreedMeetingAt,
  erasePersonInOrders,
  findHeldOrder,
  findOrder,
  findOrderIdOfPayment,
  hasOrders,
  labelCentsOf,
  ordersWithPeople,
  ordersWithRatings,
  packingPhotosOf,
  parcelsOf,
  selectOrderForUpdate,
  timelinesOf,
  updateOrder,
} from './store.ts';

/** Opens the order of a sale: the shop holds the price. The laptop must be locked. @returns the order's id */
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
    delivery: Delivery;
  },
  commission: Commission,
): Promise<string> {
  const { transactionId, priceCents, sellerId, delivery } = sale;
  const state = delivery === 'ship' ? 'to_ship' : 'held';
  const commissionCents = commissionOn(priceCents, commission);
  const now = new Date();
  const id = await store.insertOrder(transaction, {
    booking_id: sale.bookingId,
    laptop_id: sale.laptopId,
    buyer_id: sale.buyerId,
    seller_id: sellerId,
    transaction_id: transactionId,
    price_cents: priceCents,
    commission_cents: commissionCents,
    delivery,
    state,
    state_since: now,
    ...deadlinesAfter({ promised_until: now, released_at: null, delivered_at: null }, state, now, {
      meetingAt: state === 'held' ? await store.agreedMeetingAt(transaction, sale) : null,
    }),
    handover_code: String(randomInt(1_000_000)).padStart(6, '0'),
  });
  await store.insertEvent(transaction, { order_id: id, event: 'paid', actor: 'buyer', amount_cents: null });
  const order = { id, sellerId, priceCents, commissionCents, refundedCents: 0, isReleased: false };
  await post(transaction, salePosting(order, transactionId));
  const { buyerId, laptopName } = sale;
  await issueSaleReceipt(transaction, { ...order, buyerId, laptopName });
  return id;
}

/** Tells the buyers of laptops that were not handed over or sent that an admin ended their seller's account. */
export async function notifyBuyersOfEnded(
  transaction: Transaction,
  enqueue: Enqueue,
  sellerId: string,
): Promise<void> {
  for (const orderId of await store.ordersToHandOver(transaction, sellerId)) {
    await enqueue(transaction, sellerEnded, { orderId });
  }
}

/** Tells the sellers of laptops that have not arrived that an admin ended their buyer's account. */
export async function notifySellersOfEnded(
  transaction: Transaction,
  enqueue: Enqueue,
  buyerId: string,
): Promise<void> {
  for (const orderId of await store.ordersToArrive(transaction, buyerId)) {
    await enqueue(transaction, buyerOfOrderEnded, { orderId });
  }
}

/**
 * Moves the deadline of a held order with the meetings of its buyer and seller: some days after the one on which both agreed. When that
 * one was cancelled, or another one was proposed instead, the two have at least as many days from now to agree again: the money is not
 * released earlier because of what one of them did alone.
 * @param now when the meeting was agreed on, replaced or cancelled
 */
export async function moveDeadlineToMeeting(
  transaction: Transaction,
  people: { laptopId: string; buyerId: string },
  now: Date,
): Promise<void> {
  const order = await store.selectHeldOrderForUpdate(transaction, people);
  if (order === undefined) return;
  const meetingAt = await store.agreedMeetingAt(transaction, people);
  const held = { since: order.state_since, promised: order.promised_until };
  const end = releaseTime(held, meetingAt ?? now);
  if (meetingAt !== null || order.due_at === null || end > order.due_at) {
    await store.updateOrder(transaction, order.id, { due_at: end });
  }
}

/**
 * Lets the seller of a locked order pay the labels that were used, or that their carrier does not take back. Nothing happens before
 * the order is released or over, and each label is paid once.
 */
export async function chargeLabels(
  transaction: Transaction,
  { id }: Pick<OrderedLaptop, 'id'>,
): Promise<void> {
  const order = await store.findOrder(transaction, id);
  if (order === undefined || (order.released_at === null && !isOrderOver(order.state))) return;
  for (const label of await store.labelsToCharge(transaction, id)) {
    await post(transaction, labelChargedPosting(label, order.seller_id));
  }
}

/** Gives the buyer of a locked order the whole time for the return from now on. Its people are reminded again. */
export const restartReturn = (
  transaction: Transaction,
  { id }: Pick<OrderedLaptop, 'id'>,
  now: Date,
): Promise<void> =>
  store.updateOrder(transaction, id, {
    due_at: new Date(now.getTime() + deadlineMs('awaiting_return')),
    reminded_in: null,
  });

/** Puts the deadline of a locked order off, to some days after a time. Its people are reminded again. */
export const postponeDeadline = (
  transaction: Transaction,
  { id }: Pick<OrderedLaptop, 'id'>,
  from: Date,
): Promise<void> =>
  store.updateOrder(transaction, id, {
    due_at: new Date(from.getTime() + PUT_OFF_DAYS * DAY_MS),
    reminded_in: null,
    is_put_off: true,
  });

/**
 * Records that a parcel of a locked order was delivered, or turned back, when the money had gone the other way.
 * @returns false when that was known, or its seller has the laptop again
 */
export async function recordLateArrival(
  transaction: Transaction,
  orderId: string,
  way: ParcelWay,
): Promise<boolean> {
  const timeline = (await store.timelinesOf(transaction, [orderId])).get(orderId) ?? [];
  // Of a return, a report disproves what was assumed.
  const isBack = (event: string) =>
    movesReturningLaptop.some((back) => back === event && (way === 'out' || back !== 'assume_return'));
  if (timeline.some(({ event }) => event === 'arrive_late' || isBack(event))) return false;
  const event = { order_id: orderId, event: 'arrive_late', actor: 'carrier', amount_cents: null } as const;
  await store.insertEvent(transaction, event);
  return true;
}

/** The result of a move. */
export interface MoveResult {
  to: OrderState;
  /** The refund that it made; null for none. */
  refundId: string | null;
}

/**
 * Moves a locked order: changes its state and deadline, records the event, posts what becomes due to whom, and notifies
 * both people. Refunds what it gives back.
 * @param details.amountCents the part of the price that is offered, refunded in part, or taken back by a bank
 * @param details.isWithBuyer whether the buyer has the laptop from now on, where the move says so
 * @param details.isByParcel whether the laptop returns by parcel
 * @param details.note what an admin tells both people about the refund
 * @returns null when the order is not in a state that allows the move; then nothing changes
 */
export async function moveOrder(
  transaction: Transaction,
  enqueue: Enqueue,
  order: OrderedLaptop,
  move: OrderMove,
  details: {
    amountCents?: number | undefined;
    isWithBuyer?: boolean | undefined;
    isByParcel?: boolean | undefined;
    note?: string;
  } = {},
): Promise<MoveResult | null> {
  const isSilent = refundsWithLaptopUnknown.includes(move) && !order.laptop_with_buyer;
  const arrival = isSilent && (await store.hasArrived(transaction, order)) ? { isWithBuyer: true } : {};
  const effects = moveEffects(order, move, { ...details, ...arrival });
  if (effects === null) return null;
  const { to, disputedIn, isWithBuyer, returnedCents, goodwillCents, refundCents, isCredited } = effects;
  const now = new Date();
  const meetingAt =
    to === 'held'
      ? await store.agreedMeetingAt(transaction, { laptopId: order.laptop_id, buyerId: order.buyer_id })
      : null;
  for (const posting of effects.postings) await post(transaction, posting);
  await store.updateOrder(transaction, order.id, {
    state: to,
    state_since: now,
    ...deadlinesAfter(order, to, now, {
      meetingAt,
      isByParcel: details.isByParcel === true,
      isDisputeWon: move === 'win_dispute',
    }),
    ...parcelTimesAfter(order, to, now),
    reminded_in: null,
    is_put_off: false,
    disputed_in: disputedIn,
    refunded_cents: order.refunded_cents + returnedCents,
    goodwill_cents: order.goodwill_cents - goodwillCents,
    laptop_with_buyer: isWithBuyer,
    ...(isCredited && { released_at: now }),
  });
  if (isCredited || isOrderOver(to)) await chargeLabels(transaction, order);
  await store.insertEvent(transaction, {
    order_id: order.id,
    event: move,
    actor: orderMoves[move].by,
    amount_cents: returnedCents > 0 ? returnedCents : (details.amountCents ?? null),
  });
  const isReversed = to === 'refunded' || to === 'charged_back';
  // After every other end the seller has the price. A return that is denied is lost before the complaint is decided.
  if (isReversed || move === 'deny_return') await openClaims(transaction, ['order_id', order.id]);
  if (returnedCents > 0) await openDamageClaim(transaction, order.id, 'out');
  if (isReversed && !isWithBuyer) {
    const endsEvidence = await store.isFoundOtherwise(transaction, order);
    const isReturned = await returnLaptop(transaction, order.laptop_id, order.id);
    if (isReturned && endsEvidence) await endEvidenceOfReturned(transaction, order.laptop_id);
    await updateBooking(transaction, order.booking_id, { ended_at: now });
  }
  await enqueue(transaction, orderMoved, { orderId: order.id, move });
  await issueReceiptsOfMove(transaction, toReceiptedOrder(order), {
    returnedCents,
    goodwillCents,
    isCredited,
  });
  const reason = refundReasonOf(move, to);
  if (refundCents === 0 || reason === null) return { to, refundId: null };
  const refund = { amountCents: refundCents, reason, note: details.note };
  return { to, refundId: await refundOrder(transaction, enqueue, order, refund) };
}

const toReceiptedOrder = (order: OrderedLaptop) => ({
  ...toLedgerOrder(order),
  buyerId: order.buyer_id,
  laptopName: order.laptop_name,
});

/**
 * Adds to what went back to the buyer of a locked order, and leaves its state: a part was refunded, or a bank took it back while another
 * dispute of the payment is open, or was lost before. The posting is the caller's.
 */
export async function recordPartialRefund(
  transaction: Transaction,
  order: OrderedLaptop,
  { amountCents, ...cause }: Pick<store.NewEvent, 'event' | 'actor'> & { amountCents: number },
): Promise<void> {
  await store.updateOrder(transaction, order.id, { refunded_cents: order.refunded_cents + amountCents });
  await store.insertEvent(transaction, { order_id: order.id, ...cause, amount_cents: amountCents });
  const change = { returnedCents: amountCents, goodwillCents: 0, isCredited: false };
  await issueReceiptsOfMove(transaction, toReceiptedOrder(order), change);
}

/**
 * Takes a part of the price of a locked order back at the cost of its sale, and leaves its state: what is released later is the rest.
 * The refund itself is the caller's; the schema refuses the transaction without it.
 */
export async function refundPartAtSellersCost(
  transaction: Transaction,
  order: OrderedLaptop,
  { amountCents, actor }: { amountCents: number; actor: OrderActor },
): Promise<void> {
  await post(transaction, refundDecidedPosting(toLedgerOrder(order), amountCents));
  await recordPartialRefund(transaction, order, { event: 'refund_part', actor, amountCents });
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
