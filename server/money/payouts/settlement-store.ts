import { type Insertable, sql } from 'kysely';
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
import { balances, withSellerNames } from './store.ts';

/** The balances of sellers who owe the shop. Each seller owes the same whenever sellers are paid. */
const debts = (reader: Reader) => balances(reader, 'completed').where('balance_cents', '<', sql.lit('0'));

/** The sellers who owe the shop, the largest debt first. */
export async function listDebts(
  reader: Reader,
  request: PageRequest<DebtKey>,
  encode: (key: DebtKey) => string,
): Promise<Page<IndebtedSeller>> {
  let owing = debts(reader)
    .orderBy('balance_cents')
    .orderBy('seller_id')
    .limit(sql.lit(rowsToRead(request)));
  if (request.after !== null) {
    const [balanceCents, sellerId] = request.after;
    owing = owing.where(
      sql<boolean>`(balance_cents, seller_id) > (${balanceCents}::bigint, ${sellerId}::uuid)`,
    );
  }
  const rows = await withSellerNames(reader, owing)
    .orderBy('due.balance_cents')
    .orderBy('due.seller_id')
    .execute();
  return toPage(rows, request, (row) => encode([row.balance_cents, row.seller_id]));
}

/** What a seller owes the shop, in cents; 0 for nothing. */
async function owedCents(reader: Reader, sellerId: string): Promise<number> {
  const row = await reader
    .selectFrom('seller_balances')
    .select('balance_cents')
    .where('seller_id', '=', sellerId)
    .executeTakeFirst();
  return Math.max(0, -Number(row?.balance_cents ?? 0));
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
  return { owedCents: await owedCents(transaction, sellerId), pendingCents: Number(pending ?? 0) };
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
