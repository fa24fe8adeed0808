import type { MeasuredSystem, Measurement, OwnMeasurement } from '#contract/certification/inspections.ts';
import { contradictionsOf, factComparisons } from '#contract/certification/measured-configuration.ts';
import { notOwnLaptop } from '#server/listings/catalogue/refusals.ts';
import { findLaptop, type LaptopRow, selectLaptopForUpdate } from '#server/listings/catalogue/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Database, Row, Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import * as codeStore from './code-store.ts';
import { hashCode, measuredBy, newCode, useCode } from './codes.ts';
import { addDeviceLocksToListings, updateRememberedDeviceLocks } from './device-locks.ts';
import { hashIdentity, type MeasuredMachine, partHashes } from './machine-hashes.ts';
import { readReport } from './report-parsers/read-report.ts';
import { parseHeader, parseReport } from './report-parsers/report.ts';
import {
  type BatteryFloors,
  compareListing,
  countsForListing,
  isOtherMachine,
  keepFoundDeviceLocks,
} from './rules.ts';
import { compareLaptops } from './same-laptop.ts';
import { insertComparison } from './same-laptop-store.ts';
import { type LevelDependencies, latestCheck, listingFacts, updateLevel } from './steps.ts';
import * as store from './store.ts';

export interface InspectionDependencies extends LevelDependencies, Pick<Context, 'database' | 'cache'> {
  /** The key of the hashes by which the same laptop is recognized. */
  machineKey: Uint8Array;
}

/** @throws Refusal when it is not a laptop of the caller */
export async function requireOwnLaptop(
  database: Database,
  seller: Caller,
  laptopId: string,
): Promise<LaptopRow> {
  const laptop = await findLaptop(database, laptopId);
  if (laptop?.seller_id !== seller.userId) throw notOwnLaptop();
  return laptop;
}

/** Creates a one-time code for a laptop, in place of an earlier one. @throws Refusal */
export async function createCode(
  { database }: InspectionDependencies,
  seller: Caller,
  laptopId: string,
): Promise<{ code: string; expiresAt: Date }> {
  const laptop = await requireOwnLaptop(database, seller, laptopId);
  if (laptop.state === 'sold') {
    throw new Refusal('already_sold', `${laptop.name} has been sold and is no longer yours to measure.`);
  }
  const code = newCode();
  return { code, expiresAt: await codeStore.replaceCode(database, { laptop_id: laptopId }, hashCode(code)) };
}

/** The page to which a report file was uploaded: that of a laptop, or of a draft. */
export type ReportPage = { laptopId: string } | { draftId: string };

const isOfPage = ({ id, isDraft }: codeStore.UsableCode, page: ReportPage): boolean =>
  isDraft ? 'draftId' in page && page.draftId === id : 'laptopId' in page && page.laptopId === id;

const otherPage = () =>
  new Refusal('report_refused', 'The code of this report belongs to another laptop. Nothing was kept.');

const unusableCode = () =>
  new Refusal(
    'report_refused',
    'The code of this report was used already, or has expired. Nothing was kept. Please get a new code and run the script again.',
  );

/** Blocks the seller's other listings of a machine on which a report found a lock. */
async function blockOtherListings(
  transaction: Transaction,
  dependencies: LevelDependencies,
  sellerId: string,
  measured: MeasuredMachine,
): Promise<void> {
  for (const laptopId of await addDeviceLocksToListings(transaction, sellerId, measured)) {
    await updateLevel(transaction, dependencies, laptopId);
  }
}

/** Stores what a laptop or a draft reported. @throws Refusal when the laptop was sold since its code was read */
async function storeMeasurement(
  transaction: Transaction,
  dependencies: LevelDependencies,
  code: codeStore.UsableCode,
  { system, measured }: { system: MeasuredSystem; measured: MeasuredMachine },
): Promise<void> {
  const { id, isDraft, sellerId } = code;
  const remembered = await updateRememberedDeviceLocks(transaction, sellerId, measured);
  // Locked before the previous measurement is read: the later of two concurrent reports sees the device locks of the other.
  const laptop = isDraft ? undefined : await selectLaptopForUpdate(transaction, id);
  // The measurement of a sold laptop stays the one that its buyer saw.
  if (laptop?.state === 'sold') throw unusableCode();
  const before = await store.latestMeasurement(transaction, measuredBy(code));
  const { machine, hashes } = measured;
  const known = keepFoundDeviceLocks(
    { machine, machineHash: hashes.machine },
    remembered,
    before && { machine: before.machine, machineHash: before.machine_hash },
  );
  // Serial numbers and the TPM's key are kept as keyed hashes only.
  await store.insertMeasurement(transaction, measuredBy(code), {
    system,
    machine: known,
    machineHash: hashes.machine,
    partHashes: partHashes(hashes),
  });
  if (!isDraft) await updateLevel(transaction, dependencies, id);
  await blockOtherListings(transaction, dependencies, sellerId, measured);
}

