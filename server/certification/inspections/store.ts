import { type NotNull, sql } from 'kysely';
import type { BrowserFacts, CheckResult } from '#contract/certification/browser-checks.ts';
import type { MeasuredSystem } from '#contract/certification/inspections.ts';
import type { Machine } from '#contract/certification/machine.ts';
import { releasePhotos } from '#server/listings/photos/steps.ts';
import type { Reader, Row, Transaction } from '#server/platform/database/tables.ts';

/** What is measured and checked: a laptop, or a draft of one. */
export type Measured = { laptop_id: string } | { draft_id: string };

export interface NewBrowserCheck {
  codeSha256: string;
  results: CheckResult[];
  browser: BrowserFacts;
}

/** Stores a browser check. */
export async function insertBrowserCheck(
  transaction: Transaction,
  measured: Measured,
  { codeSha256, results, browser }: NewBrowserCheck,
): Promise<void> {
  await transaction
    .insertInto('browser_checks')
    .values({
      ...measured,
      code_sha256: codeSha256,
      results: JSON.stringify(results),
      browser: JSON.stringify(browser),
    })
    .execute();
}

/** Whether exactly this browser check was stored before. */
export async function hasBrowserCheck(
  reader: Reader,
  { codeSha256, results, browser }: NewBrowserCheck,
): Promise<boolean> {
  const row = await reader
    .selectFrom('browser_checks')
    .select('id')
    .where('code_sha256', '=', codeSha256)
    .where(sql<boolean>`results = ${JSON.stringify(results)}::jsonb`)
    .where(sql<boolean>`browser = ${JSON.stringify(browser)}::jsonb`)
    .executeTakeFirst();
  return row !== undefined;
}

