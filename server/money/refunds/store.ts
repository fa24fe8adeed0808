import { type Insertable, type RawBuilder, sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database, Reader, Row, Tables, Transaction } from '#server/platform/database/tables.ts';
import {
  REFERENCE_ID_LENGTH,
  type RefundReason,
  refundReference,
  refundStates,
  statesBefore,
  TAKEN_BACK_BY_BANK,
} from './rules.ts';

export type RefundRow = Row<'refunds'>;
/** One attempt at a refund. Updates name it, so that a late one does not change the next attempt. */
type Attempt = Pick<RefundRow, 'id' | 'attempt'>;

const isUuid = (text: string) => z.safeParse(z.uuid(), text).success;

/** The first refund of a payment. A payment that bought nothing has one that the shop decided. */
export function findRefund(reader: Reader, transactionId: string): Promise<RefundRow | undefined> {
  return reader
    .selectFrom('refunds')
    .selectAll()
    .where('transaction_id', '=', transactionId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** The refunds of a payment, or the refund with an id. */
export function findRefunds(reader: Reader, id: string): Promise<RefundRow[]> {
  const refunds = reader.selectFrom('refunds').selectAll();
  return (isUuid(id) ? refunds.where('id', '=', id) : refunds.where('transaction_id', '=', id)).execute();
}

export function findRefundById(reader: Reader, id: string): Promise<RefundRow | undefined> {
  return reader.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Finds a refund by the reference of its present attempt. */
export async function findByReference(reader: Reader, reference: string): Promise<RefundRow | undefined> {
  const id = reference.slice(0, REFERENCE_ID_LENGTH);
  const refund = isUuid(id) ? await findRefundById(reader, id) : undefined;
  return refund !== undefined && refundReference(refund) === reference ? refund : undefined;
}

/** The refunds that one refund of the card processor pays. */
export function refundsOfCardRefund(reader: Reader, cardRefundId: string): Promise<RefundRow[]> {
  return reader.selectFrom('refunds').selectAll().where('card_refund_id', '=', cardRefundId).execute();
}

/** The refunds of a payment that are to be requested from the card processor. @returns their ids */
export async function unrequestedRefunds(reader: Reader, transactionId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('refunds')
    .select('id')
    .where('transaction_id', '=', transactionId)
    .where('state', '=', 'pending')
    .where('card_refund_id', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** The reasons of a booking's refunds. */
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
  refund: Pick<
    Insertable<Tables['refunds']>,
    | 'booking_id'
    | 'transaction_id'
    | 'amount_cents'
    | 'reason'
    | 'state'
    | 'card_refund_id'
    | 'next_check_at'
    | 'note'
  >,
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
 * Marks refunds of a payment that failed or wait as paid with money that a bank gave the buyer, the oldest first. Of the last one the money may
 * cover a part: the rest stays as it is. Of a failed refund that nothing explained, nothing is owed.
 * @param availableCents the bank's money @returns the paid refunds
 */
export async function setPaidByBank(
  transaction: Transaction,
  transactionId: string,
  availableCents: number,
): Promise<Pick<RefundRow, 'id' | 'amount_cents'>[]> {
  const paid: Pick<RefundRow, 'id' | 'amount_cents'>[] = [];
  let left = availableCents;
  for (const refund of await selectOwedForUpdate(transaction, transactionId, null)) {
    if (left <= 0) break;
    const amount_cents = Math.min(left, refund.amount_cents);
    left -= amount_cents;
    paid.push({ id: await setRefundPaidByBank(transaction, refund, amount_cents), amount_cents });
  }
  return paid;
}

/** Marks a refund, or a part of it in a row of its own, as paid by the bank. @returns its id */
async function setRefundPaidByBank(
  transaction: Transaction,
  refund: RefundRow,
  amountCents: number,
): Promise<string> {
  const state = 'paid_by_bank';
  if (amountCents < refund.amount_cents) {
    return splitRefund(transaction, refund, amountCents, { state, next_check_at: null });
  }
  await transaction
    .updateTable('refunds')
    .set({ state, failed_at: null, failure_reason: null })
    .where('id', '=', refund.id)
    .execute();
  return refund.id;
}

/**
 * Marks refunds of a payment as failed that a bank had paid in a dispute, because the bank took its money back from the buyer. Apart from
 * `refundStates`: news of an attempt changes no such refund.
 * @param takenBackCents the bank's money @returns what is owed to the buyer again, in cents
 */
export async function setOwedAgain(
  transaction: Transaction,
  transactionId: string,
  takenBackCents: number,
): Promise<number> {
  const paid = await transaction
    .selectFrom('refunds')
    .selectAll()
    .where('transaction_id', '=', transactionId)
    .where('state', '=', 'paid_by_bank')
    .orderBy('created_at')
    .orderBy('id')
    .forUpdate()
    .execute();
  const failed = { state: 'failed', failed_at: new Date(), failure_reason: TAKEN_BACK_BY_BANK } as const;
  let left = takenBackCents;
  for (const refund of paid) {
    if (left <= 0) break;
    const amountCents = Math.min(left, refund.amount_cents);
    left -= amountCents;
    if (amountCents < refund.amount_cents) {
      await splitRefund(transaction, refund, amountCents, { ...failed, next_check_at: null });
    } else {
      await transaction.updateTable('refunds').set(failed).where('id', '=', refund.id).execute();
    }
  }
  return takenBackCents - left;
}

/**
 * Starts the next attempt at the failed refunds of a payment, or at one refund, due immediately. What is not owed to the buyer is not
 * tried again.
 * @param failureReasons only those that failed for one of these
 */
export function beginRetry(
  transaction: Transaction,
  id: string,
  failureReasons?: readonly string[],
): Promise<RefundRow[]> {
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
    .where(isUuid(id) ? 'id' : 'transaction_id', '=', id)
    .where('state', '=', 'failed')
    .where('reason', '<>', 'unexplained')
    .$if(failureReasons !== undefined, (refunds) =>
      refunds.where('failure_reason', 'in', failureReasons ?? []),
    )
    .returningAll()
    .execute();
}

/** Marks a failed refund that is owed to its buyer as paid outside the card processor. @returns undefined when it is none any more */
export function payFailedByHand(transaction: Transaction, id: string): Promise<RefundRow | undefined> {
  return transaction
    .updateTable('refunds')
    .set({ state: 'paid_by_hand', failed_at: null, failure_reason: null })
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .where('reason', '<>', 'unexplained')
    .returningAll()
    .executeTakeFirst();
}

/** Whether a buyer has a refund that is owed and not made yet. */
export async function hasPendingRefund(reader: Reader, buyerId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('refunds')
    .innerJoin('bookings', 'bookings.id', 'refunds.booking_id')
    .select('refunds.id')
    .where('bookings.buyer_id', '=', buyerId)
    .where('refunds.state', 'in', ['waiting', 'pending', 'failed'])
    // Of a failed refund that nothing explained, nothing is owed.
    .where(({ not, and, eb }) =>
      not(and([eb('refunds.state', '=', 'failed'), eb('refunds.reason', '=', 'unexplained')])),
    )
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the ledger has what was captured with a payment. */
export async function isPaymentApplied(reader: Reader, transactionId: string): Promise<boolean> {
  const row = await captures(reader, transactionId).executeTakeFirst();
  return row !== undefined;
}

const captures = (reader: Reader, transactionId: string) =>
  reader
    .selectFrom('ledger_postings')
    .select('id')
    .where('kind', 'in', ['sale', 'payment_without_sale'])
    .where('reference', '=', transactionId);

/** Locks what was captured with a payment. */
export async function lockCapture(transaction: Transaction, transactionId: string): Promise<void> {
  await captures(transaction, transactionId).forNoKeyUpdate().execute();
}

/** The booking of a payment that was applied, or of its refund. */
export function bookingOfPayment(
  reader: Reader,
  transactionId: string,
): Promise<{ id: string; laptop_name: string } | undefined> {
  return reader
    .selectFrom('bookings')
    .innerJoin('laptops', 'laptops.id', 'bookings.laptop_id')
    .select(['bookings.id', 'laptops.name as laptop_name'])
    .where('bookings.id', 'in', (query) =>
      query
        .selectFrom('orders')
        .select('booking_id')
        .where('transaction_id', '=', transactionId)
        .union(query.selectFrom('refunds').select('booking_id').where('transaction_id', '=', transactionId)),
    )
    .executeTakeFirst();
}

/** The refunds of a payment that are owed and not requested, oldest first. Locks them. @param refused one that was refused */
export function selectOwedForUpdate(
  transaction: Transaction,
  transactionId: string,
  refused: Attempt | null,
): Promise<RefundRow[]> {
  return transaction
    .selectFrom('refunds')
    .selectAll()
    .where('transaction_id', '=', transactionId)
    .where('reason', '<>', 'unexplained')
    .where(({ or, and, eb }) =>
      or([
        eb('state', 'in', ['failed', 'waiting']),
        ...(refused === null
          ? []
          : [
              and([
                eb('id', '=', refused.id),
                eb('attempt', '=', refused.attempt),
                eb('state', '=', 'pending'),
                eb('card_refund_id', 'is', null),
              ]),
            ]),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Pays an owed refund, or a part of it, with a refund that an operator made at the card processor. */
export async function payOwed(
  transaction: Transaction,
  owed: RefundRow,
  { cardRefundId, amountCents }: { cardRefundId: string; amountCents: number },
): Promise<void> {
  if (amountCents < owed.amount_cents) {
    await splitRefund(transaction, owed, amountCents, { card_refund_id: cardRefundId });
    return;
  }
  await transaction
    .updateTable('refunds')
    .set({
      state: 'pending',
      // Late answers about the failed attempt do not apply to this one.
      attempt: owed.state === 'failed' ? owed.attempt + 1 : owed.attempt,
      card_refund_id: cardRefundId,
      failed_at: null,
      failure_reason: null,
      next_check_at: new Date(),
    })
    .where('id', '=', owed.id)
    .execute();
}

/**
 * Takes a part of a refund into a row of its own. The next request for the rest has another amount, and therefore an attempt and a key
 * of its own. @returns the id of the part
 */
async function splitRefund(
  transaction: Transaction,
  refund: RefundRow,
  partCents: number,
  changes: Partial<Insertable<Tables['refunds']>> = {},
): Promise<string> {
  await transaction
    .updateTable('refunds')
    .set((column) => ({
      amount_cents: column('amount_cents', '-', partCents),
      attempt: refund.state === 'pending' ? refund.attempt + 1 : refund.attempt,
    }))
    .where('id', '=', refund.id)
    .execute();
  const { booking_id, transaction_id, reason, note } = refund;
  const part = { booking_id, transaction_id, reason, note, amount_cents: partCents };
  return insertRefund(transaction, { ...part, ...changes });
}

/**
 * What a seller owes the shop, in cents, in a query. A transfer in progress counts as made. What is due of orders that can still be
 * complained about or are in dispute covers nothing: it can go back to their buyers. A payment by hand is set off against the other
 * orders first, so no more of such money counts as missing than was transferred too much.
 * Only sellers with negative `free_after_completion_cents` owe something.
 * @param sellerId an id, or a column of the query
 */
export const debtOf = (sellerId: string | RawBuilder<string>) => sql<string>`(
  select greatest(0, -balance_cents, least(overpaid_cents, held_cents - balance_cents))
    from (select coalesce((select balance_cents from seller_balances as own where own.seller_id = ${sellerId}), 0)
                 - coalesce((select sum(amount_cents) from transfers
                              where seller_id = ${sellerId} and state = 'pending'), 0) as balance_cents,
                 coalesce((select sum(greatest(0, sent.pending_cents - payable_cents))
                             from (select order_id, sum(amount_cents) filter (where state = 'pending') as pending_cents
                                     from transfers where seller_id = ${sellerId} group by order_id) as made
                             join order_payables using (order_id)
                            cross join lateral (select coalesce(made.pending_cents, 0) as pending_cents) as sent),
                          0) as overpaid_cents,
                 coalesce((select sum(greatest(0, payable_cents - coalesce(
                                    (select sum(amount_cents) from transfers
                                      where transfers.order_id = order_payables.order_id and state = 'pending'), 0)))
                             from order_payables
                            where seller_id = ${sellerId} and payable_cents > 0 and hold <> 'none'), 0) as held_cents
         ) as sums)`;

/**
 * What sellers owe for orders of which they got no money, in cents, in a query: labels that nothing of the sale pays. No refund waits for
 * that.
 */
const unpaidChargesOf = (orderIds: readonly string[]) => sql<string>`(
  select coalesce(sum(greatest(0, -payable_cents - (select coalesce(sum(amount_cents - reversed_cents), 0) from transfers
                                                     where transfers.order_id = order_payables.order_id and state = 'made'))), 0)
    from order_payables where order_id = any(${orderIds}::uuid[]))`;

/**
 * How much more a seller got for an order than is due, at most what the seller owes the shop, in cents; without unpaid charges. A transfer
 * in progress counts as made. Payments outside the shop name no order, so each of them counts for every order.
 */
export async function overpaidCents(
  transaction: Transaction,
  { orderId, sellerId }: { orderId: string; sellerId: string },
): Promise<number> {
  const { rows } = await sql<{ order_cents: string; by_hand_cents: string; debt_cents: string }>`
    select coalesce((select sum(amount_cents) from ledger_entries
                      where account = 'payable' and order_id = ${orderId}), 0)
           + coalesce((select sum(amount_cents) from transfers
                        where order_id = ${orderId} and state = 'pending'), 0)
           - ${unpaidChargesOf([orderId])} as order_cents,
           coalesce((select sum(amount_cents) from ledger_entries
                      where account = 'payable' and seller_id = ${sellerId} and order_id is null), 0) as by_hand_cents,
           ${debtOf(sellerId)} - ${unpaidChargesOf([orderId])} as debt_cents
  `.execute(transaction);
  const [found] = rows;
  if (found === undefined) throw new Error('a query without a table returned no row');
  const paidCents = Math.max(0, Number(found.order_cents)) + Math.max(0, Number(found.by_hand_cents));
  return Math.max(0, Math.min(paidCents, Number(found.debt_cents)));
}

/**
 * What a seller owes the shop and no money covers that is certainly the seller's, in cents.
 * @param orderIds orders whose unpaid charges do not count
 */
export async function debtCents(
  reader: Reader,
  sellerId: string,
  orderIds: readonly string[] = [],
): Promise<number> {
  const { rows } = await sql<{ cents: string }>`
    select greatest(0, ${debtOf(sellerId)} - ${unpaidChargesOf(orderIds)}) as cents`.execute(reader);
  return Number(rows[0]?.cents ?? 0);
}

/** What waits of the refunds of a payment, in cents. */
export async function waitingCents(reader: Reader, transactionId: string): Promise<number> {
  const { cents } = await reader
    .selectFrom('refunds')
    .select(({ fn }) => fn.sum<string | null>('amount_cents').as('cents'))
    .where('transaction_id', '=', transactionId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  return Number(cents ?? 0);
}

/** As {@link isWithheld}, of the payment of a row of `refunds`, which cannot be paid meanwhile. */
export const isRefundWithheld = sql<boolean>`exists (
  select from disputes where disputes.transaction_id = refunds.transaction_id and disputes.state = 'disputed')`;

/** Whether a bank withholds the money of a payment. An inquiry only asks. */
export async function isWithheld(reader: Reader, transactionId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('disputes')
    .select('id')
    .where('transaction_id', '=', transactionId)
    .where('state', '=', 'disputed')
    .executeTakeFirst();
  return row !== undefined;
}

/** A refund that waits, with its order. */
export type WaitingRow = RefundRow & { order_id: string };

/** The refunds of a seller's sales that wait, oldest first. Locks them. */
export function selectWaitingForUpdate(transaction: Transaction, sellerId: string): Promise<WaitingRow[]> {
  return transaction
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.transaction_id', 'refunds.transaction_id')
    .selectAll('refunds')
    .select('orders.id as order_id')
    .where('orders.seller_id', '=', sellerId)
    .where('refunds.state', '=', sql.lit('waiting'))
    .orderBy('refunds.created_at')
    .orderBy('refunds.id')
    .forUpdate('refunds')
    .execute();
}

/** The sellers of whose sales refunds wait. */
export async function sellersWithWaitingRefunds(reader: Reader): Promise<string[]> {
  const rows = await reader
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.transaction_id', 'refunds.transaction_id')
    .select('orders.seller_id')
    .distinct()
    .where('refunds.state', '=', sql.lit('waiting'))
    .execute();
  return rows.map(({ seller_id }) => seller_id);
}

/**
 * Makes a waiting refund, or a part of it, due. The rest keeps waiting in its own row.
 * @returns the id of the refund that is due
 */
export async function endRefundWait(
  transaction: Transaction,
  waiting: RefundRow,
  amountCents: number,
): Promise<string> {
  if (amountCents < waiting.amount_cents) return splitRefund(transaction, waiting, amountCents);
  await transaction
    .updateTable('refunds')
    .set({ state: 'pending', next_check_at: new Date() })
    .where('id', '=', waiting.id)
    .execute();
  return waiting.id;
}

/** Finds a refund and locks it. */
export function selectOneForUpdate(transaction: Transaction, id: string): Promise<RefundRow | undefined> {
  return transaction.selectFrom('refunds').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Marks refunds that have waited since a time, not for a bank, so that each is told once. @returns their ids */
export async function markToldWaiting(transaction: Transaction, before: Date): Promise<string[]> {
  const rows = await transaction
    .updateTable('refunds')
    .set({ told_waiting_at: new Date() })
    .where('state', '=', sql.lit('waiting'))
    .where('told_waiting_at', 'is', null)
    .where('created_at', '<', before)
    .where(({ not }) => not(isRefundWithheld))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The sum of a payment's refunds that the card processor made, as far as the shop knows, in cents. */
export async function madeRefundCents(reader: Reader, transactionId: string): Promise<number> {
  const { cents } = await reader
    .selectFrom('refunds')
    .select(({ fn }) => fn.sum<string | null>('amount_cents').as('cents'))
    .where('transaction_id', '=', transactionId)
    .where('state', 'in', ['pending', 'done'])
    .where('card_refund_id', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(cents ?? 0);
}

/** The payments in the card processor's balance that the shop has not settled. @param since the oldest movement */
export async function unknownPayments(reader: Reader, since: Date): Promise<string[]> {
  const { rows } = await sql<{ transaction_id: string }>`
    select distinct transaction_id from balance_transactions
     where type = 'charge' and created_at >= ${since} and transaction_id is not null
       and not exists (select from ledger_postings
                        where kind in ('sale', 'payment_without_sale') and reference = transaction_id)`.execute(
    reader,
  );
  return rows.map(({ transaction_id }) => transaction_id);
}

/** The payments of which the card processor's balance lists a refund that the shop does not know. @param since the oldest movement */
export async function paymentsWithUnknownRefunds(reader: Reader, since: Date): Promise<string[]> {
  const { rows } = await sql<{ transaction_id: string }>`
    select distinct transaction_id from balance_transactions
     where type = 'refund' and created_at >= ${since} and transaction_id is not null
       and exists (select from ledger_postings
                    where kind in ('sale', 'payment_without_sale') and reference = transaction_id)
       and not exists (select from refunds where card_refund_id = source_id)`.execute(reader);
  return rows.map(({ transaction_id }) => transaction_id);
}

/**
 * The disputes of payments in the card processor's balance that the shop does not know, or of which it does not know that they were won.
 * @param since the oldest movement @returns the card processor's ids
 */
export async function unknownDisputes(reader: Reader, since: Date): Promise<string[]> {
  const { rows } = await sql<{ source_id: string }>`
    select distinct source_id from balance_transactions
     where type in ('dispute', 'dispute_reversal') and created_at >= ${since} and source_id is not null
       and exists (select from ledger_postings
                    where kind in ('sale', 'payment_without_sale') and reference = transaction_id)
       and not exists (select from disputes
                        where card_dispute_id = source_id and (type = 'dispute' or state = 'won'))`.execute(
    reader,
  );
  return rows.map(({ source_id }) => source_id);
}
