import { sql } from 'kysely';
import { MAXIMUM_VERSIONS, type RevocationReason } from '#contract/certification/certificates.ts';
import type { Reader, Row, Transaction } from '#server/platform/database/tables.ts';

/** The versions of a laptop's certificate, newest first. */
const versionsOf = (reader: Reader, laptopId: string) =>
  reader
    .selectFrom('certificate_versions')
    .selectAll('certificate_versions')
    .where('laptop_id', '=', laptopId)
    .orderBy('version', 'desc');

/** The latest version of a laptop's certificate. */
export const latest = (reader: Reader, laptopId: string): Promise<Row<'certificate_versions'> | undefined> =>
  versionsOf(reader, laptopId).limit(1).executeTakeFirst();

/** The latest version, and whether the key of its signature was revoked. */
export const latestWithKey = (reader: Reader, laptopId: string) =>
  versionsOf(reader, laptopId)
    .innerJoin('certificate_keys', 'certificate_keys.kid', 'certificate_versions.kid')
    .select(sql<boolean>`certificate_keys.revoked_at is not null`.as('is_key_revoked'))
    .limit(1)
    .executeTakeFirst();

/** The latest versions, newest first, and one more for the comparison. */
export const versions = (reader: Reader, laptopId: string): Promise<Row<'certificate_versions'>[]> =>
  versionsOf(reader, laptopId)
    .limit(MAXIMUM_VERSIONS + 1)
    .execute();

export async function insert(
  transaction: Transaction,
  version: Pick<
    Row<'certificate_versions'>,
    'laptop_id' | 'version' | 'issued_at' | 'kid' | 'content_sha256' | 'jws'
  >,
): Promise<void> {
  await transaction.insertInto('certificate_versions').values(version).execute();
}

/** Revokes all versions that are not revoked yet. */
export async function revoke(
  transaction: Transaction,
  laptopId: string,
  reason: RevocationReason,
): Promise<void> {
  await transaction
    .updateTable('certificate_versions')
    .set({ revoked_at: sql<Date>`now()`, revocation_reason: reason })
    .where('laptop_id', '=', laptopId)
    .where('revoked_at', 'is', null)
    .execute();
}

/**
 * Revokes the certificates of a seller's unsold laptops and erases their content. The rows stay, and say that they are
 * revoked. Those of sold laptops stay, because their buyers rely on them.
 */
export async function removeCertificatesOf(transaction: Transaction, sellerId: string): Promise<void> {
  await transaction
    .updateTable('certificate_versions')
    .from('laptops')
    .whereRef('laptops.id', '=', 'certificate_versions.laptop_id')
    .where('laptops.seller_id', '=', sellerId)
    .where('laptops.state', '!=', 'sold')
    .set({
      jws: null,
      revoked_at: sql<Date>`coalesce(revoked_at, now())`,
      revocation_reason: 'account_deleted',
    })
    .execute();
}

/** Takes the note that a laptop's certificate may have changed. @returns whether there was one */
export async function takeNote(transaction: Transaction, laptopId: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('certificates_to_renew')
    .where('laptop_id', '=', laptopId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Whether a laptop's certificate may have changed. */
export async function isNoted(reader: Reader, laptopId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('certificates_to_renew')
    .select('laptop_id')
    .where('laptop_id', '=', laptopId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The laptops whose certificates may have changed, those noted first. */
export async function noted(reader: Reader, limit: number): Promise<string[]> {
  const rows = await reader
    .selectFrom('certificates_to_renew')
    .select('laptop_id')
    .orderBy('noted_at')
    .limit(limit)
    .execute();
  return rows.map(({ laptop_id }) => laptop_id);
}
