import {
  type BatteryPoint,
  CODE_MINUTES,
  type LatestMeasurement,
  MAXIMUM_BATTERY_POINTS,
  type MeasuredSystem,
  type Measurement,
  type OwnMeasurement,
} from '#contract/certification/inspections.ts';
import { contradictionsOf, factComparisons } from '#contract/certification/measured-configuration.ts';
import { notOwnLaptop } from '#server/listings/catalogue/refusals.ts';
import {
  findLaptop,
  type LaptopRow,
  laptopTag,
  selectLaptopForUpdate,
} from '#server/listings/catalogue/steps.ts';
import type { Database, Row, Transaction } from '#server/platform/database/tables.ts';
import { declareCacheDependencies } from '#server/platform/http/cache-dependencies.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { ResponseCache } from '#server/platform/http/response-cache.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import * as codeStore from './code-store.ts';
import { hashCode, newCode } from './codes.ts';
import { selectDraftOfCode, storeDraftMeasurement } from './draft-store.ts';
import { addLocksToListings, rememberLocks } from './found-locks.ts';
import { hashIdentity, type MeasuredMachine, partHashes } from './machine-hashes.ts';
import { readReport } from './reading/read-report.ts';
import { parseHeader, parseReport } from './reading/report.ts';
import {
  type BatteryFloors,
  compareListing,
  isCounted,
  isMeasured,
  isOtherMachine,
  keepFoundLocks,
} from './rules.ts';
import { compareLaptops } from './same-laptop.ts';
import * as sameLaptopStore from './same-laptop-store.ts';
import {
  countedMeasurement,
  isSameMachine,
  type LevelDependencies,
  listingFacts,
  updateLevel,
} from './steps.ts';
import * as store from './store.ts';

export interface InspectionDependencies extends LevelDependencies {
  database: Database;
  /** The key of the hashes by which the same laptop is recognized. */
  machineKey: Uint8Array;
  /** Holds pages that show a measurement. */
  cache: ResponseCache;
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
  const expiresAt = await database
    .transaction()
    .execute((transaction) => codeStore.replaceCode(transaction, laptopId, hashCode(code), CODE_MINUTES));
  return { code, expiresAt };
}

/** What is stored of a report. Serial numbers and the TPM's key are kept as keyed hashes only. */
const toMeasurement = (
  system: MeasuredSystem,
  { machine, hashes }: MeasuredMachine,
): store.NewMeasurement => ({
  system,
  machine,
  machineHash: hashes.machine,
  partHashes: partHashes(hashes),
});

/** The page to which a report file was uploaded: that of a laptop, or of a draft. */
export type ReportPage = { laptopId: string } | { draftId: string };

interface SentReport {
  system: MeasuredSystem;
  measured: MeasuredMachine;
  /** The page to which it was uploaded; null for a report of a script. */
  page: ReportPage | null;
}

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
  for (const laptopId of await addLocksToListings(transaction, sellerId, measured)) {
    await updateLevel(transaction, dependencies, laptopId);
  }
}

/** @returns whether it was the code of a draft @throws Refusal when the report was uploaded to another page */
async function storeDraftReport(
  transaction: Transaction,
  dependencies: LevelDependencies,
  codeSha256: string,
  { system, measured, page }: SentReport,
): Promise<boolean> {
  const draft = await selectDraftOfCode(transaction, codeSha256);
  if (draft === undefined) return false;
  if (page !== null && !('draftId' in page && page.draftId === draft.id)) throw otherPage();
  const remembered = await rememberLocks(transaction, draft.seller_id, measured);
  const measurement = toMeasurement(system, measured);
  const previous =
    draft.machine === null ? undefined : { machine: draft.machine, machineHash: draft.machine_hash };
  const machine = keepFoundLocks(measurement, remembered, previous);
  const isSame =
    previous === undefined || isOtherMachine(previous.machineHash, measured.hashes.machine) === false;
  await storeDraftMeasurement(transaction, draft.id, { ...measurement, machine }, !isSame);
  await blockOtherListings(transaction, dependencies, draft.seller_id, measured);
  return true;
}

