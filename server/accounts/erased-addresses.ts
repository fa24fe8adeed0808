import { createHash } from 'node:crypto';
import type { Database, Reader, Transaction } from '../database/tables.ts';

/** A day: no provider's ID tokens are good for longer. In milliseconds. */
const REMEMBERED_MILLISECONDS = 24 * 60 * 60_000;

const keyOf = (email: string) => createHash('sha256').update(email).digest('hex');

/** Notes that the account of an address in lower case was erased: its ID tokens may still be out. */
export async function recordErasure(transaction: Transaction, email: string, at: Date): Promise<void> {
  const row = { erased_at: at, forget_at: new Date(at.getTime() + REMEMBERED_MILLISECONDS) };
  await transaction
    .insertInto('erased_addresses')
    .values({ email_sha256: keyOf(email), ...row })
    .onConflict((conflict) => conflict.column('email_sha256').doUpdateSet(row))
    .execute();
}

/**
 * Whether the account of an address was erased after a sign-in, so that the sign-in belonged to that account.
 * @param signIn.at in seconds since 1970; null when the provider does not say
 */
export async function wasErasedAfter(
  reader: Reader,
  signIn: { email: string; at: number | null },
): Promise<boolean> {
  const row = await reader
    .selectFrom('erased_addresses')
    .select('erased_at')
    .where('email_sha256', '=', keyOf(signIn.email))
    .executeTakeFirst();
  // The provider counts in whole seconds: a sign-in within the second of the end counts as earlier.
  return row !== undefined && (signIn.at ?? 0) <= Math.floor(row.erased_at.getTime() / 1000);
}

/** Drops the notes that no ID token can outlive. */
export async function removeExpiredErasures(database: Database, now: Date): Promise<void> {
  await database.deleteFrom('erased_addresses').where('forget_at', '<', now).execute();
}
