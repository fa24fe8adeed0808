import { type Insertable, sql } from 'kysely';
import { debtCents, debtOf } from '#server/money/refunds/steps.ts';
import {
  type Page,
  type PageRequest,
  readPage,
  rowsToRead,
  toPage,
} from '#server/platform/database/keyset-page.ts';
import type { Reader, Row, Tables, Transaction } from '#server/platform/database/tables.ts';
import { lockSellerBalance } from '../ledger/steps.ts';
import type { DebtKey, IndebtedSeller, SellerDebt, SettlementRow } from './settlement-rules.ts';

/** The sellers who owe the shop, the largest debt first. */
export async function listDebts(
  reader: Reader,
  request: PageRequest<DebtKey>,
  encode: (key: DebtKey) => string,
): Promise<Page<IndebtedSeller>> {
  let owing = reader
    // Materialized, so that a debt is computed once and not for each comparison.
    .with(
      (cte) => cte('debts').materialized(),
      (cte) =>
        cte
          .selectFrom('seller_balances')
          .select(['seller_id', debtOf(sql.ref('seller_balances.seller_id')).as('owed_cents')])
          .where('free_after_completion_cents', '<', sql.lit('0')),
    )
    .selectFrom('debts')
    .innerJoin('users', 'users.id', 'debts.seller_id')
    .select(['seller_id', 'owed_cents', 'users.name as seller_name', 'users.email as seller_email'])
    .where('owed_cents', '>', sql.lit('0'))
    .orderBy('owed_cents', 'desc')
    .orderBy('seller_id')
    .limit(sql.lit(rowsToRead(request)));
  if (request.after !== null) {
    const [cents, sellerId] = request.after;
    owing = owing
      .where('owed_cents', '<=', cents)
      .where(({ or, eb }) => or([eb('owed_cents', '<', cents), eb('seller_id', '>', sellerId)]));
  }
  return toPage(await owing.execute(), request, (row) => encode([row.owed_cents, row.seller_id]));
}

/** Locks a seller's balance until the transaction ends. @returns what the seller owes */
export async function lockDebt(transaction: Transaction, sellerId: string): Promise<SellerDebt> {
  await lockSellerBalance(transaction, sellerId);
  // Separate statements see what was committed before the lock was acquired.
  const { pending } = await transaction
    .selectFrom('transfer_reversals')
    .innerJoin('transfers', 'transfers.id', 'transfer_reversals.transfer_id')
    .select(({ fn }) => fn.sum<string | null>('transfer_reversals.amount_cents').as('pending'))
    .where('transfers.seller_id', '=', sellerId)
    .where('transfer_reversals.state', '=', sql.lit('pending'))
    .executeTakeFirstOrThrow();
  return { owedCents: await debtCents(transaction, sellerId), pendingCents: Number(pending ?? 0) };
}

/** @returns the id, or null when this seller has a settlement of this kind with the same reference */
export async function insertSettlement(
  transaction: Transaction,
  settlement: Insertable<Tables['settlements']>,
): Promise<string | null> {
  const row = await transaction
    .insertInto('settlements')
    .values(settlement)
    .onConflict((conflict) =>
      // The columns of `one_settlement_per_reference`.
      conflict.expression(sql`seller_id, kind, lower(regexp_replace(reference, '\\s', '', 'g'))`).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The payments to sellers and the settlements of their debts, newest first. */
export const listSettlements = (reader: Reader, request: PageRequest): Promise<Page<SettlementRow>> => {
  const query = reader
    .selectFrom('settlements')
    .innerJoin('users as sellers', 'sellers.id', 'settlements.seller_id')
    .innerJoin('users as admins', 'admins.id', 'settlements.admin_id')
    .selectAll('settlements')
    .select(['sellers.name as seller_name', 'sellers.email as seller_email', 'admins.name as admin_name']);
  return readPage(query, 'settlements.number', request);
};

export const findSettlement = (reader: Reader, id: string): Promise<Row<'settlements'> | undefined> =>
  reader.selectFrom('settlements').selectAll().where('id', '=', id).executeTakeFirst();
