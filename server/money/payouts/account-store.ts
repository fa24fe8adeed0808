import { sql } from 'kysely';
import type { Database, Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import type { BankPayout } from './payout-processor.ts';

export type AccountRow = Row<'payout_accounts'>;

/** An account, and the transaction that last changed its row (`xmin` of PostgreSQL). */
export interface VersionedAccount extends AccountRow {
  version: string;
}

const versionedAccounts = (reader: Reader) =>
  reader.selectFrom('payout_accounts').selectAll().select(sql<string>`xmin::text`.as('version'));

export const findAccount = (reader: Reader, sellerId: string): Promise<AccountRow | undefined> =>
  reader.selectFrom('payout_accounts').selectAll().where('seller_id', '=', sellerId).executeTakeFirst();

export const findAccountById = (reader: Reader, accountId: string): Promise<VersionedAccount | undefined> =>
  versionedAccounts(reader).where('account_id', '=', accountId).executeTakeFirst();

/** Finds a seller's account or begins one. A closed or refused one is followed by the next attempt. */
export async function beginAccount(
  transaction: Transaction,
  sellerId: string,
  country: string,
): Promise<AccountRow> {
  await transaction
    .insertInto('payout_accounts')
    .values({ seller_id: sellerId, country })
    .onConflict((conflict) => conflict.column('seller_id').doNothing())
    .execute();
  await transaction
    .updateTable('payout_accounts')
    .set((column) => ({
      attempt: column('attempt', '+', 1),
      account_id: null,
      state: 'creating',
      country,
      requirements: '[]',
      problem: '',
    }))
    .where('seller_id', '=', sellerId)
    .where('state', 'in', ['closed', 'refused'])
    .execute();
  return transaction
    .selectFrom('payout_accounts')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .executeTakeFirstOrThrow();
}

/** Changes a seller's account unless another attempt has begun. */
export async function updateAccount(
  reader: Reader,
  { seller_id, attempt }: Pick<AccountRow, 'seller_id' | 'attempt'>,
  changes: Partial<
    Pick<AccountRow, 'account_id' | 'state' | 'problem' | 'next_check_at' | 'active_since'>
  > & {
    requirements?: string;
  },
): Promise<void> {
  await reader
    .updateTable('payout_accounts')
    .set(changes)
    .where('seller_id', '=', seller_id)
    .where('attempt', '=', attempt)
    .execute();
}

/** Holds transfers to a seller's account until a time. */
export async function pauseTransfersUntil(
  transaction: Transaction,
  sellerId: string,
  until: Date,
): Promise<void> {
  await transaction
    .updateTable('payout_accounts')
    .set({ transfers_paused_until: until })
    .where('seller_id', '=', sellerId)
    .execute();
}

/** Locks a seller's account. */
export const lockAccount = (
  transaction: Transaction,
  sellerId: string,
): Promise<VersionedAccount | undefined> =>
  versionedAccounts(transaction).where('seller_id', '=', sellerId).forUpdate().executeTakeFirst();

/** Claims accounts that are due for a check: postpones them, so that no other process checks them as well. */
export async function claimAccountsToCheck(
  database: Database,
  now: Date,
  next: Date,
  limit: number,
): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    update payout_accounts set next_check_at = ${next}
     where seller_id in (
       select seller_id from payout_accounts where account_id is not null and next_check_at <= ${now}
        order by next_check_at limit ${limit} for update skip locked)
    returning *`.execute(database);
  return rows;
}

/** Stores the state of a payout to a bank. */
export async function storeBankPayout(
  transaction: Transaction,
  payout: BankPayout & { sellerId: string; failure: string | null },
): Promise<void> {
  const values = { state: payout.status, failure: payout.failure, arrives_at: payout.arrivesAt };
  await transaction
    .insertInto('bank_payouts')
    .values({
      payout_id: payout.payoutId,
      account_id: payout.accountId,
      seller_id: payout.sellerId,
      amount_cents: payout.amountCents,
      created_at: payout.createdAt,
      destination: payout.destination,
      ...values,
    })
    .onConflict((conflict) => conflict.column('payout_id').doUpdateSet(values))
    .execute();
}

/** The bank account to which the last payout of an account before this one went; null when it is unknown. */
export async function destinationBefore(
  reader: Reader,
  sellerId: string,
  { accountId, payoutId, createdAt }: BankPayout,
): Promise<string | null> {
  const row = await reader
    .selectFrom('bank_payouts')
    .select('destination')
    .where('seller_id', '=', sellerId)
    .where('account_id', '=', accountId)
    .where('payout_id', '<>', payoutId)
    .where('created_at', '<=', createdAt)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.destination ?? null;
}

/** A seller's latest payout to a bank. */
export const latestBankPayout = (
  reader: Reader,
  sellerId: string,
): Promise<Row<'bank_payouts'> | undefined> =>
  reader
    .selectFrom('bank_payouts')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

export const findBankPayout = (reader: Reader, payoutId: string): Promise<Row<'bank_payouts'> | undefined> =>
  reader.selectFrom('bank_payouts').selectAll().where('payout_id', '=', payoutId).executeTakeFirst();
