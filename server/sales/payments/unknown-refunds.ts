// Refunds at the card processor that the shop did not make: an operator made them in its dashboard.

import { formatCents } from '#contract/platform/money.ts';
import { unexplainedRefundPosting } from '#server/money/ledger/rules.ts';
import { lockSellerBalance, post } from '#server/money/ledger/steps.ts';
import * as refundStore from '#server/money/refunds/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { type OrderedLaptop, remainingPriceCents } from '../orders/rules.ts';
import {
  findOrderIdOfPayment,
  moveOrder,
  refundPartAtSellersCost,
  selectOrderForUpdate,
} from '../orders/steps.ts';
import { applyRefund } from './apply-refund.ts';
import { handleCardEvent } from './attempts.ts';
import type { CardRefund } from './card-processor.ts';
import type { PaymentDependencies } from './dependencies.ts';
import { refundDecided, refundFound } from './notifications.ts';
import { paymentSubject } from './rules.ts';

/** A refund that the card processor has. */
type KnownCardRefund = CardRefund & { refundId: string };

/** What a refund belongs to. */
interface Payment {
  transactionId: string;
  bookingId: string;
  laptopName: string;
  /** Locked; undefined for a payment that bought nothing. */
  order: OrderedLaptop | undefined;
}

/** Locks a payment with everything that its refunds change. @returns null when the shop does not know the payment */
async function lockPayment(transaction: Transaction, transactionId: string): Promise<Payment | null> {
  const orderId = await findOrderIdOfPayment(transaction, transactionId);
  const order = orderId === null ? undefined : await selectOrderForUpdate(transaction, orderId);
  // In the order of the locks of a transfer's reversal.
  if (order !== undefined) await lockSellerBalance(transaction, order.seller_id);
  else await refundStore.lockCapture(transaction, transactionId);
  const booking = await refundStore.bookingOfPayment(transaction, transactionId);
  if (booking === undefined) return null;
  return { transactionId, bookingId: booking.id, laptopName: booking.laptop_name, order };
}

/**
 * Pays refunds with a refund of the card processor: those that the shop decided and has not made. The last one can be paid in part.
 * @param refused a refund that the card processor has just refused to make
 * @returns what is left of it, in cents
 */
async function payOwedRefunds(
  transaction: Transaction,
  card: KnownCardRefund,
  refused: refundStore.RefundRow | null,
): Promise<number> {
  let leftCents = card.amountCents;
  for (const owed of await refundStore.selectOwedForUpdate(transaction, card.transactionId, refused)) {
    if (leftCents === 0) break;
    const paidCents = Math.min(leftCents, owed.amount_cents);
    await refundStore.payOwed(transaction, owed, { cardRefundId: card.refundId, amountCents: paidCents });
    leftCents -= paidCents;
  }
  return leftCents;
}

/** Takes what an operator gave back from the order of its payment. @returns how much the order had left, in cents */
async function takeFromOrder(
  transaction: Transaction,
  enqueue: Enqueue,
  order: OrderedLaptop,
  amountCents: number,
): Promise<number> {
  const leftCents = remainingPriceCents(order);
  const takenCents = Math.min(amountCents, leftCents);
  if (takenCents === 0) return 0;
  const moved =
    takenCents === leftCents ? await moveOrder(transaction, enqueue, order, 'refund_outside') : null;
  if (moved === null)
    await refundPartAtSellersCost(transaction, order, { amountCents: takenCents, actor: 'shop' });
  return takenCents;
}

/**
 * Records a refund that an operator made: it pays what the shop owed of this payment, then takes from its order, and what neither
 * explains is posted to the account `suspense`.
 */
