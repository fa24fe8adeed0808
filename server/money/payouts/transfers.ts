import { hasUnknownRefund } from '#server/money/refunds/steps.ts';
import { processItems } from '#server/platform/jobs/failed-items.ts';
import { transferPosting } from '../ledger/rules.ts';
import { post } from '../ledger/steps.ts';
import { followAccount, type ProcessorDependencies } from './accounts.ts';
import { transferRefused } from './notifications.ts';
import { PayoutRefusal } from './payout-processor.ts';
import { RESUME_AFTER_MS, refusalTexts, retryAt, transferReference } from './payout-processor-rules.ts';
import { followTransfer } from './reversals.ts';
import { lockBalance } from './store.ts';
import * as store from './transfer-store.ts';

const resumeAt = (now: Date) => new Date(now.getTime() + RESUME_AFTER_MS);

/** Reserves what can be paid of an order for a transfer. @returns null when nothing can be any more */
function reserve({ database, shop }: ProcessorDependencies, orderId: string, now: Date) {
  return database.transaction().execute(async (transaction): Promise<store.TransferRow | null> => {
    // First, as a change of the settings does: the two never wait for each other.
    if (!(await store.lockPayoutMethod(transaction))) return null;
    const order = await store.findSale(transaction, orderId);
    if (order === undefined) return null;
    const { payoutAfter } = shop();
    // Serializes everything that pays this seller. Another statement then sees what was committed before.
    const { freeCents } = await lockBalance(transaction, order.seller_id, payoutAfter, orderId);
    const due = await store.findDueOrder(transaction, payoutAfter, { orderId, reservedId: null }, now);
    if (due === undefined) return null;
    const amountCents = Math.min(Number(due.due_cents), freeCents);
    if (amountCents <= 0) return null;
    return store.beginTransfer(transaction, {
      order_id: orderId,
      seller_id: due.seller_id,
      account_id: due.account_id,
      amount_cents: amountCents,
      netted_cents: Math.max(0, Number(due.payable_cents) - amountCents),
      next_attempt_at: resumeAt(now),
    });
  });
}

/**
 * Whether a reserved transfer can still be made. Since it was reserved, a complaint or a bank can have stopped its order, a refund can have
 * lowered what is due, and the account can wait or be another one.
 */
function isStillDue(
  { database, shop }: ProcessorDependencies,
  { id, order_id: orderId, seller_id, account_id, amount_cents }: store.TransferRow,
  now: Date,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const { payoutAfter } = shop();
    // Without what is reserved, also for this transfer.
    const { freeCents } = await lockBalance(transaction, seller_id, payoutAfter, orderId);
    const due = await store.findDueOrder(transaction, payoutAfter, { orderId, reservedId: id }, now);
    return due?.account_id === account_id && amount_cents <= Number(due.due_cents) && freeCents >= 0;
  });
}

/** Records a transfer that the card processor made, and posts it. A repetition changes nothing. */
async function record(
  { database, shop }: ProcessorDependencies,
  transfer: store.TransferRow,
  transferId: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockBalance(transaction, transfer.seller_id, shop().payoutAfter, transfer.order_id);
    if (!(await store.finishTransfer(transaction, transfer, transferId))) return;
    const { seller_id: sellerId, order_id: orderId, amount_cents: amountCents } = transfer;
    await post(transaction, transferPosting(transferId, { sellerId, orderId, amountCents }));
  });
}

/**
 * Records the transfers from a charge that the card processor made and the shop does not know, such as those after the backup from which it
 * was restored. Their order then has less due, or nothing.
 * @returns whether there were any
 */
async function recordUnknown(
  dependencies: ProcessorDependencies,
  { seller_id, order_id }: store.TransferRow,
  transferGroup: string,
): Promise<boolean> {
  const { database, processor, shop } = dependencies;
  const recorded: string[] = [];
  for (const made of await processor.listTransfers(transferGroup)) {
    const { transferId, amountCents } = made;
    await database.transaction().execute(async (transaction) => {
      await lockBalance(transaction, seller_id, shop().payoutAfter, order_id);
      if (!(await store.insertMadeTransfer(transaction, { seller_id, order_id, ...made }))) return;
      const posting = transferPosting(transferId, { sellerId: seller_id, orderId: order_id, amountCents });
      await post(transaction, posting);
      recorded.push(transferId);
    });
  }
  for (const transferId of recorded) await followTransfer(dependencies, transferId);
  return recorded.length > 0;
}

/** Whether an operator refunded more of a payment at the card processor than the shop knows. */
function isRefundedElsewhere(
  { database, enqueue }: ProcessorDependencies,
  transactionId: string,
  refundedCents: number,
): Promise<boolean> {
  return database
    .transaction()
    .execute((transaction) => hasUnknownRefund(transaction, enqueue, { transactionId, refundedCents }));
}

