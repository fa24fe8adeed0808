import { DAY_MS } from '#contract/platform/durations.ts';
import { payWaitingRefunds } from '#server/money/refunds/steps.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { processItems } from '#server/platform/jobs/failed-items.ts';
import { transferReversedPosting } from '../ledger/rules.ts';
import { post } from '../ledger/steps.ts';
import { followAccount, type ProcessorDependencies } from './accounts.ts';
import { PayoutRefusal } from './payout-processor.ts';
import { RESUME_AFTER_MS, refusalTexts, reversalReference } from './payout-processor-rules.ts';
import * as store from './reversal-store.ts';
import { lockBalance } from './store.ts';
import { findTransferById, findTransferByProviderId, type TransferRow } from './transfer-store.ts';

/**
 * What of a transfer is to be reversed, in cents: of what the seller owes, at most what the order's transfer was too much; while a bank
 * disputes the order's payment, the whole transfer. Whenever sellers are paid, orders that can still be complained about cover no debt.
 * Locks the seller's balance.
 */
async function centsToReverse(transaction: Transaction, transfer: TransferRow): Promise<number> {
  const { seller_id: sellerId, order_id: orderId } = transfer;
  const { freeCents } = await lockBalance(transaction, sellerId, 'completed', orderId);
  const current = await findTransferById(transaction, transfer.id);
  if (current === undefined) return 0;
  const leftCents = current.amount_cents - current.reversed_cents;
  if (await store.isDisputed(transaction, orderId)) return leftCents;
  return Math.min(-freeCents, await store.overpaidCents(transaction, orderId), leftCents);
}

/** Reserves a reversal. @returns undefined when nothing is to be reversed */
function reserve({ database }: ProcessorDependencies, transfer: TransferRow, now: Date) {
  return database.transaction().execute(async (transaction) => {
    const amountCents = await centsToReverse(transaction, transfer);
    if (amountCents <= 0) return undefined;
    const next_attempt_at = new Date(now.getTime() + RESUME_AFTER_MS);
    return store.beginReversal(transaction, {
      transfer_id: transfer.id,
      amount_cents: amountCents,
      next_attempt_at,
    });
  });
}

/** Records a reversal that the card processor made, and posts it. A repetition changes nothing. */
async function record(
  { database, enqueue, shop }: ProcessorDependencies,
  [transfer, reversal]: readonly [TransferRow, store.ReversalRow],
  reversalId: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockBalance(transaction, transfer.seller_id, shop().payoutAfter, transfer.order_id);
    if (!(await store.finishReversal(transaction, reversal, reversalId))) return;
    const { seller_id: sellerId, order_id: orderId } = transfer;
    const amountCents = reversal.amount_cents;
    await post(transaction, transferReversedPosting(reversalId, { sellerId, orderId, amountCents }));
    await payWaitingRefunds(transaction, enqueue, sellerId);
  });
}

/** Requests a reversal. What the account cannot cover stays a debt, which the next sales pay. */
async function request(
  dependencies: ProcessorDependencies,
  [transfer, reversal]: readonly [TransferRow, store.ReversalRow],
  now: Date,
): Promise<void> {
  if (transfer.transfer_id === null) return;
  const reference = reversalReference(reversal);
  try {
    const reversalId = await dependencies.processor.reverseTransfer({
      transferId: transfer.transfer_id,
      amountCents: reversal.amount_cents,
      reference,
      idempotencyKey: reference,
    });
    await record(dependencies, [transfer, reversal], reversalId);
  } catch (error) {
    if (!(error instanceof PayoutRefusal)) throw error;
    const tomorrow = new Date(now.getTime() + DAY_MS);
    await store.refuseReversal(dependencies.database, reversal.id, refusalTexts[error.reason], tomorrow);
    // Of a closed account nothing is tried again.
    await followAccount(dependencies, transfer.account_id);
  }
  // While this reversal was pending, events about an operator's were left to this check.
  await followTransfer(dependencies, transfer.transfer_id);
}

