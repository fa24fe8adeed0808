import { sql } from 'kysely';
import type { CheckedDocument } from '#contract/seller-checks.ts';
import type { Transaction } from '../database/tables.ts';

/** Marks an active seller as verified. @returns rows changed: 0 when there is no such seller or it already was */
export async function markVerified(transaction: Transaction, email: string): Promise<number> {
  const result = await transaction
    .updateTable('users')
    .set({ verified: true, verified_at: new Date() })
    .where('email', '=', email)
    .where('role', '=', 'Seller')
    .where('ended_at', 'is', null)
    .where('verified', '=', false)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Records that a document of an active seller was seen. @returns rows changed: 0 when it was seen before */
export async function recordSellerCheck(
  transaction: Transaction,
  email: string,
  document: CheckedDocument,
): Promise<number> {
  const column = `${document}_checked_at` as const;
  const result = await transaction
    .updateTable('users')
    .set({ [column]: new Date() })
    .where('email', '=', email)
    .where('role', '=', 'Seller')
    .where('ended_at', 'is', null)
    .where(column, 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Stores the telephone number that a user has confirmed just now, in place of an earlier one. @param phone in E.164 */
export async function confirmPhone(transaction: Transaction, userId: string, phone: string): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ phone, phone_confirmed_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .execute();
}

/** Removes a user's confirmed telephone number with its date. @returns false when there was none */
export async function removePhone(transaction: Transaction, userId: string): Promise<boolean> {
  const result = await transaction
    .updateTable('users')
    .set({ phone: null, phone_confirmed_at: null })
    .where('id', '=', userId)
    .where('phone', 'is not', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