/** Tells each admin and the log of a refused transfer: once, however often it is tried again. */
async function reportRefusal(
  { database, enqueue, logger }: ProcessorDependencies,
  { id: transfer, order_id: order, amount_cents: amountCents }: store.TransferRow,
  reason: string,
): Promise<void> {
  const isNew = await database.transaction().execute(async (transaction) => {
    const isClaimed = await store.claimRefusalNotification(transaction, transfer);
    if (isClaimed) await enqueue(transaction, transferRefused, { transferId: transfer });
    return isClaimed;
  });
  if (isNew) logger.warn({ transfer, order, amountCents, reason }, 'a transfer to a seller was refused');
}

/** Requests a reserved transfer. A refused one is due again later. @throws PayoutProcessorUnavailable */
async function request(
  dependencies: ProcessorDependencies,
  transfer: store.TransferRow,
  transactionId: string,
  now: Date,
): Promise<void> {
  const { database, processor } = dependencies;
  const reference = transferReference(transfer);
  try {
    const charge = await processor.chargeOf(transactionId);
    if (charge !== null && (await isRefundedElsewhere(dependencies, transactionId, charge.refundedCents))) {
      const problem = 'A refund of this sale is being recorded. What is left is transferred afterwards.';
      await store.refuseTransfer(database, transfer, problem, retryAt(1, now));
      return;
    }
    const group = charge?.transferGroup ?? null;
    if (group !== null && (await recordUnknown(dependencies, transfer, group))) {
      const problem = 'The card processor has made a transfer of this sale already, which is recorded now.';
      await store.refuseTransfer(database, transfer, problem, retryAt(1, now));
      return;
    }
    const transferId = await processor.createTransfer({
      accountId: transfer.account_id,
      amountCents: transfer.amount_cents,
      orderId: transfer.order_id,
      chargeId: charge?.chargeId ?? null,
      reference,
      idempotencyKey: reference,
    });
    await record(dependencies, transfer, transferId);
  } catch (error) {
    if (!(error instanceof PayoutRefusal)) throw error;
    const reason = refusalTexts[error.reason];
    await store.refuseTransfer(database, transfer, reason, retryAt(transfer.attempt, now));
    await reportRefusal(dependencies, transfer, reason);
    await followAccount(dependencies, transfer.account_id);
  }
}

/** Requests a reserved transfer of an order. @throws PayoutProcessorUnavailable */
async function requestReserved(
  dependencies: ProcessorDependencies,
  transfer: store.TransferRow,
  now: Date,
): Promise<void> {
  const order = await store.findSale(dependencies.database, transfer.order_id);
  if (order !== undefined) await request(dependencies, transfer, order.transaction_id, now);
}

/**
 * Resumes a transfer whose process was killed, or whose response was lost: looks for it at the card processor, because a
 * key is forgotten after a day, and requests it with the same key when it is not there and still due.
 */
async function resume(
  dependencies: ProcessorDependencies,
  transfer: store.TransferRow,
  now: Date,
): Promise<void> {
  const transferId = await dependencies.processor.findTransfer({
    accountId: transfer.account_id,
    reference: transferReference(transfer),
    since: transfer.created_at,
  });
  if (transferId !== null) return record(dependencies, transfer, transferId);
  if (!(await isStillDue(dependencies, transfer, now))) {
    const problem =
      'What can be paid of this sale has changed. It is transferred when nothing holds it back.';
    return store.refuseTransfer(dependencies.database, transfer, problem, retryAt(1, now));
  }
  await requestReserved(dependencies, transfer, now);
}

/** Transfers that one round begins or resumes. */
const TRANSFER_BATCH = 20;

/**
 * Resumes interrupted transfers and, unless sellers are paid by hand, transfers what is due. One failure stops no other: an order for which no transfer can be reserved
 * is postponed, and a reserved transfer has its own next attempt.
 * @returns the failures
 */
export async function runTransfers(dependencies: ProcessorDependencies, now: Date): Promise<unknown[]> {
  const { database } = dependencies;
  const failures: unknown[] = [];
  const attempt = async (task: Promise<void>) => {
    await task.catch((error: unknown) => failures.push(error));
  };
  for (const transfer of await store.claimInterruptedTransfers(
    database,
    now,
    resumeAt(now),
    TRANSFER_BATCH,
  )) {
    await attempt(resume(dependencies, transfer, now));
  }
  if (dependencies.shop().payoutMethod === 'by_hand') return failures;
  const orderIds = await store.ordersToTransfer(
    database,
    dependencies.shop().payoutAfter,
    now,
    TRANSFER_BATCH,
  );
  const begin = async (orderId: string) => {
    const reserved = await reserve(dependencies, orderId, now);
    if (reserved !== null) await attempt(requestReserved(dependencies, reserved, now));
  };
  failures.push(...(await processItems(database, 'transfers', orderIds, begin, { now })));
  return failures;
}