/** Resumes a reversal whose process was killed: looks for it first, as for a transfer, and requests it only if it is still due. */
async function resume(
  dependencies: ProcessorDependencies,
  reversal: store.ReversalRow,
  now: Date,
): Promise<void> {
  const transfer = await findTransferById(dependencies.database, reversal.transfer_id);
  if (transfer === undefined || transfer.transfer_id === null) return;
  const reversalId = await dependencies.processor.findReversal({
    transferId: transfer.transfer_id,
    reference: reversalReference(reversal),
  });
  if (reversalId !== null) return record(dependencies, [transfer, reversal], reversalId);
  // The bank can have decided for the shop, or other sales can have paid the debt.
  const dueCents = await dependencies.database
    .transaction()
    .execute((transaction) => centsToReverse(transaction, transfer));
  if (reversal.amount_cents > dueCents) {
    const problem = 'What is to be taken back has changed.';
    await store.refuseReversal(dependencies.database, reversal.id, problem, now);
    // As after a request: an operator's reversal may be why.
    return followTransfer(dependencies, transfer.transfer_id);
  }
  return request(dependencies, [transfer, reversal], now);
}

/** Reversals that one round begins or resumes. */
const REVERSAL_BATCH = 20;

/**
 * Resumes interrupted reversals, and reverses what sellers owe and transfers of disputed orders. One failure stops no other: a transfer
 * for which no reversal can be reserved is postponed, and a reserved reversal has its own next attempt.
 * @returns the failures
 */
export async function runReversals(dependencies: ProcessorDependencies, now: Date): Promise<unknown[]> {
  const { database } = dependencies;
  const failures: unknown[] = [];
  const attempt = async (task: Promise<void>) => {
    await task.catch((error: unknown) => failures.push(error));
  };
  const next = new Date(now.getTime() + RESUME_AFTER_MS);
  for (const reversal of await store.claimInterruptedReversals(database, now, next, REVERSAL_BATCH)) {
    await attempt(resume(dependencies, reversal, now));
  }
  const due = await store.transfersToReverse(database, now, REVERSAL_BATCH);
  const transfers = new Map(due.map((transfer) => [transfer.id, transfer]));
  const begin = async (id: string) => {
    const transfer = transfers.get(id);
    if (!transfer?.transfer_id) return;
    // An operator's reversal, or one that a restored backup does not know, takes back the same debt.
    await followTransfer(dependencies, transfer.transfer_id);
    const reversal = await reserve(dependencies, transfer, now);
    if (reversal) await attempt(request(dependencies, [transfer, reversal], now));
  };
  failures.push(...(await processItems(database, 'reversals', [...transfers.keys()], begin, { now })));
  return failures;
}

/**
 * Applies a transfer's state at the card processor: an operator may have reversed it there.
 * @throws PayoutProcessorUnavailable
 */
export async function followTransfer(
  { database, enqueue, processor, shop }: ProcessorDependencies,
  transferId: string,
): Promise<void> {
  const reversedCents = await processor.reversedCents(transferId);
  if (reversedCents === null) return;
  await database.transaction().execute(async (transaction) => {
    const known = await findTransferByProviderId(transaction, transferId);
    if (known === undefined) return;
    await lockBalance(transaction, known.seller_id, shop().payoutAfter, known.order_id);
    // A reversal of the shop's own is recorded when its request ends, and this check is repeated then.
    if (await store.isBeingReversed(transaction, known.id)) return;
    const transfer = await findTransferById(transaction, known.id);
    const amountCents = reversedCents - (transfer?.reversed_cents ?? 0);
    if (transfer === undefined || amountCents <= 0) return;
    await store.addReversedAmount(transaction, transfer.id, amountCents);
    const { seller_id: sellerId, order_id: orderId } = transfer;
    const reference = `${transferId}-${reversedCents}`;
    await post(transaction, transferReversedPosting(reference, { sellerId, orderId, amountCents }));
    await payWaitingRefunds(transaction, enqueue, sellerId);
  });
}
