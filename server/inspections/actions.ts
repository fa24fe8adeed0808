import { createHash, createHmac, randomBytes } from 'node:crypto';
import {
  CODE_MINUTES,
  type LatestMeasurement,
  type MeasuredSystem,
  type Measurement,
} from '#contract/inspections.ts';
import { factsResponse } from '../catalogue/rules.ts';
import { findLaptop, type LaptopRow, type ResponseCache, shownLaptops } from '../catalogue/steps.ts';
import type { Database, Row, Transaction } from '../database/tables.ts';
import { Refusal } from '../http/refusal.ts';
import type { Caller } from '../http/serve.ts';
import { declareShown } from '../http/shown.ts';
import type { MachineReading } from './reading/machine-reading.ts';
import { readReport } from './reading/read-report.ts';
import { splitReport } from './reading/report.ts';
import { canonicalCode, findContradictions, formatCode, isMeasured } from './rules.ts';
import * as store from './store.ts';

export interface InspectionDependencies {
  database: Database;
  /** The key of the hashes by which the same laptop is recognized. */
  machineKey: Uint8Array;
  /** Holds pages that show a measurement. */
  cache: ResponseCache;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** @throws Refusal when it is not a laptop of the caller */
export async function requireOwnLaptop(
  database: Database,
  seller: Caller,
  laptopId: string,
): Promise<LaptopRow> {
  const laptop = await findLaptop(database, laptopId);
  if (laptop?.seller_id !== seller.userId)
    throw new Refusal('not_found', 'There is no such laptop among your products.');
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
  const code = formatCode(randomBytes(12));
  const expiresAt = await database
    .transaction()
    .execute((transaction) =>
      store.replaceCode(transaction, laptopId, sha256(canonicalCode(code)), CODE_MINUTES),
    );
  return { code, expiresAt };
}

/** Stores a report's readings. Serial numbers are kept as keyed hashes only. */
async function storeReport(
  transaction: Transaction,
  machineKey: Uint8Array,
  laptopId: string,
  system: MeasuredSystem,
  { machine, identity }: MachineReading,
): Promise<void> {
  const hash = (kind: string, value: string) =>
    createHmac('sha256', machineKey).update(`${kind}\n${value.toUpperCase()}`).digest('hex');
  const { maker, serial, boardSerial, driveSerials } = identity;
  await store.insertMeasurement(transaction, {
    laptopId,
    system,
    machine,
    machineHash: serial === null ? null : hash('machine', `${maker ?? ''}\n${serial}`),
    partHashes: [
      ...(boardSerial === null ? [] : [hash('board', boardSerial)]),
      ...driveSerials.map((driveSerial) => hash('drive', driveSerial)),
    ],
  });
}

/**
 * Takes a report: its code is used up, and its readings become the laptop's latest measurement.
 * @param expectedLaptopId the laptop whose page the report was uploaded to; null for a report of a script
 * @throws Refusal when it is not a complete report with a valid code; nothing is kept then
 */
export async function takeReport(
  { database, machineKey, cache }: InspectionDependencies,
  text: string,
  expectedLaptopId: string | null,
): Promise<void> {
  const report = splitReport(text);
  if ('problem' in report) throw new Refusal('report_refused', report.problem);
  // Before the transaction, which holds a connection.
  const reading = readReport(report);
  await database.transaction().execute(async (transaction) => {
    const taken = await store.takeCode(transaction, sha256(canonicalCode(report.code)));
    if (taken === null) {
      throw new Refusal(
        'report_refused',
        'The code of this report was used already, or has expired. Nothing was kept. Please get a new code and run the script again.',
      );
    }
    if (expectedLaptopId !== null && taken.laptopId !== expectedLaptopId) {
      throw new Refusal(
        'report_refused',
        'The code of this report belongs to another laptop. Nothing was kept.',
      );
    }
    await storeReport(transaction, machineKey, taken.laptopId, report.system, reading);
  });
  await cache.catchUp();
}

/** The response for a measurement, compared with the present listing. */
function measurementResponse(laptop: LaptopRow, row: Row<'measurements'>): Measurement {
  return {
    _id: row.id,
    measuredAt: row.measured_at.toISOString(),
    measuredWith: row.measured_with,
    machine: row.machine,
    contradictions: findContradictions(
      { condition: laptop.condition, facts: factsResponse(laptop), description: laptop.description },
      row.machine,
    ),
  };
}

/** The latest measurement of the caller's laptop. @throws Refusal */
export async function readOwn(
  database: Database,
  seller: Caller,
  laptopId: string,
): Promise<LatestMeasurement> {
  const laptop = await requireOwnLaptop(database, seller, laptopId);
  const row = await store.latestMeasurement(database, laptopId);
  return { measurement: row === undefined ? null : measurementResponse(laptop, row) };
}

/**
 * The latest measurement of a laptop for everybody: null when the machine contradicts the listing, or has a lock, because
 * the listing then counts as not measured.
 * @throws Refusal for an unknown laptop
 */
export async function readPublic(database: Database, laptopId: string): Promise<LatestMeasurement> {
  const laptop = await findLaptop(database, laptopId);
  if (laptop === undefined) throw new Refusal('not_found', 'There is no such laptop in this shop.');
  declareShown(shownLaptops([{ _id: laptopId }], []));
  const row = await store.latestMeasurement(database, laptopId);
  if (row === undefined) return { measurement: null };
  const measurement = measurementResponse(laptop, row);
  return { measurement: isMeasured(measurement) ? measurement : null };
}
