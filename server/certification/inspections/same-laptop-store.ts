// SQL of the checks whether a sold laptop is the one that was measured.

import { sql } from 'kysely';
import { CODE_MINUTES } from '#contract/certification/inspections.ts';
import {
  MAXIMUM_SAME_LAPTOP_CHECKS,
  type SameLaptopCheck,
  type SameLaptopCode,
} from '#contract/certification/same-laptop.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';
import type { Comparison } from './same-laptop.ts';

/** Stores the code of an order's next check in place of an earlier one. @returns when it expires */
export async function replaceSameLaptopCode(
  transaction: Transaction,
  { orderId, laptopId, isByBuyer }: { orderId: string; laptopId: string; isByBuyer: boolean },
  code: { sha256: string; ending: string },
): Promise<Date> {
  const expiresAt = sql<Date>`now() + ${CODE_MINUTES}::int * interval '1 minute'`;
  const row = await transaction
    .insertInto('same_laptop_checks')
    .values({
      order_id: orderId,
      laptop_id: laptopId,
      code_sha256: code.sha256,
      code_ending: code.ending,
      code_expires_at: expiresAt,
      by_buyer: isByBuyer,
    })
    .onConflict((conflict) =>
      conflict
        .column('order_id')
        .where('checked_at', 'is', null)
        .doUpdateSet({ code_sha256: code.sha256, code_ending: code.ending, code_expires_at: expiresAt }),
    )
    .returning('code_expires_at')
    .executeTakeFirstOrThrow();
  return row.code_expires_at;
}

/** Finds and locks the check of a code that can still be used. */
export function selectCheckOfCode(
  transaction: Transaction,
  codeSha256: string,
): Promise<{ number: string; laptop_id: string; seller_id: string; by_buyer: boolean } | undefined> {
  return transaction
    .selectFrom('same_laptop_checks')
    .innerJoin('laptops', 'laptops.id', 'same_laptop_checks.laptop_id')
    .select(['same_laptop_checks.number', 'same_laptop_checks.laptop_id', 'laptops.seller_id', 'by_buyer'])
    .where('code_sha256', '=', codeSha256)
    .where('checked_at', 'is', null)
    .where('code_expires_at', '>', sql<Date>`now()`)
    .forUpdate('same_laptop_checks')
    .executeTakeFirst();
}

/** Stores the result of a check. It must be locked. */
export async function storeComparison(
  transaction: Transaction,
  number: string,
  { result, differences, unread }: Comparison,
): Promise<void> {
  await transaction
    .updateTable('same_laptop_checks')
    .set({
      checked_at: sql<Date>`now()`,
      result,
      differences: JSON.stringify(differences),
      unread,
    })
    .where('number', '=', number)
    .execute();
}

/** The checks of an order, the latest first. */
export async function sameLaptopChecks(reader: Reader, orderId: string): Promise<SameLaptopCheck[]> {
  const rows = await reader
    .selectFrom('same_laptop_checks')
    .select(['checked_at', 'result', 'differences', 'unread'])
    .where('order_id', '=', orderId)
    .where('checked_at', 'is not', null)
    .orderBy('number', 'desc')
    .limit(MAXIMUM_SAME_LAPTOP_CHECKS)
    .execute();
  return rows.flatMap(({ checked_at, result, differences, unread }) =>
    checked_at === null || result === null
      ? []
      : [{ at: checked_at.toISOString(), result, differences, unread }],
  );
}

/** The code with which an order's laptop can be measured again now; null without one. */
export async function findSameLaptopCode(reader: Reader, orderId: string): Promise<SameLaptopCode | null> {
  const row = await reader
    .selectFrom('same_laptop_checks')
    .select(['code_ending', 'code_expires_at'])
    .where('order_id', '=', orderId)
    .where('checked_at', 'is', null)
    .where('code_expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (row === undefined || row.code_ending === null) return null;
  return { ending: row.code_ending, expiresAt: row.code_expires_at.toISOString() };
}

/** Removes codes of checks that were not used. */
export async function removeUnusedSameLaptopCodes(reader: Reader): Promise<void> {
  await reader
    .deleteFrom('same_laptop_checks')
    .where('checked_at', 'is', null)
    .where('code_expires_at', '<', sql<Date>`now() - interval '1 hour'`)
    .execute();
}