async function recordRefund(
  transaction: Transaction,
  enqueue: Enqueue,
  card: KnownCardRefund,
  refused: refundStore.RefundRow | null,
): Promise<void> {
  const payment = await lockPayment(transaction, card.transactionId);
  if (payment === null) return;
  const { order, bookingId, transactionId } = payment;
  if ((await refundStore.refundsOfCardRefund(transaction, card.refundId)).length > 0) return;
  if (card.status === 'failed') return;
  const beyondOwedCents = await payOwedRefunds(transaction, card, refused);
  const takenCents =
    order === undefined ? 0 : await takeFromOrder(transaction, enqueue, order, beyondOwedCents);
  const unexplainedCents = beyondOwedCents - takenCents;
  const found = { booking_id: bookingId, transaction_id: transactionId, card_refund_id: card.refundId };
  if (takenCents > 0) {
    const taken = { ...found, amount_cents: takenCents, reason: 'made_at_processor' } as const;
    const refundId = await refundStore.insertRefund(transaction, taken);
    await enqueue(transaction, refundDecided, { refundId, amountCents: takenCents });
  }
  if (unexplainedCents > 0) {
    const unexplained = { ...found, amount_cents: unexplainedCents, reason: 'unexplained' } as const;
    const refundId = await refundStore.insertRefund(transaction, unexplained);
    await post(transaction, unexplainedRefundPosting(refundId, unexplainedCents));
  }
  const subject = paymentSubject(payment.laptopName, transactionId);
  const note = `${formatCents(card.amountCents)}, ${card.refundId}`;
  await recordAudit(transaction, { act: 'Refund made at card processor', subject, note });
  if (unexplainedCents > 0) {
    const rest = `${formatCents(unexplainedCents)} of ${card.refundId}`;
    await recordAudit(transaction, { act: 'Refund without explanation', subject, note: rest });
  }
  await enqueue(transaction, refundFound, { cardRefundId: card.refundId });
}

/**
 * Stores the card processor's id of a refund that the shop made. Its response was lost, or its event overtook the response.
 * @returns whether it is the shop's
 */
async function nameOwnRefund(
  { database }: Pick<PaymentDependencies, 'database'>,
  card: KnownCardRefund,
): Promise<boolean> {
  if (card.reference === null) return false;
  const own = await refundStore.findByReference(database, card.reference);
  if (own === undefined || own.transaction_id !== card.transactionId) return false;
  await refundStore.setProviderId(database, own, card.refundId);
  return true;
}

/** Applies a status of the card processor to each refund that it pays. */
async function applyToAll(dependencies: PaymentDependencies, card: KnownCardRefund): Promise<void> {
  for (const refund of await refundStore.refundsOfCardRefund(dependencies.database, card.refundId)) {
    await applyRefund(dependencies, refund, card);
  }
}

/**
 * Finds the refund of the card processor that the shop made: stores its id and applies its status.
 * @returns whether it is the shop's
 */
export async function applyOwnRefund(dependencies: PaymentDependencies, card: CardRefund): Promise<boolean> {
  if (card.refundId === null) return false;
  const named = { ...card, refundId: card.refundId };
  if (!(await nameOwnRefund(dependencies, named))) return false;
  await applyToAll(dependencies, named);
  return true;
}

/**
 * Reads the refunds of a payment from the card processor, and records those that the shop does not know. A payment that is not
 * applied yet gets its result first.
 * @param refused a refund that the card processor has just refused to make: an operator may have made it
 * @throws CardProcessorUnavailable
 */
export async function recordUnknownRefunds(
  dependencies: PaymentDependencies,
  transactionId: string,
  refused: refundStore.RefundRow | null = null,
): Promise<void> {
  const { database, enqueue, cards } = dependencies;
  const refunds = await cards.listRefunds(transactionId);
  if (refunds.length === 0) return;
  if (!(await refundStore.isPaymentApplied(database, transactionId))) {
    await handleCardEvent(dependencies, transactionId);
  }
  for (const card of refunds) {
    if (card.refundId === null) continue;
    const named = { ...card, refundId: card.refundId };
    if ((await refundStore.refundsOfCardRefund(database, named.refundId)).length > 0) continue;
    if (!(await nameOwnRefund(dependencies, named))) {
      await database
        .transaction()
        .execute((transaction) => recordRefund(transaction, enqueue, named, refused));
    }
    await applyToAll(dependencies, named);
  }
  await dependencies.cache.waitForInvalidation();
}
