// What admins decide about refunds: any amount of any order, those that wait for the seller's money, and those that failed.

import { formatCents } from '#contract/platform/money.ts';
import type { refundBearers } from '#contract/sales/orders.ts';
import { goodwillPosting, refundPaidByHandPosting } from '#server/money/ledger/rules.ts';
import { post } from '#server/money/ledger/steps.ts';
import * as refundStore from '#server/money/refunds/steps.ts';
import { isWithheld, refundDue } from '#server/money/refunds/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { type Caller, requireUninvolved } from '#server/platform/http/serve.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import type { BookedLaptop } from '../bookings/rules.ts';
import { findBooking } from '../bookings/steps.ts';
import { orderNotFound, orderStateChanged } from '../orders/refusals.ts';
import { type OrderedLaptop, remainingPriceCents } from '../orders/rules.ts';
import {
  addGoodwill,
  moveOrder,
  refundOrder,
  refundPartAtSellersCost,
  selectOrderForUpdate,
} from '../orders/steps.ts';
import { lockDisputesOf } from './dispute-store.ts';
import { refundDecided, refundPaidByHand, refundWaits } from './notifications.ts';
import { NOTIFY_WAITING_AFTER_MS, paymentSubject } from './rules.ts';

/** What an admin refunds of an order. */
interface AdminRefund {
  amountCents: number;
  from: (typeof refundBearers)[number];
  text: string;
}

/** Why an admin cannot refund this amount of an order; null when that is possible. @param isWithheld whether a bank has the money */
function refundRefusal(order: OrderedLaptop, amountCents: number, isWithheld: boolean): string | null {
  if (isWithheld) {
    return `The buyer’s bank disputes the payment for ${order.laptop_name}, and a refund beside it would pay the buyer twice. Nothing was refunded. Please wait until the bank has decided.`;
  }
  if (order.state === 'charged_back') {
    return `The buyer’s bank took the money for ${order.laptop_name} back, so the card processor refunds nothing more of it. Nothing was refunded.`;
  }
  const left = remainingPriceCents(order);
  if (left === 0) return `Nothing is left of the price of ${order.laptop_name}. Nothing was refunded.`;
  if (amountCents <= left) return null;
  return `${formatCents(left)} is left of the price of ${order.laptop_name}, so ${formatCents(amountCents)} was not refunded. Please look at the amount again.`;
}

/** Refunds at the shop's own cost. What the seller gets does not change. @returns the refund's id */
async function giveGoodwill(
  transaction: Transaction,
  enqueue: Enqueue,
  order: OrderedLaptop,
  { amountCents, text }: AdminRefund,
): Promise<string> {
  const { booking_id, transaction_id } = order;
  const refund = {
    booking_id,
    transaction_id,
    amount_cents: amountCents,
    reason: 'goodwill',
    note: text,
  } as const;
  const refundId = await refundStore.insertRefund(transaction, refund);
  await post(transaction, goodwillPosting(order.id, amountCents, refundId));
  await addGoodwill(transaction, order, amountCents);
  await enqueue(transaction, refundDue, { refundId });
  return refundId;
}

/** Refunds at the cost of the sale. The rest of the price ends the order as refunded. @returns the refund's id */
async function takeFromSale(
  transaction: Transaction,
  enqueue: Enqueue,
  order: OrderedLaptop,
  { amountCents, text }: AdminRefund,
): Promise<string> {
  if (amountCents === remainingPriceCents(order)) {
    const moved = await moveOrder(transaction, enqueue, order, 'refund_rest', { note: text });
    if (!moved?.refundId) throw orderStateChanged(order);
    return moved.refundId;
  }
  await refundPartAtSellersCost(transaction, order, { amountCents, actor: 'admin' });
  return refundOrder(transaction, enqueue, order, { amountCents, reason: 'by_admin', note: text });
}

