import { createHash } from 'node:crypto';
import { DAY_MS } from '#contract/platform/durations.ts';
import type { Database, Reader, Transaction } from '#server/platform/database/tables.ts';

/** Upper limit of the lifetime of an ID token or of a token of the shop, in milliseconds. */
export const MAXIMUM_TOKEN_LIFETIME_MS = DAY_MS;

const sha256Of = (email: string) => createHash('sha256').update(email).digest('hex');

/** Records the erasure of an account, whose ID tokens may still be valid. @param email in lower case */
export async function recordErasure(transaction: Transaction, email: string, at: Date): Promise<void> {
  const row = { erased_at: at, forget_at: new Date(at.getTime() + MAXIMUM_TOKEN_LIFETIME_MS) };
  await transaction
    .insertInto('erased_addresses')
    .values({ email_sha256: sha256Of(email), ...row })
    .onConflict((conflict) => conflict.column('email_sha256').doUpdateSet(row))
    .execute();
}

/**
 * Whether an address's account was erased after a sign-in, which then belonged to the erased account.
 * @param signIn.at in seconds since 1970; null when the token does not state it
 */
export async function wasErasedAfter(
  reader: Reader,
  signIn: { email: string; at: number | null },
): Promise<boolean> {
  const row = await reader
    .selectFrom('erased_addresses')
    .select('erased_at')
    .where('email_sha256', '=', sha256Of(signIn.email))
    .executeTakeFirst();
  // The provider's times are whole seconds: a sign-in in the second of the erasure counts as earlier.
  return row !== undefined && (signIn.at ?? 0) <= Math.floor(row.erased_at.getTime() / 1000);
}

/** Removes the records of erasures that happened before any valid ID token was issued. */
export async function removeExpiredErasures(database: Database, now: Date): Promise<void> {
  await database.deleteFrom('erased_addresses').where('forget_at', '<', now).execute();
}
