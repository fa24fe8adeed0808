import { sql, type Updateable } from 'kysely';
import type { CheckedDocument, RecordedDocument, SellerBadge } from '#contract/people/seller-checks.ts';
import type { Tables, Transaction } from '#server/platform/database/tables.ts';

const updateActiveSeller = (transaction: Transaction, email: string) =>
  transaction
    .updateTable('users')
    .where('email', '=', email)
    .where('is_seller', '=', true)
    .where('ended_at', 'is', null);

/**
 * Marks an active seller as verified.
 * @param name the name that the admin saw; undefined for any
 * @returns rows changed: 0 when there is no such seller, it already was, or it has another name by now
 */
export async function markVerified(
  transaction: Transaction,
  email: string,
  name: string | undefined,
): Promise<number> {
  const update = updateActiveSeller(transaction, email)
    .set({ verified: true, verified_at: new Date() })
    .where('verified', '=', false);
  const result = await (name === undefined ? update : update.where('name', '=', name)).executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** A document of a seller that an admin has seen. */
export interface SeenDocument extends RecordedDocument {
  document: CheckedDocument;
  at: Date;
  /** The name on it. */
  name: string;
}

/**
 * Records a document of an active seller.
 * @returns rows changed: 0 when it was recorded before, or the seller has another name by now
 */
export async function recordSellerCheck(
  transaction: Transaction,
  email: string,
  { document, kind, seen, at, name }: SeenDocument,
): Promise<number> {
  const result = await updateActiveSeller(transaction, email)
    .set({
      [`${document}_checked_at` as const]: at,
      [`${document}_document` as const]: kind,
      [`${document}_seen` as const]: seen,
    })
    .where('name', '=', name)
    .where(`${document}_checked_at`, 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

const withoutBadge = {
  verified: { verified: false, verified_at: null },
  address: { address_checked_at: null, address_document: null, address_seen: null },
  identity: { identity_checked_at: null, identity_document: null, identity_seen: null },
} as const satisfies Record<SellerBadge, Updateable<Tables['users']>>;

/** Takes a badge of an active seller back. @returns rows changed: 0 when there is no such seller, or it has none */
export async function takeBadgeBack(
  transaction: Transaction,
  email: string,
  badge: SellerBadge,
): Promise<number> {
  const update = updateActiveSeller(transaction, email).set(withoutBadge[badge]);
  const result = await (badge === 'verified'
    ? update.where('verified', '=', true)
    : update.where(`${badge}_checked_at`, 'is not', null)
  ).executeTakeFirst();
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