/** Gives a part or the rest of an order's price back. @returns the refund's id @throws Refusal */
export async function refundByAdmin(
  transaction: Transaction,
  enqueue: Enqueue,
  admin: Caller,
  { orderId, ...refund }: AdminRefund & { orderId: string },
): Promise<string> {
  const order = await selectOrderForUpdate(transaction, orderId);
  if (order === undefined) throw orderNotFound();
  requireUninvolved(admin, order.buyer_id, order.seller_id);
  const isHeldByBank =
    order.state === 'charge_disputed' && (await isWithheld(transaction, order.transaction_id));
  const refusal = refundRefusal(order, refund.amountCents, isHeldByBank);
  if (refusal !== null) throw new Refusal('refund_refused', refusal);
  const isGoodwill = refund.from === 'shop';
  const refundId = await (isGoodwill ? giveGoodwill : takeFromSale)(transaction, enqueue, order, refund);
  await recordAudit(transaction, {
    adminId: admin.userId,
    act: isGoodwill ? 'Gave goodwill' : 'Refunded order',
    laptopId: order.laptop_id,
    subject: paymentSubject(order.laptop_name, order.transaction_id),
    note: `${formatCents(refund.amountCents)}: ${refund.text}`,
  });
  await enqueue(transaction, refundDecided, { refundId, amountCents: refund.amountCents });
  return refundId;
}

/** The people of a booking. */
const peopleOf = (booking: BookedLaptop | undefined) =>
  booking ? [booking.buyer_id, booking.seller_id] : [];

/** Pays a refund that waits from the shop's own money. @returns false when it does not wait any more @throws Refusal */
export async function payRefundFromShop(
  transaction: Transaction,
  enqueue: Enqueue,
  admin: Caller,
  refundId: string,
): Promise<boolean> {
  const refund = await refundStore.selectOneForUpdate(transaction, refundId);
  if (refund === undefined) throw new Refusal('not_found', 'There is no such refund.');
  const booking = await findBooking(transaction, refund.booking_id);
  requireUninvolved(admin, ...peopleOf(booking));
  if (refund.state !== 'waiting') return false;
  if (await isWithheld(transaction, refund.transaction_id)) {
    throw new Refusal(
      'refund_refused',
      'The buyer’s bank disputes this payment and may give the buyer the money. Nothing was refunded. Please wait until the bank has decided.',
    );
  }
  await refundStore.endRefundWait(transaction, refund, refund.amount_cents);
  await enqueue(transaction, refundDue, { refundId });
  await recordAudit(transaction, {
    adminId: admin.userId,
    act: 'Paid waiting refund',
    subject: paymentSubject(booking?.laptop_name ?? 'A laptop', refund.transaction_id),
    note: formatCents(refund.amount_cents),
  });
  return true;
}

/**
 * Records that an admin paid a failed refund from the shop's bank account. It is not tried again, and the buyer is told.
 * @param paid.reference the bank's
 * @returns false when it is not failed any more @throws Refusal
 */
export async function payRefundByHand(
  transaction: Transaction,
  enqueue: Enqueue,
  admin: Caller,
  { refundId, reference }: { refundId: string; reference: string },
): Promise<boolean> {
  const refund = await refundStore.findRefundById(transaction, refundId);
  if (refund === undefined) throw new Refusal('not_found', 'There is no such refund.');
  const booking = await findBooking(transaction, refund.booking_id);
  requireUninvolved(admin, ...peopleOf(booking));
  // Before the refund, as when a lost dispute pays it.
  await lockDisputesOf(transaction, refund.transaction_id);
  if (await isWithheld(transaction, refund.transaction_id)) {
    throw new Refusal(
      'refund_refused',
      'The buyer’s bank disputes this payment and may give the buyer the money. Nothing was recorded. Please wait until the bank has decided.',
    );
  }
  const paid = await refundStore.payFailedByHand(transaction, refundId);
  if (paid === undefined) return false;
  const { amount_cents: amountCents, transaction_id } = paid;
  await post(transaction, refundPaidByHandPosting(refundId, amountCents));
  await enqueue(transaction, refundPaidByHand, { refundId, reference });
  await recordAudit(transaction, {
    adminId: admin.userId,
    act: 'Paid refund by hand',
    subject: paymentSubject(booking?.laptop_name ?? 'A laptop', transaction_id),
    note: `${formatCents(amountCents)}, reference ${reference}`,
  });
  return true;
}

/** Tells the buyer and each admin once about a refund that has waited for some time. */
export async function notifyWaitingRefunds(
  { database, enqueue }: { database: Database; enqueue: Enqueue },
  now: Date,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const before = new Date(now.getTime() - NOTIFY_WAITING_AFTER_MS);
    for (const refundId of await refundStore.markToldWaiting(transaction, before)) {
      await enqueue(transaction, refundWaits, { refundId });
    }
  });
}
