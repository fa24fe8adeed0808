import { sql } from 'kysely';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';
import { isClaim } from '../orders/steps.ts';

/** Claims with their laptops and people. */
const claimRows = (reader: Reader) =>
  reader
    .selectFrom('labels')
    .innerJoin('orders', 'orders.id', 'labels.order_id')
    .innerJoin('laptops', 'laptops.id', 'orders.laptop_id')
    .innerJoin('users as sellers', 'sellers.id', 'orders.seller_id')
    .innerJoin('users as buyers', 'buyers.id', 'orders.buyer_id')
    .select([
      'labels.id',
      'labels.claim_type',
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

/** The oldest claims. */
export const listClaims = (reader: Reader): Promise<ClaimRow[]> =>
  claimRows(reader).orderBy('labels.number').limit(CLAIMS_SHOWN).execute();

export type ClaimRow = NonNullable<Awaited<ReturnType<typeof findClaim>>>;

/** A claim of a locked order that can be settled. */
export const findClaim = (transaction: Transaction, id: string) =>
  claimRows(transaction).where('labels.id', '=', id).executeTakeFirst();
