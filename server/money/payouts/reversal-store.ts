import { sql } from 'kysely';
import type { Database, Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import { isNotPostponed } from '#server/platform/jobs/failed-items.ts';
import { transferableCents } from './store.ts';
import { claimInterrupted, type TransferRow } from './transfer-store.ts';

export type ReversalRow = Row<'transfer_reversals'>;

export const claimInterruptedReversals = (database: Database, now: Date, next: Date, limit: number) =>
  claimInterrupted<ReversalRow>(database, 'transfer_reversals', now, next, limit);

/**
 * Made transfers for orders whose payment a bank disputes, and those of sellers who owe the shop money, for orders of which more
 * was transferred than is due. Orders that can still be complained about cover no debt. A closed account gives nothing back: what was transferred to it stays a debt.
 */
export async function transfersToReverse(
  database: Database,
  now: Date,
  limit: number,
): Promise<TransferRow[]> {
  const { rows } = await sql<TransferRow>`
    with candidates as (
      select transfers.* from orders join transfers on transfers.order_id = orders.id
       where orders.state = 'charge_disputed'
      union
      select transfers.* from seller_balances join transfers on transfers.seller_id = seller_balances.seller_id
       where ${transferableCents('completed')} < 0
         and exists (select from order_payables
                      where order_payables.order_id = transfers.order_id and payable_cents < 0)
    )
    select candidates.* from candidates
      join payout_accounts on payout_accounts.account_id = candidates.account_id and payout_accounts.state <> 'closed'
     where candidates.state = 'made' and reversed_cents < amount_cents
       and not exists (select from transfer_reversals
                        where transfer_reversals.transfer_id = candidates.id
                          and (state = 'pending' or (state = 'refused' and next_attempt_at > ${now})))
       and ${isNotPostponed('reversals', sql.ref('candidates.id'), now)}
     order by made_at desc limit ${limit}`.execute(database);
  return rows;
}

/** Whether a bank disputes the payment of an order. */
export async function isDisputed(transaction: Transaction, orderId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('orders')
    .select('id')
    .where('id', '=', orderId)
    .where('state', '=', 'charge_disputed')
    .executeTakeFirst();
  return row !== undefined;
}

/** How much more was paid to the seller for an order than is due, in cents; 0 for nothing. */
export async function overpaidCents(transaction: Transaction, orderId: string): Promise<number> {
  const { total } = await transaction
    .selectFrom('ledger_entries')
    .select(({ fn }) => fn.sum<string | null>('amount_cents').as('total'))
    .where('account', '=', 'payable')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow();
  return Math.max(0, Number(total ?? 0));
}

/** Begins a reversal. @returns undefined while another one of the transfer is pending */
export function beginReversal(
  transaction: Transaction,
  reversal: { transfer_id: string; amount_cents: number; next_attempt_at: Date },
): Promise<ReversalRow | undefined> {
  return transaction
    .insertInto('transfer_reversals')
    .values(reversal)
    .onConflict((conflict) => conflict.column('transfer_id').where('state', '=', 'pending').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Marks a reversal as made and adds it to its transfer. @returns whether it was pending */
export async function finishReversal(
  transaction: Transaction,
  reversal: Pick<ReversalRow, 'id' | 'transfer_id' | 'amount_cents'>,
  reversalId: string,
): Promise<boolean> {
  const result = await transaction
    .updateTable('transfer_reversals')
    .set({ state: 'made', reversal_id: reversalId })
    .where('id', '=', reversal.id)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await addReversedAmount(transaction, reversal.transfer_id, reversal.amount_cents);
  return true;
}

/** Adds to the amount of a transfer that was reversed. */
export async function addReversedAmount(
  transaction: Transaction,
  id: string,
  amountCents: number,
): Promise<void> {
  await transaction
    .updateTable('transfers')
    .set((column) => ({ reversed_cents: column('reversed_cents', '+', amountCents) }))
    .where('id', '=', id)
    .execute();
}

/** Marks a reversal as refused: what the seller owes stays a debt. */
export async function refuseReversal(
  database: Database,
  id: string,
  failure: string,
  nextAttemptAt: Date,
): Promise<void> {
  await database
    .updateTable('transfer_reversals')
    .set({ state: 'refused', failure, next_attempt_at: nextAttemptAt })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}

/** Whether a reversal of a transfer is pending. */
export async function isBeingReversed(reader: Reader, id: string): Promise<boolean> {
  const row = await reader
    .selectFrom('transfer_reversals')
    .select('id')
    .where('transfer_id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return row !== undefined;
}
