import { type RawBuilder, sql } from 'kysely';
import type { Database, Reader, Transaction } from '#server/platform/database/tables.ts';
import { senderIn } from '../addresses/steps.ts';

/** What decides whether a label can come to a new manifest. */
export interface ManifestConditions {
  /** Labels that were bought earlier cannot. */
  since: Date;
  carriers: readonly string[];
}

/** Of one sender: the address from which it was quoted is the seller's latest one. */
const isFree = ({ since, carriers }: ManifestConditions): RawBuilder<boolean> => sql<boolean>`(
  labels.manifest is null
  and labels.tracking in ('unknown', 'pre_transit')
  and labels.carrier = any(${carriers})
  and labels.bought_at >= ${since}
  and exists (select from sender_addresses as used
               cross join lateral (
                     select * from sender_addresses where seller_id = orders.seller_id
                      order by stored_at desc limit 1) as latest
               where used.order_id = orders.id and used.changed_at <= labels.quoted_at
                 and ${senderIn('used')} is not distinct from ${senderIn('latest')}))`;

/** The labels that a seller has not handed over. */
const labelsToHandOver = (reader: Reader, sellerId: string, conditions: ManifestConditions) =>
  reader
    .selectFrom('labels')
    .innerJoin('orders', 'orders.id', 'labels.order_id')
    .select(['labels.id', 'labels.shipment_id', 'labels.manifest'])
    .select([sql<string>`labels.carrier`.as('carrier'), sql<string>`tracking_number`.as('tracking_number')])
    // Whether it can come to a new manifest with others of its carrier.
    .select(isFree(conditions).as('is_free'))
    .where('labels.state', '=', sql.lit('bought'))
    .where('labels.way', '=', 'out')
    .where('orders.seller_id', '=', sellerId)
    .orderBy('labels.number');

/** The labels of a seller that are on a manifest, or can come to one, oldest first. */
export const labelsWithManifests = (
  reader: Reader,
  sellerId: string,
  conditions: ManifestConditions,
  limit: number,
) =>
  labelsToHandOver(reader, sellerId, conditions)
    .where(sql<boolean>`(labels.manifest is not null or ${isFree(conditions)})`)
    .limit(limit)
    .execute();

/** Reads those of some labels that a seller has not handed over, and locks them. */
export const selectLabelsToHandOver = (
  transaction: Transaction,
  sellerId: string,
  ids: readonly string[],
  conditions: ManifestConditions,
) =>
  labelsToHandOver(transaction, sellerId, conditions)
    .where('labels.id', 'in', ids)
    .forUpdate('labels')
    .execute();

/** Records on which manifest labels are. @param manifest null for none */
export async function setManifest(
  database: Database | Transaction,
  ids: readonly string[],
  manifest: string | null,
): Promise<void> {
  await database.updateTable('labels').set({ manifest }).where('id', 'in', ids).execute();
}
