// SQL of drafts: laptops that are measured before they are listed.

import { sql } from 'kysely';
import type { Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import type { NewBrowserCheck, NewMeasurement } from './store.ts';

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

/**
 * Gives a seller's draft a code in place of an earlier one, and prolongs the draft.
 * @returns when the code expires; undefined without such a draft
 */
export async function replaceDraftCode(
  reader: Reader,
  { id, sellerId }: { id: string; sellerId: string },
  codeSha256: string,
  { minutes, days }: { minutes: number; days: number },
): Promise<Date | undefined> {
  const row = await reader
    .updateTable('laptop_drafts')
    .set({
      code_sha256: codeSha256,
      code_expires_at: sql<Date>`now() + ${minutes}::int * interval '1 minute'`,
      report_taken: false,
      expires_at: inDays(days),
    })
    .where('id', '=', id)
    .where('seller_id', '=', sellerId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(sql<Date>`code_expires_at`.as('code_expires_at'))
    .executeTakeFirst();
  return row?.code_expires_at;
}

/** Finds and locks the draft of a code that can still be used for a report. */
export function selectDraftOfCode(
  transaction: Transaction,
  codeSha256: string,
): Promise<Pick<Row<'laptop_drafts'>, 'id' | 'seller_id' | 'machine' | 'machine_hash'> | undefined> {
  return transaction
    .selectFrom('laptop_drafts')
    .select(['id', 'seller_id', 'machine', 'machine_hash'])
    .where('code_sha256', '=', codeSha256)
    .where('report_taken', '=', false)
    .where('code_expires_at', '>', sql<Date>`now()`)
    .where('expires_at', '>', sql<Date>`now()`)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Stores the measurement of a locked draft, whose code takes no other report.
 * @param isOtherMachine whether the draft's browser check was made on another machine, or may have been. It is deleted then
 */
export async function storeDraftMeasurement(
  transaction: Transaction,
  id: string,
  { system, machine, machineHash, partHashes }: NewMeasurement,
  isOtherMachine: boolean,
): Promise<void> {
  await transaction
    .updateTable('laptop_drafts')
    .set({
      report_taken: true,
      measured_at: sql<Date>`now()`,
      measured_with: system,
      machine: JSON.stringify(machine),
      machine_hash: machineHash,
      part_hashes: partHashes,
      ...(isOtherMachine && {
        checked_at: null,
        check_code_sha256: null,
        check_results: null,
        check_browser: null,
      }),
    })
    .where('id', '=', id)
    .execute();
}

/** The draft of a code that can still be used for a browser check. */
export function findDraftOfCheckCode(
  reader: Reader,
  codeSha256: string,
): Promise<{ slip_code: string; code_expires_at: Date | null } | undefined> {
  return reader
    .selectFrom('laptop_drafts')
    .select(['slip_code', 'code_expires_at'])
    .where('code_sha256', '=', codeSha256)
    .where('check_code_sha256', 'is distinct from', codeSha256)
    .where('code_expires_at', '>', sql<Date>`now()`)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

/** Takes a code, and stores the browser check with its draft. @returns false when it is no draft's code, was used, or has expired */
export async function storeDraftCheck(
  transaction: Transaction,
  { codeSha256, results, browser }: NewBrowserCheck,
): Promise<boolean> {
  const row = await transaction
    .updateTable('laptop_drafts')
    .set({
      checked_at: sql<Date>`now()`,
      check_code_sha256: codeSha256,
      check_results: JSON.stringify(results),
      check_browser: JSON.stringify(browser),
    })
    .where('code_sha256', '=', codeSha256)
    .where('check_code_sha256', 'is distinct from', codeSha256)
    .where('code_expires_at', '>', sql<Date>`now()`)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** A seller's draft. */
export function findDraft(
  reader: Reader,
  { id, sellerId }: { id: string; sellerId: string },
): Promise<Row<'laptop_drafts'> | undefined> {
  return reader
    .selectFrom('laptop_drafts')
    .selectAll()
    .where('id', '=', id)
    .where('seller_id', '=', sellerId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

/** Deletes the measurement and the browser check of a seller's draft, and its code. @returns whether there was one of them */
export async function deleteDraftMeasurement(
  reader: Reader,
  { id, sellerId }: { id: string; sellerId: string },
): Promise<boolean> {
  const row = await reader
    .updateTable('laptop_drafts')
    .set({
      code_sha256: null,
      code_expires_at: null,
      measured_at: null,
      measured_with: null,
      machine: null,
      machine_hash: null,
      part_hashes: [],
      checked_at: null,
      check_code_sha256: null,
      check_results: null,
      check_browser: null,
    })
    .where('id', '=', id)
    .where('seller_id', '=', sellerId)
    .where((where) => where.or([where('machine', 'is not', null), where('checked_at', 'is not', null)]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes a seller's draft. @returns it */
export function deleteDraft(
  reader: Reader,
  { id, sellerId }: { id: string; sellerId: string },
): Promise<Row<'laptop_drafts'> | undefined> {
  return reader
    .deleteFrom('laptop_drafts')
    .where('id', '=', id)
    .where('seller_id', '=', sellerId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes drafts that have expired, with their measurements. */
export async function removeExpiredDrafts(reader: Reader): Promise<void> {
  await reader.deleteFrom('laptop_drafts').where('expires_at', '<', sql<Date>`now()`).execute();
}

/** Deletes all drafts of a seller. */
export async function removeDraftsOf(transaction: Transaction, sellerId: string): Promise<void> {
  await transaction.deleteFrom('laptop_drafts').where('seller_id', '=', sellerId).execute();
}
