import { formatCents } from '#contract/platform/money.ts';
import { refundReference } from '#server/money/refunds/rules.ts';
import * as refundStore from '#server/money/refunds/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { findBooking } from '../bookings/steps.ts';
import { applyRefund } from './apply-refund.ts';
import type { PaymentDependencies } from './dependencies.ts';
import { disputeFailures, isKeyForgotten, paymentSubject } from './rules.ts';
import { applyOwnRefund, recordUnknownRefunds } from './unknown-refunds.ts';

/** The idempotency key of an attempt. The first has no number because attempts were not counted at first. */
const idempotencyKeyOf = ({ id, attempt }: refundStore.RefundRow) =>
  attempt === 1 ? `refund-${id}` : `refund-${id}-${attempt}`;

/** Finds the refund of an attempt whose idempotency key the card processor may have forgotten. @returns whether it was found */
async function findMadeRefund(
  dependencies: PaymentDependencies,
  refund: refundStore.RefundRow,
): Promise<boolean> {
  const reference = refundReference(refund);
  const listed = await dependencies.cards.listRefunds(refund.transaction_id);
  const made = listed.find((card) => card.reference === reference);
  return made !== undefined && applyOwnRefund(dependencies, made);
}

/** Requests a refund from the card processor, and applies its status. @throws CardProcessorUnavailable */
async function requestRefund(
  dependencies: PaymentDependencies,
  refund: refundStore.RefundRow,
): Promise<void> {
  const { database, cards } = dependencies;
  if (isKeyForgotten(refund, new Date()) && (await findMadeRefund(dependencies, refund))) return;
  const created = await cards.refund({
    transactionId: refund.transaction_id,
    amountCents: refund.amount_cents,
    reference: refundReference(refund),
    idempotencyKey: idempotencyKeyOf(refund),
  });
  if (created.refundId !== null) {
    await refundStore.setProviderId(database, refund, created.refundId);
    return readStatus(dependencies, { ...refund, card_refund_id: created.refundId });
  }
  // An operator may have made it.
  await recordUnknownRefunds(dependencies, refund.transaction_id, refund);
  const now = await refundStore.findRefundById(database, refund.id);
  if (now?.card_refund_id === null && now.attempt === refund.attempt) {
    await applyRefund(dependencies, refund, created);
  }
}

/** Applies the current status of a refund that the card processor made. */
async function readStatus(
  dependencies: PaymentDependencies,
  refund: refundStore.RefundRow & { card_refund_id: string },
): Promise<void> {
  const card = await dependencies.cards.readRefund(refund.card_refund_id);
  if (card !== null) return applyRefund(dependencies, refund, card);
  // The card processor does not know this refund, so a pending one will never succeed. A done one stays done.
  if (refund.state === 'pending') {
    const failure = {
      status: 'failed',
      failureReason: 'unknown_to_the_card_processor',
      pendingReason: null,
    } as const;
    return applyRefund(dependencies, refund, failure);
  }
}

/**
 * Creates the refund at the card processor unless that was done before, and applies its current status. Idempotent.
 * @throws CardProcessorUnavailable
 */
export async function reconcileRefund(dependencies: PaymentDependencies, refundId: string): Promise<void> {
  const refund = await refundStore.findRefundById(dependencies.database, refundId);
  if (refund === undefined || !['pending', 'done'].includes(refund.state)) return;
  const { card_refund_id } = refund;
  if (card_refund_id !== null) return readStatus(dependencies, { ...refund, card_refund_id });
  if (refund.state === 'pending') await requestRefund(dependencies, refund);
}

/**
 * Compares the card processor's refunds of a payment with the shop's. What the shop is about to request is requested first, so that
 * no refund of an operator is taken for it.
 * @throws CardProcessorUnavailable
 */
export async function checkRefunds(dependencies: PaymentDependencies, transactionId: string): Promise<void> {
  for (const id of await refundStore.unrequestedRefunds(dependencies.database, transactionId)) {
    await reconcileRefund(dependencies, id);
  }
  await recordUnknownRefunds(dependencies, transactionId);
}

/** Handles an event about a refund: reads its current status and applies it, or records a refund that the shop did not make. */
export async function handleRefundEvent(
  dependencies: PaymentDependencies,
  { transactionId, cardRefundId }: { transactionId: string; cardRefundId: string },
): Promise<void> {
  const { database, cards } = dependencies;
  const known = await refundStore.refundsOfCardRefund(database, cardRefundId);
  for (const { id } of known) await reconcileRefund(dependencies, id);
  if (known.length > 0) return;
  const card = await cards.readRefund(cardRefundId);
  if (card?.transactionId !== transactionId || (await applyOwnRefund(dependencies, card))) return;
  // Nothing went back with a failed one: an earlier attempt of the shop, or an operator's.
  if (card.status === 'failed') return recordUnknownRefunds(dependencies, transactionId);
  await checkRefunds(dependencies, transactionId);
}

/** An attempt at a failed refund that was started. */
export interface BegunAttempt {
  attempt: number;
  /** Formatted. */
  amount: string;
  /** The subject in the audit trail. */
  subject: string;
}

/** The result of retrying refunds. */
export type RefundRetry =
  | { kind: Exclude<refundStore.RefundRow['state'], 'failed'> }
  | { kind: 'begun'; attempts: readonly BegunAttempt[] };

async function recordRetry(transaction: Transaction, begun: refundStore.RefundRow): Promise<BegunAttempt> {
  const booking = await findBooking(transaction, begun.booking_id);
  const { attempt } = begun;
  const amount = formatCents(begun.amount_cents);
  const subject = paymentSubject(booking?.laptop_name ?? 'A laptop', begun.transaction_id);
  const note = `${amount}, attempt ${attempt}`;
  await recordAudit(transaction, { act: 'Tried refund again', subject, note });
  return { attempt, amount, subject };
}

/** Makes the refunds of a payment due again that failed because of a dispute or inquiry, which ended well, unless a dispute is open. */
export async function retryDisputedRefunds(
  transaction: Transaction,
  enqueue: Enqueue,
  transactionId: string,
): Promise<void> {
  if (await refundStore.isWithheld(transaction, transactionId)) return;
  for (const begun of await refundStore.beginRetry(transaction, transactionId, disputeFailures)) {
    await recordRetry(transaction, begun);
    await enqueue(transaction, refundStore.refundDue, { refundId: begun.id });
  }
}

/**
 * Starts the next attempt at the failed refunds of a payment, or at one refund, and records it in the audit trail. The next
 * reconciliation of a running shop requests them from the card processor, each with an idempotency key of its own.
 * @param id a transaction id, or a refund's id
 * @returns null when there is no refund
 */
export function retryRefund(database: Database, id: string): Promise<RefundRetry | null> {
  return database.transaction().execute(async (transaction): Promise<RefundRetry | null> => {
    const begun = await refundStore.beginRetry(transaction, id);
    if (begun.length > 0) {
      const attempts: BegunAttempt[] = [];
      for (const refund of begun) attempts.push(await recordRetry(transaction, refund));
      return { kind: 'begun', attempts };
    }
    const states = (await refundStore.findRefunds(transaction, id)).map(({ state }) => state);
    if (states.length === 0) return null;
    if (states.includes('pending')) return { kind: 'pending' };
    if (states.includes('waiting')) return { kind: 'waiting' };
    if (states.includes('done')) return { kind: 'done' };
    return { kind: states.includes('paid_by_hand') ? 'paid_by_hand' : 'paid_by_bank' };
  });
}
