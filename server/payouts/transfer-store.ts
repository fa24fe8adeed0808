import { sql } from 'kysely';
import type { Database, Reader, Row, Transaction } from '../database/tables.ts';

export type TransferRow = Row<'transfers'>;
export type ReversalRow = Row<'transfer_reversals'>;

/** Orders with money due whose sellers have active accounts, the oldest first. @param limit the most orders */
export async function ordersToTransfer(database: Database, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ order_id: string }>`
    select payable_orders.order_id
      from seller_balances
      join payout_accounts on payout_accounts.seller_id = seller_balances.seller_id and payout_accounts.state = 'active'
      join lateral (select * from payable_orders
                     where payable_orders.seller_id = seller_balances.seller_id and due_cents > 0) as payable_orders
           on true
      join orders on orders.id = order_id and orders.state in ('released', 'completed', 'partly_refunded')
     where balance_cents > 0
       and not exists (select from transfers
                        where transfers.order_id = payable_orders.order_id
                          and (transfers.state = 'pending'
                               or (transfers.state = 'refused' and next_attempt_at > ${now})))
       -- What an operator reversed at the card processor is paid by hand.
       and not exists (select from transfers
                        where transfers.order_id = orders.id
                          and reversed_cents > (select coalesce(sum(amount_cents), 0) from transfer_reversals
                                                 where transfer_reversals.transfer_id = transfers.id
                                                   and transfer_reversals.state = 'made'))
     order by orders.released_at limit ${limit}`.execute(database);
  return rows.map(({ order_id }) => order_id);
}

/** What is to be transferred for an order. */
export interface DueOrder {
  order_id: string;
  seller_id: string;
  account_id: string;
  transaction_id: string;
  /** What the order has left for its seller, and the part that no debt of the seller takes. */
  payable_cents: string;
  due_cents: string;
}

/** Reads what is due of an order to an active account, once the seller's balance is locked. */
export async function findDueOrder(transaction: Transaction, orderId: string): Promise<DueOrder | undefined> {
  const { rows } = await sql<DueOrder>`
    select payable.order_id, payable.seller_id, account_id, transaction_id, payable_cents, due_cents
      from orders
      join payable_orders as payable on payable.order_id = orders.id and payable.seller_id = orders.seller_id
      join payout_accounts on payout_accounts.seller_id = orders.seller_id and payout_accounts.state = 'active'
     where orders.id = ${orderId} and orders.state in ('released', 'completed', 'partly_refunded')
       and not exists (select from transfers where transfers.order_id = orders.id and transfers.state = 'pending')
       -- What an operator reversed at the card processor is paid by hand.
       and not exists (select from transfers
                        where transfers.order_id = orders.id
                          and reversed_cents > (select coalesce(sum(amount_cents), 0) from transfer_reversals
                                                 where transfer_reversals.transfer_id = transfers.id
                                                   and transfer_reversals.state = 'made'))
  `.execute(transaction);
  return rows[0];
}

/** Begins a transfer, or the next attempt of a refused one. */
export async function beginTransfer(
  transaction: Transaction,
  transfer: {
    order_id: string;
    seller_id: string;
    account_id: string;
    amount_cents: number;
    netted_cents: number;
    next_attempt_at: Date;
  },
): Promise<TransferRow> {
  const again = await transaction
    .updateTable('transfers')
    .set((column) => ({
      ...transfer,
      attempt: column('attempt', '+', 1),
      state: 'pending',
      failure: null,
    }))
    .where('order_id', '=', transfer.order_id)
    .where('state', '=', 'refused')
    .returningAll()
    .executeTakeFirst();
  if (again !== undefined) return again;
  return transaction.insertInto('transfers').values(transfer).returningAll().executeTakeFirstOrThrow();
}

