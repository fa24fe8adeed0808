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