/** @returns whether it was the code of a check of a sold laptop @throws Refusal when the report was uploaded to another page */
async function storeSameLaptopReport(
  transaction: Transaction,
  dependencies: LevelDependencies,
  codeSha256: string,
  { measured, page }: SentReport,
): Promise<boolean> {
  const check = await sameLaptopStore.selectCheckOfCode(transaction, codeSha256);
  if (check === undefined) return false;
  if (page !== null && !('laptopId' in page && page.laptopId === check.laptop_id)) throw otherPage();
  const before = await store.latestMeasurement(transaction, check.laptop_id);
  // Removed with its seller's account meanwhile.
  if (before === undefined) return false;
  await sameLaptopStore.storeComparison(transaction, check.number, compareLaptops(before, measured));
  // A report can be made up. That of a buyer must not change the seller's other listings.
  if (check.by_buyer) return true;
  await rememberLocks(transaction, check.seller_id, measured);
  await blockOtherListings(transaction, dependencies, check.seller_id, measured);
  return true;
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
  if (!(await codeStore.canTakeReport(database, codeSha256))) throw unusableCode();
  const report = parseReport(text);
  if ('problem' in report) throw new Refusal('report_refused', report.problem);
  // Before the transaction, which holds a connection.
  const reading = readReport(report);
  if ('problem' in reading) throw new Refusal('report_refused', reading.problem);
  const measured = { machine: reading.machine, hashes: hashIdentity(machineKey, reading.identity) };
  const measurement = toMeasurement(report.system, measured);
  const sent = { system: report.system, measured, page };
  await database.transaction().execute(async (transaction) => {
    if (await storeDraftReport(transaction, dependencies, codeSha256, sent)) return;
    if (await storeSameLaptopReport(transaction, dependencies, codeSha256, sent)) return;
    const consumed = await codeStore.consumeCode(transaction, codeSha256, 'report');
    if (consumed === null) throw unusableCode();
    if (page !== null && !('laptopId' in page && page.laptopId === consumed.laptopId)) throw otherPage();
    const remembered = await rememberLocks(transaction, consumed.sellerId, measured);
    // Locked before the measurement before is read: of two reports at once, the later sees the locks of the other.
    const laptop = await selectLaptopForUpdate(transaction, consumed.laptopId);
    // Sold since the code was read: what was sold stays as its buyer knew it.
    if (laptop?.state === 'sold') throw unusableCode();
    const before = await store.latestMeasurement(transaction, consumed.laptopId);
    const machine = keepFoundLocks(
      measurement,
      remembered,
      before && { machine: before.machine, machineHash: before.machine_hash },
    );
    await store.insertMeasurement(transaction, consumed.laptopId, { ...measurement, machine });
    await updateLevel(transaction, dependencies, consumed.laptopId);
    await blockOtherListings(transaction, dependencies, consumed.sellerId, measured);
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

/** The latest measurement of the caller's laptop. @throws Refusal */
export async function readOwn(
  { database, shop }: InspectionDependencies,
  seller: Caller,
  laptopId: string,
): Promise<OwnMeasurement> {
  const laptop = await requireOwnLaptop(database, seller, laptopId);
  const [row, before] = await store.latestMeasurements(database, laptopId, 2);
  return {
    measurement: row === undefined ? null : measurementResponse(laptop, row, shop().batteryFloors),
    ended: row === undefined || isCounted(laptop, row.measured_at) ? null : laptop.evidence_ended,
    isOtherMachine: isOtherMachine(before?.machine_hash ?? null, row?.machine_hash ?? null),
  };
}

/**
 * The latest measurement of a laptop for everybody; null when it does not count any more, or the listing does not count as measured.
 * @throws Refusal for an unknown laptop
 */
export async function readForEverybody(
  { database, shop }: InspectionDependencies,
  laptopId: string,
): Promise<LatestMeasurement & { laptop: LaptopRow }> {
  const laptop = await findLaptop(database, laptopId);
  if (laptop === undefined) throw new Refusal('not_found', 'There is no such laptop in this shop.');
  declareCacheDependencies({ tags: [laptopTag(laptopId)], until: null });
  const row = await countedMeasurement(database, laptop);
  if (row === undefined) return { laptop, measurement: null };
  const measurement = measurementResponse(laptop, row, shop().batteryFloors);
  return { laptop, measurement: isMeasured(measurement) ? measurement : null };
}

/**
 * The battery in the latest measurements of the machine that was measured last, oldest first; empty when the laptop does not
 * count as measured.
 * @throws Refusal for an unknown laptop
 */
export async function readBatteryHistory(
  dependencies: InspectionDependencies,
  laptopId: string,
): Promise<BatteryPoint[]> {
  const { laptop, measurement } = await readForEverybody(dependencies, laptopId);
  if (measurement === null) return [];
  const rows = await store.latestMeasurements(dependencies.database, laptopId, MAXIMUM_BATTERY_POINTS);
  return rows
    .filter(
      (row) => rows[0] !== undefined && isSameMachine(row, rows[0]) && isCounted(laptop, row.measured_at),
    )
    .flatMap(({ measured_at, machine: { battery } }) =>
      battery === null ? [] : [{ measuredAt: measured_at.toISOString(), battery: battery.value }],
    )
    .reverse();
}