/** Marks an attempt of a transfer as made. @returns whether it was pending */
export async function finishTransfer(
  transaction: Transaction,
  { id, attempt }: Pick<TransferRow, 'id' | 'attempt'>,
  transferId: string,
): Promise<boolean> {
  const result = await transaction
    .updateTable('transfers')
    .set({ state: 'made', transfer_id: transferId, made_at: new Date() })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Marks an attempt of a transfer as refused: its amount is due again. */
export async function refuseTransfer(
  database: Database,
  { id, attempt }: Pick<TransferRow, 'id' | 'attempt'>,
  failure: string,
  nextAttemptAt: Date,
): Promise<void> {
  await database
    .updateTable('transfers')
    .set({ state: 'refused', failure, next_attempt_at: nextAttemptAt })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'pending')
    .execute();
}

/** Takes pending rows whose process may have been killed, and postpones them, so that no other process resumes them. */
async function takeInterrupted<Result>(
  database: Database,
  table: 'transfers' | 'transfer_reversals',
  now: Date,
  next: Date,
  limit: number,
): Promise<Result[]> {
  const { rows } = await sql<Result>`
    update ${sql.table(table)} set next_attempt_at = ${next}
     where id in (select id from ${sql.table(table)} where state = 'pending' and next_attempt_at <= ${now}
                   order by next_attempt_at limit ${limit} for update skip locked)
    returning *`.execute(database);
  return rows;
}

export const takeInterruptedTransfers = (database: Database, now: Date, next: Date, limit: number) =>
  takeInterrupted<TransferRow>(database, 'transfers', now, next, limit);

export const takeInterruptedReversals = (database: Database, now: Date, next: Date, limit: number) =>
  takeInterrupted<ReversalRow>(database, 'transfer_reversals', now, next, limit);

/** Finds a made transfer by the card processor's id. */
export const findTransferByProviderId = (
  reader: Reader,
  transferId: string,
): Promise<TransferRow | undefined> =>
  reader.selectFrom('transfers').selectAll().where('transfer_id', '=', transferId).executeTakeFirst();

export const findTransferById = (reader: Reader, id: string): Promise<TransferRow | undefined> =>
  reader.selectFrom('transfers').selectAll().where('id', '=', id).executeTakeFirst();

/** Made transfers of sellers who owe the shop money, for orders of which more was transferred than is due. */
export async function transfersToReverse(
  database: Database,
  now: Date,
  limit: number,
): Promise<TransferRow[]> {
  const { rows } = await sql<TransferRow>`
    select transfers.* from seller_balances
      join transfers on transfers.seller_id = seller_balances.seller_id
                    and state = 'made' and reversed_cents < amount_cents
     where balance_cents < 0
       and (select sum(amount_cents) from ledger_entries
             where account = 'payable' and ledger_entries.order_id = transfers.order_id) > 0
       and not exists (select from transfer_reversals
                        where transfer_reversals.transfer_id = transfers.id
                          and (state = 'pending' or (state = 'refused' and next_attempt_at > ${now})))
     order by transfers.made_at desc limit ${limit}`.execute(database);
  return rows;
}

/** What the seller got too much of an order, in cents; 0 for nothing. */
export async function overpaidOf(transaction: Transaction, orderId: string): Promise<number> {
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
  await addReversed(transaction, reversal.transfer_id, reversal.amount_cents);
  return true;
}

/** Adds to what came back of a transfer. */
export async function addReversed(transaction: Transaction, id: string, amountCents: number): Promise<void> {
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

/** Why the latest refused transfer of a seller was refused; null when there is none, or nothing of it is due any more. */
export async function latestRefusal(reader: Reader, sellerId: string): Promise<string | null> {
  const row = await reader
    .selectFrom('transfers')
    .innerJoin('orders', 'orders.id', 'transfers.order_id')
    .innerJoin('seller_balances', 'seller_balances.seller_id', 'transfers.seller_id')
    .select('failure')
    .where('transfers.seller_id', '=', sellerId)
    .where('transfers.state', '=', sql.lit('refused'))
    .where('balance_cents', '>', '0')
    .whereRef('refunded_cents', '<', 'price_cents')
    .orderBy('next_attempt_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.failure ?? null;
}
