import { sql } from 'kysely';
import type { LabelWay, TrackingState } from '#contract/sales/labels.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';

/** Opens the claim of a locked label whose parcel is lost, if it is insured. */
export async function openClaim(transaction: Transaction, id: string): Promise<void> {
  await transaction
    .updateTable('labels')
    .set({ claim: 'open' })
    .where('id', '=', id)
    .where('state', '=', 'used')
    .where('insured_cents', '>', 0)
    .where('claim', 'is', null)
    .execute();
}

/** Opens the claim of the latest parcel of a locked order, if the shop insured it and its carrier does not say that it has arrived. */
export async function claimLostParcel(
  transaction: Transaction,
  orderId: string,
  way: LabelWay,
): Promise<void> {
  const row = await transaction
    .selectFrom('labels')
    .select('id')
    .where(
      'tracking_number',
      '=',
      sql<string>`(select tracking_number from parcels where order_id = ${orderId} and way = ${way} order by nth desc limit 1)`,
    )
    .where('tracking', 'not in', ['delivered', 'return_to_sender'])
    .executeTakeFirst();
  if (row !== undefined) await openClaim(transaction, row.id);
}

/** Whether the parcel of a label is with its recipient, or with the seller again. */
const isFound = sql<boolean>`(
  labels.tracking in ('delivered', 'return_to_sender') or orders.state in ('released', 'completed')
  or (labels.way = 'out' and orders.laptop_with_buyer)
  or exists (select from order_events
              where order_events.order_id = orders.id
                and (event = 'confirm_return' or (labels.way = 'out' and event in ('take_back', 'assume_return')))))`;

/** Whether an admin has to do with a claim: the insurance has not paid for a lost parcel, or has paid for one that was found. */
export const isClaim = sql<boolean>`case claim when 'open' then not ${isFound} when 'paid' then ${isFound} else false end`;

/** A claim with its laptop and seller. */
export interface ClaimRow {
  id: string;
  order_id: string;
  laptop_name: string;
  buyer_name: string;
  seller_name: string;
  carrier: string | null;
  tracking_number: string | null;
  insured_cents: number;
  claim_paid_cents: number | null;
  tracking: TrackingState;
}

const claimRows = (reader: Reader) =>
  reader
    .selectFrom('labels')
    .innerJoin('orders', 'orders.id', 'labels.order_id')
    .innerJoin('laptops', 'laptops.id', 'orders.laptop_id')
    .innerJoin('users as sellers', 'sellers.id', 'orders.seller_id')
    .innerJoin('users as buyers', 'buyers.id', 'orders.buyer_id')
    .select([
      'labels.id',
      'labels.order_id',
      'labels.carrier',
      'labels.tracking_number',
      'labels.insured_cents',
      'labels.claim_paid_cents',
      'labels.tracking',
      'laptops.name as laptop_name',
      'sellers.name as seller_name',
      'buyers.name as buyer_name',
    ])
    .where(sql<boolean>`claim in ('open', 'paid')`)
    .where(isClaim);

const CLAIMS_SHOWN = 100;

export const claims = (reader: Reader): Promise<ClaimRow[]> =>
  claimRows(reader).orderBy('labels.number').limit(CLAIMS_SHOWN).execute();

/** A claim of a locked order that can be settled. */
export const findClaim = (transaction: Transaction, id: string): Promise<ClaimRow | undefined> =>
  claimRows(transaction).where('labels.id', '=', id).executeTakeFirst();
