import { payWaitingRefunds, sellersWithWaitingRefunds } from '#server/money/refunds/steps.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { processAll, processDue, throwFirst } from '#server/platform/jobs/batches.ts';
import { type BookedLaptop, bookingState } from '../bookings/rules.ts';
import { findBooking } from '../bookings/steps.ts';
import { payablePrice } from '../order-price.ts';
import { notifyWaitingRefunds } from './admin-refunds.ts';
import { applyStatus, closeAttempt, createIntent } from './attempts.ts';
import { CardProcessorRefusal, withAbortSignal } from './card-processor.ts';
import type { PaymentDependencies } from './dependencies.ts';
import { reconcileDispute } from './disputes.ts';
import { takeDueRows } from './due-checks-store.ts';
import { reconcileRefund } from './refunds.ts';
import { ABANDONED_MS, EVENT_RETENTION_MS, nextCheck, nextDailyCheck, nextRefundCheck } from './rules.ts';
import * as store from './store.ts';

/** Removes events that the card processor can no longer send again. */
export function removeOldEvents(database: Database, now: Date): Promise<void> {
  return store.removeEvents(database, new Date(now.getTime() - EVENT_RETENTION_MS));
}

/** Creates the intent of an attempt without one. @returns its id, or null when the attempt was closed instead */
async function recreateIntent(
  dependencies: PaymentDependencies,
  attempt: store.IntentRow,
  { booking, isAbandoned }: { booking: BookedLaptop; isAbandoned: boolean },
): Promise<string | null> {
  const { database } = dependencies;
  // Without the id no buyer has received the client secret, so nobody can pay. After a day the card processor has
  // forgotten the idempotency key, and another request would create a second intent.
  if (isAbandoned) {
    await store.abandonAttempt(database, attempt.id);
    return null;
  }
  try {
    return (await createIntent(dependencies, attempt, booking)).transactionId;
  } catch (error) {
    // A `Refusal`: the buyer's account has ended, and its customer is deleted.
    if (!(error instanceof CardProcessorRefusal || error instanceof Refusal)) throw error;
    await store.abandonAttempt(database, attempt.id);
    return null;
  }
}

/** Applies an attempt's current status, or closes it when it is abandoned or its booking cannot be paid with it any more. */
async function reconcileAttempt(
  dependencies: PaymentDependencies,
  attempt: store.IntentRow,
  now: Date,
): Promise<void> {
  const { database, cards } = dependencies;
  const isAbandoned = now.getTime() - attempt.created_at.getTime() > ABANDONED_MS;
  const booking = await findBooking(database, attempt.booking_id);
  if (booking === undefined) return;
  const transactionId =
    attempt.transaction_id ?? (await recreateIntent(dependencies, attempt, { booking, isAbandoned }));
  if (transactionId === null) return;
  const isPayable = bookingState(booking) === 'Unpaid' && attempt.amount_cents === payablePrice(booking);
  if (isAbandoned || !isPayable) return closeAttempt(dependencies, transactionId);
  const intent = await cards.readIntent(transactionId);
  if (intent === null) await store.endIntent(database, transactionId, 'closed');
  else await applyStatus(dependencies, intent);
}

/**
 * Lets refunds go on that waited for sellers' money which came back without a reversal, and tells about those that wait for long.
 * @returns the failures
 */
async function followWaitingRefunds(
  dependencies: PaymentDependencies,
  now: Date,
  signal: AbortSignal,
): Promise<unknown[]> {
  if (signal.aborted) return [];
  const { database, enqueue } = dependencies;
  const sellers = await sellersWithWaitingRefunds(database);
  if (sellers.length === 0) return [];
  const failures = await processAll(sellers, (sellerId) =>
    database.transaction().execute((transaction) => payWaitingRefunds(transaction, enqueue, sellerId)),
  );
  await notifyWaitingRefunds(dependencies, now);
  return failures;
}

/**
 * Asks the card processor about attempts, refunds and disputes that are due for a check, and applies what it answers.
 * This covers a browser that closed before it reported a payment, events that never arrived, a process that was killed,
 * and refunds whose job was given up or that the bank returned. Runs periodically in every process.
 * @param signal aborts calls under way and starts no others
 * @throws the first failure, after all due items were tried; failed ones are due again later
 */
export async function reconcile(
  options: PaymentDependencies,
  now: Date,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const dependencies = { ...options, cards: withAbortSignal(options.cards, signal) };
  const { database } = dependencies;
  const takeAttempts = () =>
    takeDueRows(database, 'payment_intents', now, (attempt) => nextCheck(attempt.created_at, now));
  const takeRefunds = () => takeDueRows(database, 'refunds', now, (refund) => nextRefundCheck(refund, now));
  const takeDisputes = () => takeDueRows(database, 'disputes', now, () => nextDailyCheck(now));
  throwFirst([
    ...(await processDue(signal, takeAttempts, (attempt) => reconcileAttempt(dependencies, attempt, now))),
    ...(await processDue(signal, takeRefunds, ({ id }) => reconcileRefund(dependencies, id))),
    ...(await processDue(signal, takeDisputes, (dispute) =>
      reconcileDispute(dependencies, dispute.card_dispute_id),
    )),
    // The last, because one that cannot be told fails the telling of all.
    ...(await followWaitingRefunds(dependencies, now, signal)),
  ]);
}
