import { sql, type UpdateQueryBuilder, type UpdateResult } from 'kysely';
import type { CheckedDocument, RecordedDocument, SellerBadge } from '#contract/people/seller-checks.ts';
import type { Tables, Transaction, UserRow } from '#server/platform/database/tables.ts';
import { withoutBadge } from './rules.ts';
import { findByEmail } from './store.ts';

/** A change of a seller: the row, and the number of rows that changed. */
export interface ChangedSeller {
  seller: UserRow;
  modifiedCount: number;
}

type UserUpdate = UpdateQueryBuilder<Tables, 'users', 'users', UpdateResult>;

/** Changes an active seller, as far as `update` applies. @returns null when there is no such seller */
async function changeSeller(
  transaction: Transaction,
  email: string,
  update: (seller: UserUpdate) => UserUpdate,
): Promise<ChangedSeller | null> {
  const active = transaction
    .updateTable('users')
    .where('email', '=', email)
    .where('is_seller', '=', true)
    .where('ended_at', 'is', null);
  const { numUpdatedRows } = await update(active).executeTakeFirstOrThrow();
  const seller = await findByEmail(transaction, email);
  if (seller === undefined || !seller.is_seller || seller.ended_at !== null) return null;
  return { seller, modifiedCount: Number(numUpdatedRows) };
}

/**
 * Marks a seller as verified, unless it is already or has another name by now.
 * @param name the name that the admin saw; undefined for any
 * @returns the seller, or null when there is no active one
 */
export const verifySeller = (transaction: Transaction, email: string, name: string | undefined) =>
  changeSeller(transaction, email, (seller) => {
    const unverified = seller.set({ verified: true, verified_at: new Date() }).where('verified', '=', false);
    return name === undefined ? unverified : unverified.where('name', '=', name);
  });

/** A document of a seller that an admin has seen. */
interface SeenDocument extends RecordedDocument {
  document: CheckedDocument;
  at: Date;
  /** The name on it. */
  name: string;
}

/**
 * Records that a document of a seller was seen, unless one was recorded before or the seller has another name by now.
 * @returns the seller, or null when there is no active one
 */
export const recordSellerCheck = (
  transaction: Transaction,
  email: string,
  { document, kind, seen, at, name }: SeenDocument,
) =>
  changeSeller(transaction, email, (seller) =>
    seller
      .set({
        [`${document}_checked_at` as const]: at,
        [`${document}_document` as const]: kind,
        [`${document}_seen` as const]: seen,
      })
      .where('name', '=', name)
      .where(`${document}_checked_at`, 'is', null),
  );

/** Takes a badge of a seller back, if it has it. @returns the seller, or null when there is no active one */
export const removeBadge = (transaction: Transaction, email: string, badge: SellerBadge) =>
  changeSeller(transaction, email, (seller) => {
    const update = seller.set(withoutBadge[badge]);
    return badge === 'verified'
      ? update.where('verified', '=', true)
      : update.where(`${badge}_checked_at`, 'is not', null);
  });

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