/** Compares what a sold laptop reported with what it was sold with. @throws Refusal when that was removed */
async function storeComparison(
  transaction: Transaction,
  dependencies: LevelDependencies,
  { id: laptopId, sellerId, isByBuyer }: codeStore.UsableCode,
  { orderId, measured }: { orderId: string; measured: MeasuredMachine },
): Promise<void> {
  const before = await store.latestMeasurement(transaction, { laptop_id: laptopId });
  // Removed with its seller's account meanwhile.
  if (before === undefined) throw unusableCode();
  await insertComparison(transaction, { orderId, laptopId }, compareLaptops(before, measured));
  // A report can be forged: a buyer's must not change the seller's other listings.
  if (isByBuyer) return;
  await updateRememberedDeviceLocks(transaction, sellerId, measured);
  await blockOtherListings(transaction, dependencies, sellerId, measured);
}

/**
 * Takes a report: its code takes no other report, and its readings become the latest measurement of the laptop or the draft.
 * The code is looked up before anything else of the report is read.
 * @param page the page to which it was uploaded; null for a report of a script
 * @throws Refusal when it is not a complete report with a valid code; nothing is kept then
 */
export async function storeReport(
  dependencies: InspectionDependencies,
  text: string,
  page: ReportPage | null,
): Promise<void> {
  const { database, machineKey, cache } = dependencies;
  const header = parseHeader(text);
  if ('problem' in header) throw new Refusal('report_refused', header.problem);
  const codeSha256 = hashCode(header.code);
  // Anybody can send a report. One without a valid code costs this query.
  if ((await codeStore.findCode(database, codeSha256, 'report')) === undefined) throw unusableCode();
  const report = parseReport(text);
  if ('problem' in report) throw new Refusal('report_refused', report.problem);
  // Before the transaction, which holds a connection.
  const reading = readReport(report);
  if ('problem' in reading) throw new Refusal('report_refused', reading.problem);
  const { system } = report;
  const measured = { machine: reading.machine, hashes: hashIdentity(machineKey, reading.identity) };
  await database.transaction().execute(async (transaction) => {
    const code = await useCode(transaction, codeSha256, 'report');
    if (code === null) throw unusableCode();
    if (page !== null && !isOfPage(code, page)) throw otherPage();
    const { orderId } = code;
    if (orderId === null) await storeMeasurement(transaction, dependencies, code, { system, measured });
    else await storeComparison(transaction, dependencies, code, { orderId, measured });
  });
  await cache.waitForInvalidation();
}

/** The response for a measurement, compared with the present listing. */
export function measurementResponse(
  laptop: LaptopRow,
  row: Row<'measurements'>,
  floors: BatteryFloors,
): Measurement {
  const comparisons = compareListing(listingFacts(laptop), row.machine, floors);
  return {
    _id: row.id,
    measuredAt: row.measured_at.toISOString(),
    measuredWith: row.measured_with,
    machine: row.machine,
    comparisons: factComparisons(comparisons),
    contradictions: contradictionsOf(comparisons),
  };
}

/** The latest measurement and the latest browser check of the caller's laptop. @throws Refusal */
export async function readOwn(
  { database, shop }: InspectionDependencies,
  seller: Caller,
  laptopId: string,
): Promise<OwnMeasurement> {
  const laptop = await requireOwnLaptop(database, seller, laptopId);
  const [row, before] = await store.latestMeasurements(database, { laptop_id: laptopId }, 2);
  return {
    measurement: row === undefined ? null : measurementResponse(laptop, row, shop().batteryFloors),
    ended: row === undefined || countsForListing(laptop, row.measured_at) ? null : laptop.evidence_ended,
    isOtherMachine: isOtherMachine(before?.machine_hash ?? null, row?.machine_hash ?? null),
    check: await latestCheck(database, laptop),
  };
}
