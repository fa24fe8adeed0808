// SQL of the one-time codes of laptops. Those of drafts and of sold laptops are in draft-store.ts and same-laptop-store.ts.

import { sql } from 'kysely';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';

/** Stores a laptop's code in place of an earlier one. */
export async function replaceCode(
  transaction: Transaction,
  laptopId: string,
  codeSha256: string,
  minutes: number,
): Promise<Date> {
  const { expires_at } = await transaction
    .insertInto('measurement_codes')
    .values({
      laptop_id: laptopId,
      code_sha256: codeSha256,
      expires_at: sql<Date>`now() + ${minutes}::int * interval '1 minute'`,
    })
    .onConflict((conflict) =>
      conflict.column('laptop_id').doUpdateSet((excluded) => ({
        code_sha256: excluded.ref('excluded.code_sha256'),
        expires_at: excluded.ref('excluded.expires_at'),
        report_taken: false,
        check_taken: false,
      })),
    )
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return expires_at;
}

/** What a code can be used for, once each. */
export type CodeUse = 'report' | 'check';
const usedColumns = { report: 'report_taken', check: 'check_taken' } as const;

/**
 * Records one of the two uses of a code; the other one stays.
 * @returns its laptop; null for an unknown, used or expired code, or when the laptop was sold meanwhile
 */
export async function consumeCode(
  transaction: Transaction,
  codeSha256: string,
  use: CodeUse,
): Promise<{ laptopId: string; sellerId: string } | null> {
  const taken = usedColumns[use];
  const row = await transaction
    .updateTable('measurement_codes')
    .set({ [taken]: true })
    .from('laptops')
    .whereRef('laptops.id', '=', 'measurement_codes.laptop_id')
    .where('code_sha256', '=', codeSha256)
    .where(taken, '=', false)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('laptops.state', '!=', 'sold')
    .returning(['measurement_codes.laptop_id', 'laptops.seller_id'])
    .executeTakeFirst();
  return row === undefined ? null : { laptopId: row.laptop_id, sellerId: row.seller_id };
}

/**
 * Whether a report with this code can be taken: of a laptop, a draft, or a check of a sold laptop. It uses nothing up, so the
 * transaction that takes the code decides.
 */
export async function canTakeReport(reader: Reader, codeSha256: string): Promise<boolean> {
  const { rows } = await sql<{ isUsable: boolean }>`
    select exists (select from measurement_codes
                    where code_sha256 = ${codeSha256} and not report_taken and expires_at > now())
        or exists (select from laptop_drafts
                    where code_sha256 = ${codeSha256} and not report_taken and code_expires_at > now())
        or exists (select from same_laptop_checks
                    where code_sha256 = ${codeSha256} and checked_at is null and code_expires_at > now())
        as "isUsable"`.execute(reader);
  return rows[0]?.isUsable === true;
}

/** The laptop of a code that can still be used for a browser check. */
export function findCheckCode(
  reader: Reader,
  codeSha256: string,
): Promise<{ name: string; expires_at: Date } | undefined> {
  return reader
    .selectFrom('measurement_codes')
    .innerJoin('laptops', 'laptops.id', 'measurement_codes.laptop_id')
    .select(['laptops.name', 'measurement_codes.expires_at'])
    .where('code_sha256', '=', codeSha256)
    .where('check_taken', '=', false)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('laptops.state', '!=', 'sold')
    .executeTakeFirst();
}

/** Removes codes that can no longer be used. */
export async function removeExpiredCodes(reader: Reader): Promise<void> {
  await reader
    .deleteFrom('measurement_codes')
    .where('expires_at', '<', sql<Date>`now() - interval '1 hour'`)
    .execute();
}