/** The latest browser check of a laptop or a draft. */
export function latestBrowserCheck(
  reader: Reader,
  measured: Measured,
): Promise<Row<'browser_checks'> | undefined> {
  return reader
    .selectFrom('browser_checks')
    .selectAll()
    .where((where) => where.and(measured))
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export interface NewMeasurement {
  system: MeasuredSystem;
  machine: Machine;
  machineHash: string | null;
  partHashes: string[];
}

/** Stores a measurement, and the battery of a laptop with the laptop. */
export async function insertMeasurement(
  transaction: Transaction,
  measured: Measured,
  { system, machine, machineHash, partHashes }: NewMeasurement,
): Promise<void> {
  await transaction
    .insertInto('measurements')
    .values({
      ...measured,
      measured_with: system,
      machine: JSON.stringify(machine),
      machine_hash: machineHash,
      part_hashes: partHashes,
    })
    .execute();
  if ('laptop_id' in measured) await setMeasuredBattery(transaction, measured.laptop_id, machine);
}

/** Stores the battery of a measurement with its laptop, where searches filter by it. */
export async function setMeasuredBattery(
  transaction: Transaction,
  laptopId: string,
  { battery }: Machine,
): Promise<void> {
  await transaction
    .updateTable('laptops')
    .set({ measured_battery: battery?.value.health ?? null })
    .where('id', '=', laptopId)
    .execute();
}

/** The latest measurements of a laptop or a draft, newest first. */
export const latestMeasurements = (
  reader: Reader,
  measured: Measured,
  limit: number,
): Promise<Row<'measurements'>[]> =>
  reader
    .selectFrom('measurements')
    .selectAll()
    .where((where) => where.and(measured))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();

/** The latest measurement of a laptop or a draft. */
export async function latestMeasurement(
  reader: Reader,
  measured: Measured,
): Promise<Row<'measurements'> | undefined> {
  const [latest] = await latestMeasurements(reader, measured, 1);
  return latest;
}

/**
 * The measurement of the machine on which a browser check was made: the latest before it, or if there was none, the first after it
 * while the same code was valid. A later one may be of another machine.
 * @param minutes how long a code is valid
 */
export function measurementOfCheck(
  reader: Reader,
  measured: Measured,
  { checked_at: checkedAt }: Row<'browser_checks'>,
  minutes: number,
): Promise<Row<'measurements'> | undefined> {
  return reader
    .selectFrom('measurements')
    .selectAll()
    .where((where) => where.and(measured))
    .where('measured_at', '<', sql<Date>`${checkedAt}::timestamptz + ${minutes}::int * interval '1 minute'`)
    .orderBy(sql`case when measured_at <= ${checkedAt}::timestamptz then number end`, (order) =>
      order.desc().nullsLast(),
    )
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
}

/** The latest inspection of a laptop. */
export function latestInspection(reader: Reader, laptopId: string): Promise<Row<'inspections'> | undefined> {
  return reader
    .selectFrom('inspections')
    .selectAll()
    .where('laptop_id', '=', laptopId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Finds measured laptops with ids after an id, in the order of ids. */
export async function measuredLaptops(reader: Reader, after: string, limit: number): Promise<string[]> {
  const rows = await reader
    .selectFrom('measurements')
    .select('laptop_id')
    .distinct()
    .where('laptop_id', '>', after)
    .orderBy('laptop_id')
    .limit(limit)
    .$narrowType<{ laptop_id: NotNull }>()
    .execute();
  return rows.map(({ laptop_id }) => laptop_id);
}

/** By what the stored levels were computed; undefined before the first computation. */
export function storedLevelRules(reader: Reader): Promise<Row<'battery_floors'> | undefined> {
  return reader.selectFrom('battery_floors').selectAll().executeTakeFirst();
}

/** Records by what the stored levels were computed. */
export async function storeLevelRules(
  reader: Reader,
  rules: Pick<Row<'battery_floors'>, 'excellent' | 'good' | 'facts_version'>,
): Promise<void> {
  await reader
    .insertInto('battery_floors')
    .values(rules)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(rules))
    .execute();
}

/**
 * Makes all levels due, because the battery floors change: by the time of the next refresh they can be those of before again, and a level
 * may have been computed meanwhile.
 */
export async function forgetLevelRules(transaction: Transaction): Promise<void> {
  await transaction.updateTable('battery_floors').set({ facts_version: 0 }).execute();
}

/** Whether somebody reported the laptop of a row as stolen, and no admin dismissed it. */
const isReportedStolen = (table: 'measurements' | 'inspections') => sql<boolean>`exists (
  select from reports where reports.laptop_id = ${sql.ref(`${table}.laptop_id`)} and reports.reason = 'Stolen'
     and reports.resolution is distinct from 'dismissed')`;

/**
 * Removes the codes, measurements, browser checks and decisions of a seller's laptops. Those of sold laptops stay, because
 * their buyers rely on them, but without the hashes of serial numbers. Those of laptops that were reported as stolen stay as well, with
 * the hashes: otherwise a new account would be enough to sell them. Decisions go or stay with their measurements.
 * @returns how many laptops are kept as stolen
 */
export async function removeMeasurementsOf(transaction: Transaction, sellerId: string): Promise<number> {
  const laptopsOf = (state: '=' | '!=') =>
    transaction
      .selectFrom('laptops')
      .select('id')
      .where('seller_id', '=', sellerId)
      .where('state', state, 'sold');
  await transaction
    .deleteFrom('measurement_codes')
    .where(
      'laptop_id',
      'in',
      transaction.selectFrom('laptops').select('id').where('seller_id', '=', sellerId),
    )
    .execute();
  const decisions = await transaction
    .selectFrom('inspections')
    .select('photos')
    .where('laptop_id', 'in', laptopsOf('!='))
    .where(sql<boolean>`not ${isReportedStolen('inspections')}`)
    .execute();
  await transaction.deleteFrom('browser_checks').where('laptop_id', 'in', laptopsOf('!=')).execute();
  await transaction
    .deleteFrom('measurements')
    .where('laptop_id', 'in', laptopsOf('!='))
    .where(sql<boolean>`not ${isReportedStolen('measurements')}`)
    .execute();
  await releasePhotos(
    transaction,
    decisions.flatMap(({ photos }) => photos),
  );
  await transaction
    .updateTable('measurements')
    .set({ machine_hash: null, part_hashes: [] })
    .where('laptop_id', 'in', laptopsOf('='))
    .where(sql<boolean>`not ${isReportedStolen('measurements')}`)
    .execute();
  const kept = await transaction
    .selectFrom('measurements')
    .innerJoin('laptops', 'laptops.id', 'measurements.laptop_id')
    .select('laptop_id')
    .distinct()
    .where('seller_id', '=', sellerId)
    .where(isReportedStolen('measurements'))
    .execute();
  return kept.length;
}

/**
 * Lets a measurement that was made before a buyer sent the machine back to its seller not count for a new listing either: a draft can have
 * been measured before.
 */
export async function endEvidenceOfReturnedMachine(
  transaction: Transaction,
  id: string,
  { machineHash, measuredAt }: { machineHash: string; measuredAt: Date },
): Promise<void> {
  await sql`
    update laptops set evidence_since = ended.since, evidence_ended = 'returned'
      from (select max(others.evidence_since) as since
              from laptops as own
              join laptops as others on others.seller_id = own.seller_id and others.evidence_ended = 'returned'
             where own.id = ${id}
               and others.id in (select laptop_id from measurements where machine_hash = ${machineHash})) as ended
     where laptops.id = ${id} and ended.since > ${measuredAt}
  `.execute(transaction);
}

/**
 * Ends what was measured and inspected of a laptop that its buyer found otherwise and sent back: nothing counts that was measured
 * before, of any unsold listing that the seller has of the same machine.
 */
export async function endEvidenceOfReturned(transaction: Transaction, id: string): Promise<void> {
  await sql`
    update laptops
       set level = 'word', level_at = null, evidence_since = date_trunc('milliseconds', now()), evidence_ended = 'returned'
      from laptops as returned
     where returned.id = ${id} and laptops.seller_id = returned.seller_id and laptops.state <> 'sold'
       and (laptops.id = returned.id
            or laptops.id in (select laptop_id from measurements
                               where machine_hash in (select machine_hash from measurements where laptop_id = ${id})))
  `.execute(transaction);
}
