import type { Database, Reader, Row, Transaction } from '../database/tables.ts';
import type { RefundReason } from './rules.ts';
import { refundStates, statesBefore } from './states.ts';

export type RefundRow = Row<'refunds'>;
/** One attempt at a refund. Updates name it, so that a late one does not change the next attempt. */
type Attempt = Pick<RefundRow, 'id' | 'attempt'>;

export function findRefund(reader: Reader, transactionId: string): Promise<RefundRow | undefined> {
  return reader
    .selectFrom('refunds')
    .selectAll()
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst();
}

export function findRefundById(reader: Reader, id: string): Promise<RefundRow | undefined> {
  return reader.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The reasons of a booking's refunds, one per refunded payment. */
export async function refundReasonsOf(reader: Reader, bookingId: string): Promise<RefundReason[]> {
  const rows = await reader
    .selectFrom('refunds')
    .select('reason')
    .where('booking_id', '=', bookingId)
    .execute();
  return rows.map(({ reason }) => reason);
}

export async function insertRefund(
  transaction: Transaction,
  refund: { booking_id: string; transaction_id: string; amount_cents: number; reason: RefundReason },
): Promise<string> {
  const row = await transaction
    .insertInto('refunds')
    .values(refund)
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Stores the card processor's id of a refund unless one is stored already. */
export async function setProviderId(
  database: Database,
  { id, attempt }: Attempt,
  cardRefundId: string,
): Promise<void> {
  await database
    .updateTable('refunds')
    .set({ card_refund_id: cardRefundId })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('card_refund_id', 'is', null)
    .execute();
}

/** Stores whether a pending attempt waits for funds. @returns whether that was not stored yet */
export async function setUnfunded(
  transaction: Transaction,
  { id, attempt }: Attempt,
  isUnfunded: boolean,
): Promise<boolean> {
  const value = isUnfunded ? attempt : null;
  const result = await transaction
    .updateTable('refunds')
    .set({ unfunded_attempt: value })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'pending')
    .where('unfunded_attempt', 'is distinct from', value)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Marks a refund as done. @param checkAt when to check it again @returns whether it was pending */
export async function finishRefund(
  transaction: Transaction,
  { id, attempt }: Attempt,
  checkAt: Date,
): Promise<boolean> {
  const result = await transaction
    .updateTable('refunds')
    .set({ state: 'done', done_at: new Date(), next_check_at: checkAt })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', 'in', statesBefore(refundStates, 'done'))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Marks a pending or done refund as failed. @returns its state before, or null when it had already failed */
export async function failRefund(
  transaction: Transaction,
  { id, attempt }: Attempt,
  reason: string,
): Promise<RefundRow['state'] | null> {
  // Locked, so that of two concurrent updates the second sees the first one's state.
  const row = await transaction
    .selectFrom('refunds')
    .select('state')
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', 'in', statesBefore(refundStates, 'failed'))
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  await transaction
    .updateTable('refunds')
    .set({
      state: 'failed',
      failed_at: new Date(),
      failure_reason: reason,
      done_at: null,
      next_check_at: null,
    })
    .where('id', '=', id)
    .execute();
  return row.state;
}

/**
 * Settles failed refunds of a payment with money that a bank gave the buyer, the oldest first. One that the money does not cover
 * stays failed.
 * @param availableCents the bank's money @returns the settled refunds
 */
export async function settleByBank(
  transaction: Transaction,
  transactionId: string,
  availableCents: number,
): Promise<RefundRow[]> {
  const failed = await transaction
    .selectFrom('refunds')
    .selectAll()
    .where('transaction_id', '=', transactionId)
    .where('state', '=', 'failed')
    .orderBy('created_at')
    .orderBy('id')
    .forUpdate()
    .execute();
  const settled: RefundRow[] = [];
  let left = availableCents;
  for (const refund of failed) {
    if (refund.amount_cents > left) continue;
    left -= refund.amount_cents;
    settled.push(refund);
    await transaction
      .updateTable('refunds')
      .set({ state: 'settled_by_bank', failed_at: null, failure_reason: null })
      .where('id', '=', refund.id)
      .execute();
  }
  return settled;
}

/** Starts the next attempt at a failed refund, due immediately. @returns undefined when it has not failed */
export function beginAgain(transaction: Transaction, transactionId: string): Promise<RefundRow | undefined> {
  return transaction
    .updateTable('refunds')
    .set((column) => ({
      state: 'pending',
      attempt: column('attempt', '+', 1),
      card_refund_id: null,
      failed_at: null,
      failure_reason: null,
      next_check_at: new Date(),
    }))
    .where('transaction_id', '=', transactionId)
    .where('state', '=', 'failed')
    .returningAll()
    .executeTakeFirst();
}

/** Whether a buyer has a pending refund. */
export async function hasPendingRefund(reader: Reader, buyerId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('refunds')
    .innerJoin('bookings', 'bookings.id', 'refunds.booking_id')
    .select('refunds.id')
    .where('bookings.buyer_id', '=', buyerId)
    .where('refunds.state', '=', 'pending')
    .executeTakeFirst();
  return row !== undefined;
}
