// SQL of the checks whether a sold laptop is the one that was measured.

import { MAXIMUM_SAME_LAPTOP_CHECKS, type SameLaptopCheck } from '#contract/certification/same-laptop.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';
import type { Comparison } from './same-laptop.ts';

/** Stores the result of a check. */
export async function insertComparison(
  transaction: Transaction,
  { orderId, laptopId }: { orderId: string; laptopId: string },
  { result, differences, unread }: Comparison,
): Promise<void> {
  await transaction
    .insertInto('same_laptop_checks')
    .values({
      order_id: orderId,
      laptop_id: laptopId,
      result,
      differences: JSON.stringify(differences),
      unread,
    })
    .execute();
}

/** The checks of an order, the latest first. */
export async function sameLaptopChecks(reader: Reader, orderId: string): Promise<SameLaptopCheck[]> {
  const rows = await reader
    .selectFrom('same_laptop_checks')
    .select(['checked_at', 'result', 'differences', 'unread'])
    .where('order_id', '=', orderId)
    .orderBy('number', 'desc')
    .limit(MAXIMUM_SAME_LAPTOP_CHECKS)
    .execute();
  return rows.map(({ checked_at, ...check }) => ({ at: checked_at.toISOString(), ...check }));
}
