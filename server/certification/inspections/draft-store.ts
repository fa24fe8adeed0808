// SQL of drafts: laptops that are measured before they are listed.

import { sql } from 'kysely';
import type { Reader, Row, Transaction } from '#server/platform/database/tables.ts';

const inDays = (days: number) => sql<Date>`now() + ${days}::int * interval '1 day'`;

/** Creates a draft. Of a seller's drafts the oldest are deleted beyond `maximum`. */
export async function insertDraft(
  transaction: Transaction,
  sellerId: string,
  { days, maximum }: { days: number; maximum: number },
): Promise<Pick<Row<'laptop_drafts'>, 'id' | 'slip_code'>> {
  const draft = await transaction
    .insertInto('laptop_drafts')
    .values({ seller_id: sellerId, expires_at: inDays(days) })
    .returning(['id', 'slip_code'])
    .executeTakeFirstOrThrow();
  await transaction
    .deleteFrom('laptop_drafts')
    .where('id', 'in', (drafts) =>
      drafts
        .selectFrom('laptop_drafts')
        .select('id')
        .where('seller_id', '=', sellerId)
        .orderBy('number', 'desc')
        .offset(maximum),
    )
    .execute();
  return draft;
}

/** A seller's draft that has not expired. */
const draftOf = (reader: Reader, { id, sellerId }: { id: string; sellerId: string }) =>
  reader
    .selectFrom('laptop_drafts')
    .selectAll()
    .where('id', '=', id)
    .where('seller_id', '=', sellerId)
    .where('expires_at', '>', sql<Date>`now()`);

export const findDraft = (
  reader: Reader,
  draft: { id: string; sellerId: string },
): Promise<Row<'laptop_drafts'> | undefined> => draftOf(reader, draft).executeTakeFirst();

/** Selects a seller's draft with FOR UPDATE. Lock the draft before its code, which is deleted with it. */
export const selectDraftForUpdate = (
  transaction: Transaction,
  draft: { id: string; sellerId: string },
): Promise<Row<'laptop_drafts'> | undefined> => draftOf(transaction, draft).forUpdate().executeTakeFirst();

/** Prolongs a locked draft. */
export async function prolongDraft(transaction: Transaction, id: string, days: number): Promise<void> {
  await transaction
    .updateTable('laptop_drafts')
    .set({ expires_at: inDays(days) })
    .where('id', '=', id)
    .execute();
}

/**
 * Deletes the oldest measurements and the oldest browser checks of a locked draft, beyond `maximum` of each. The measurement before the
 * latest check stays: without it, the check would count for a later one, which may be of another machine.
 */
export async function removeOldEvidence(
  transaction: Transaction,
  draftId: string,
  maximum: number,
): Promise<void> {
  const oldest = (table: 'measurements' | 'browser_checks') =>
    transaction
      .deleteFrom(table)
      .where('id', 'in', (evidence) =>
        evidence
          .selectFrom(table)
          .select('id')
          .where('draft_id', '=', draftId)
          .orderBy('number', 'desc')
          .offset(maximum),
      );
  await oldest('browser_checks').execute();
  await oldest('measurements')
    .where('id', 'is distinct from', (evidence) =>
      evidence
        .selectFrom('measurements')
        .select('id')
        .where('draft_id', '=', draftId)
        .where('measured_at', '<=', (checks) =>
          checks
            .selectFrom('browser_checks')
            .select(({ fn }) => fn.max('checked_at').as('latest'))
            .where('draft_id', '=', draftId),
        )
        .orderBy('number', 'desc')
        .limit(1),
    )
    .execute();
}

/**
 * Deletes the measurements and the browser checks of a locked draft, and then its code as well.
 * @returns whether there was one of them; else the code stays
 */
export async function deleteEvidence(transaction: Transaction, id: string): Promise<boolean> {
  const deleteFrom = async (table: 'measurements' | 'browser_checks' | 'measurement_codes') => {
    const { numDeletedRows } = await transaction
      .deleteFrom(table)
      .where('draft_id', '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  };
  const [hadMeasurement, hadCheck] = [await deleteFrom('measurements'), await deleteFrom('browser_checks')];
  if (!hadMeasurement && !hadCheck) return false;
  await deleteFrom('measurement_codes');
  return true;
}

/**
 * Gives the latest measurement of a locked draft to the laptop that is listed with it, and the earlier ones of the same machine.
 * Without a serial number only the latest, because the earlier ones may be of another machine.
 */
export async function moveMeasurements(
  transaction: Transaction,
  latest: Pick<Row<'measurements'>, 'id' | 'draft_id' | 'machine_hash'>,
  laptopId: string,
): Promise<void> {
  await transaction
    .updateTable('measurements')
    .set({ laptop_id: laptopId, draft_id: null })
    .where('draft_id', '=', latest.draft_id)
    .where((where) =>
      where.or([where('id', '=', latest.id), where('machine_hash', '=', latest.machine_hash)]),
    )
    .execute();
}

/** Gives a browser check of a locked draft to the laptop that is listed with it. */
export async function moveCheck(transaction: Transaction, checkId: string, laptopId: string): Promise<void> {
  await transaction
    .updateTable('browser_checks')
    .set({ laptop_id: laptopId, draft_id: null })
    .where('id', '=', checkId)
    .execute();
}

/** Deletes a seller's draft with all that was stored of it. @returns the number of deleted drafts */
export async function deleteDraft(
  reader: Reader,
  { id, sellerId }: { id: string; sellerId: string },
): Promise<number> {
  const { numDeletedRows } = await reader
    .deleteFrom('laptop_drafts')
    .where('id', '=', id)
    .where('seller_id', '=', sellerId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes drafts that have expired, with their measurements. */
export async function removeExpiredDrafts(reader: Reader): Promise<void> {
  await reader.deleteFrom('laptop_drafts').where('expires_at', '<', sql<Date>`now()`).execute();
}

/** Deletes all drafts of a seller. */
export async function removeDraftsOf(transaction: Transaction, sellerId: string): Promise<void> {
  await transaction.deleteFrom('laptop_drafts').where('seller_id', '=', sellerId).execute();
}
