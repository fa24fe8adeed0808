import { sql } from 'kysely';
import { isFound } from '#server/money/payouts/steps.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';

/** What the insurance of a label can still pay, in cents, in a query that joins labels and orders. All parcels of an order have one laptop. */
export const claimableCents = sql<number>`greatest(0, least(insured_cents, orders.price_cents - (
  select coalesce(sum(others.claim_paid_cents), 0) from labels as others
   where others.order_id = labels.order_id and others.id <> labels.id)))::int`;

/**
 * Whether an admin has to do with a claim: the insurance has not paid for a damaged parcel, or for a lost one that is not found, and can
 * still pay, or has paid for a lost one that was found.
 */
export const isClaim = sql<boolean>`case claim
  when 'open' then (claim_type = 'damage' or not ${isFound}) and ${claimableCents} > 0
  when 'paid' then claim_type = 'loss' and ${isFound}
  else false end`;

/** Whether the parcel in which the laptop of an order returns counts as lost: by its carrier, or by an open claim. */
export async function isReturnLost(reader: Reader, orderId: string): Promise<boolean> {
  const lost = await reader
    .selectFrom('labels')
    .innerJoin('orders', 'orders.id', 'labels.order_id')
    .select('labels.id')
    .where('labels.order_id', '=', orderId)
    .where('labels.way', '=', 'back')
    .where('labels.state', '=', 'used')
    .where(sql<boolean>`(labels.tracking = 'failure' or (claim = 'open' and claim_type = 'loss'))`)
    .where(sql<boolean>`not ${isFound}`)
    .executeTakeFirst();
  return lost !== undefined;
}

/** Opens the claims for a loss of the used and insured labels of a locked order, or of one of them, whose parcels are not found. */
export async function openClaims(
  transaction: Transaction,
  [column, id]: readonly [column: 'order_id' | 'id', id: string],
): Promise<void> {
  await transaction
    .updateTable('labels')
    .from('orders')
    .set({ claim: 'open', claim_type: 'loss' })
    .whereRef('orders.id', '=', 'labels.order_id')
    .where(`labels.${column}`, '=', id)
    .where('labels.state', '=', 'used')
    .where('insured_cents', '>', 0)
    .where('claim', 'is', null)
    .where(sql<boolean>`not ${isFound}`)
    .execute();
}

/**
 * Opens the claim for a damage of the used and insured label with which the laptop of a locked order arrived last on a way. The claim of
 * the way out is that of a buyer who complained last that it arrived damaged. After any such complaint, the one of the return would be
 * for the same damage.
 * An open claim for a loss becomes that one: the parcel was found.
 */
export async function openDamageClaim(transaction: Transaction, orderId: string, way: 'out' | 'back') {
  await sql`
    update labels set claim = 'open', claim_type = 'damage'
     where order_id = ${orderId} and state = 'used' and insured_cents > 0 and (claim is null or claim = 'open')
       and tracking_number = (select tracking_number from parcels
                               where order_id = ${orderId} and way = ${way} order by nth desc limit 1)
       and case ${way}
             when 'out' then (select kind from complaints where order_id = ${orderId} order by nth desc limit 1) = 'damaged'
             else not exists (select from complaints where order_id = ${orderId} and kind = 'damaged') end`.execute(
    transaction,
  );
}
