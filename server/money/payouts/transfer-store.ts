import { sql } from 'kysely';
import type { PayoutAfter } from '#contract/platform/shop-settings.ts';
import type { Database, Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import { isNotPostponed } from '#server/platform/jobs/failed-items.ts';
import type { MadeTransfer } from './payout-processor.ts';
import { transferableCents } from './store.ts';

export type TransferRow = Row<'transfers'>;

/**
 * Whether no hold keeps transfers from an account of `payout_accounts`: its bank account was not changed lately, and no admin has ended
 * its seller. People decide what an ended seller is paid, by hand.
 */
const areTransfersUnpaused = (now: Date) =>
  sql<boolean>`(
    (payout_accounts.transfers_paused_until is null or payout_accounts.transfers_paused_until <= ${now})
    and exists (select from users where users.id = payout_accounts.seller_id and users.ended_at is null))`;

/** Whether an operator reversed a transfer of the order at the card processor. What is due of it is paid by hand. */
const wasReversedByOperator = sql<boolean>`exists (
  select from transfers
   where transfers.order_id = orders.id
     and reversed_cents > (select coalesce(sum(amount_cents), 0) from transfer_reversals
                            where transfer_reversals.transfer_id = transfers.id
                              and transfer_reversals.state = 'made'))`;

/**
 * Keeps how sellers are paid until the transaction ends. The settings in the memory of a process may be older.
 * @returns whether they are paid by transfers
 */
export async function lockPayoutMethod(transaction: Transaction): Promise<boolean> {
  const row = await transaction
    .selectFrom('shop_settings')
    .select(sql<string | null>`document ->> 'payoutMethod'`.as('method'))
    .forShare()
    .executeTakeFirst();
  return row?.method === 'card_processor';
}

/** Whether a transfer was begun of which it is not known yet whether the card processor made it. */
export async function areTransfersPending(transaction: Transaction): Promise<boolean> {
  const row = await transaction
    .selectFrom('transfers')
    .select('id')
    .where('state', '=', sql.lit('pending'))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Finds whose sale an order is, and the payment from which it is transferred. */
export function findSale(reader: Reader, orderId: string) {
  return reader
    .selectFrom('orders')
    .select(['seller_id', 'transaction_id'])
    .where('id', '=', orderId)
    .executeTakeFirst();
}

/** Orders with money that can be paid now, of sellers with active accounts, the oldest first. @param limit the most orders */
export async function ordersToTransfer(
  database: Database,
  payoutAfter: PayoutAfter,
  now: Date,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ order_id: string }>`
    select due.order_id
      from seller_balances
      join payout_accounts on payout_accounts.seller_id = seller_balances.seller_id and payout_accounts.state = 'active'
      cross join lateral due_orders(seller_balances.seller_id, balance_cents, ${payoutAfter}) as due
      join orders on orders.id = due.order_id
     where balance_cents > 0 and ${transferableCents(payoutAfter)} > 0 and due.hold = 'none'
       and ${areTransfersUnpaused(now)}
       and not exists (select from transfers
                        where transfers.order_id = due.order_id
                          and (transfers.state = 'pending'
                               or (transfers.state = 'refused' and next_attempt_at > ${now})))
       and not ${wasReversedByOperator}
       and ${isNotPostponed('transfers', sql.ref('due.order_id'), now)}
     order by orders.released_at limit ${limit}`.execute(database);
  return rows.map(({ order_id }) => order_id);
}

/** An order with an amount to transfer. */
export interface DueOrder {
  order_id: string;
  seller_id: string;
  account_id: string;
  transaction_id: string;
  /** What the order has left for its seller, and the part that no debt of the seller takes. */
  payable_cents: string;
  due_cents: string;
}

/**
 * Reads what can be paid of an order to an active account, once the seller's balance is locked.
 * @param reservedId the transfer for which it is reserved already; null before
 */
export async function findDueOrder(
  transaction: Transaction,
  payoutAfter: PayoutAfter,
  { orderId, reservedId }: { orderId: string; reservedId: string | null },
  now: Date,
): Promise<DueOrder | undefined> {
  const { rows } = await sql<DueOrder>`
    select due.order_id, orders.seller_id, account_id, transaction_id, payable_cents, due_cents
      from orders
      join seller_balances on seller_balances.seller_id = orders.seller_id
     cross join lateral due_orders(seller_balances.seller_id, balance_cents, ${payoutAfter}) as due
      join payout_accounts on payout_accounts.seller_id = orders.seller_id and payout_accounts.state = 'active'
     where orders.id = ${orderId} and due.order_id = orders.id and due.hold = 'none'
       and ${areTransfersUnpaused(now)}
       and not exists (select from transfers where transfers.order_id = orders.id and transfers.state = 'pending'
                                               and transfers.id is distinct from ${reservedId})
       and not ${wasReversedByOperator}
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

/** Inserts a transfer that the card processor made. @returns false when it is known */
export async function insertMadeTransfer(
  transaction: Transaction,
  {
    transferId,
    accountId,
    amountCents,
    madeAt,
    ...sale
  }: MadeTransfer & Pick<TransferRow, 'seller_id' | 'order_id'>,
): Promise<boolean> {
  const result = await transaction
    .insertInto('transfers')
    .values({
      ...sale,
      state: 'made',
      transfer_id: transferId,
      account_id: accountId,
      amount_cents: amountCents,
      made_at: madeAt,
      next_attempt_at: madeAt,
    })
    .onConflict((conflict) => conflict.column('transfer_id').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
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

/** Notes that admins are told of a transfer's refusal. @returns false when they were told before */
export async function claimRefusalNotification(transaction: Transaction, id: string): Promise<boolean> {
  const result = await transaction
    .updateTable('transfers')
    .set({ refusal_told_at: new Date() })
    .where('id', '=', id)
    .where('refusal_told_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Claims pending rows whose process may have been killed: postpones them, so that no other process resumes them. */
export async function claimInterrupted<Result>(
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

export const claimInterruptedTransfers = (database: Database, now: Date, next: Date, limit: number) =>
  claimInterrupted<TransferRow>(database, 'transfers', now, next, limit);

/** Finds a made transfer by the card processor's id. */
export const findTransferByProviderId = (
  reader: Reader,
  transferId: string,
): Promise<TransferRow | undefined> =>
  reader.selectFrom('transfers').selectAll().where('transfer_id', '=', transferId).executeTakeFirst();

export const findTransferById = (reader: Reader, id: string): Promise<TransferRow | undefined> =>
  reader.selectFrom('transfers').selectAll().where('id', '=', id).executeTakeFirst();

/** Why the latest refused transfer of a seller was refused; null when there is none, or nothing of it is due any more. */
export async function latestRefusal(reader: Reader, sellerId: string): Promise<string | null> {
  const row = await reader
    .selectFrom('transfers')
    .select('failure')
    .where('seller_id', '=', sellerId)
    .where('state', '=', sql.lit('refused'))
    .where(sql<boolean>`is_still_due(transfers)`)
    .orderBy('next_attempt_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.failure ?? null;
}
