import type { Selectable } from 'kysely';
import type { Database, Reader, RefundsTable, Transaction } from '../database/tables.ts';
import type { RefundReason } from './rules.ts';
import { refundStates, statesBefore } from './states.ts';

export type RefundRow = Selectable<RefundsTable>;
/** One try at giving money back: what was learned of it must not be written to the next one. */
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

/** Why money of a booking's payments was, or is to be, given back: one reason for each such payment. */
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

/** Notes the card provider's id of a refund; the same twice changes nothing. */
export async function nameRefund(
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

/** Marks a refund as done. @param checkAt when to ask whether it still is @returns whether it was still pending */
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

/** Marks a refund as failed, also one that was done. @returns whether it had not failed before */
export async function failRefund(
  transaction: Transaction,
  { id, attempt }: Attempt,
  reason: string,
): Promise<boolean> {
  const result = await transaction
    .updateTable('refunds')
    .set({
      state: 'failed',
      failed_at: new Date(),
      failure_reason: reason,
      done_at: null,
      next_check_at: null,
    })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', 'in', statesBefore(refundStates, 'failed'))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Begins the next attempt at a failed refund, due at once. @returns undefined when it has not failed */
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

/** Refunds that it is time to ask about, skipping those that another process is asking about now. */
export function refundsToCheck(transaction: Transaction, now: Date, limit: number): Promise<RefundRow[]> {
  return transaction
    .selectFrom('refunds')
    .selectAll()
    .where('state', '<>', 'failed')
    .where('next_check_at', '<=', now)
    .orderBy('next_check_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** @param until null for never again */
export async function postponeRefundCheck(
  transaction: Transaction,
  id: string,
  until: Date | null,
): Promise<void> {
  await transaction.updateTable('refunds').set({ next_check_at: until }).where('id', '=', id).execute();
}

/** Whether money is still to be given back to a buyer. */
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
