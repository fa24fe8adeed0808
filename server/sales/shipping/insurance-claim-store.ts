import { sql } from 'kysely';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';
import { claimableCents, isClaim, ordersWithPeople } from '../orders/steps.ts';

/** Claims with their laptops and people. */
const claimRows = (reader: Reader) =>
  ordersWithPeople(reader)
    .innerJoin('labels', 'labels.order_id', 'orders.id')
    .select([
      'labels.id',
      'labels.claim_type',
      'labels.order_id',
      'labels.carrier',
      'labels.tracking_number',
      'labels.insured_cents',
      'labels.claim_paid_cents',
      'labels.tracking',
    ])
    .select(claimableCents.as('claimable_cents'))
    .where(sql<boolean>`claim in ('open', 'paid')`)
    .where(isClaim);

const CLAIMS_SHOWN = 100;

/** The oldest claims. */
export const listClaims = (reader: Reader): Promise<ClaimRow[]> =>
  claimRows(reader).orderBy('labels.number').limit(CLAIMS_SHOWN).execute();

export type ClaimRow = NonNullable<Awaited<ReturnType<typeof findClaim>>>;

/** A claim of a locked order that an admin can decide. */
export const findClaim = (transaction: Transaction, id: string) =>
  claimRows(transaction).where('labels.id', '=', id).executeTakeFirst();
