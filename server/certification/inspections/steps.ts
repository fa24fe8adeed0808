import * as z from 'zod/mini';
import type { BrowserCheck } from '#contract/certification/browser-checks.ts';
import { CODE_MINUTES } from '#contract/certification/inspections.ts';
import { factComparisons } from '#contract/certification/measured-configuration.ts';
import { factsResponse } from '#server/listings/catalogue/rules.ts';
import { type LaptopRow, selectLaptopForUpdate, setLevel } from '#server/listings/catalogue/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import { job } from '#server/platform/jobs/queue.ts';
import { replaceCode } from './code-store.ts';
import { hashCode, newCode } from './codes.ts';
import { deviceLockFound } from './notifications.ts';
import { findImplausibilities } from './plausibility.ts';
import {
  compareListing,
  countsForListing,
  hasDeviceLock,
  isMeasured,
  type ListingFacts,
  levelOf,
} from './rules.ts';
import * as store from './store.ts';

export { findSameLaptopCode } from './code-store.ts';
export { addRememberedDeviceLocks } from './device-locks.ts';
export { removeDraftsOf } from './draft-store.ts';
export { countInspectionQueue } from './inspection-queue-store.ts';
export { sameLaptopChecks } from './same-laptop-store.ts';
export { codeResponse, readScripts, type ServedScript } from './scripts.ts';
export {
  endEvidenceOfReturned,
  forgetLevelRules,
  latestInspection,
  removeMeasurementsOf,
} from './store.ts';

/** How many characters of a seller's code the buyer sees: the last group. */
const SHOWN_CODE_CHARACTERS = 4;

/** Creates a one-time code with which a sold laptop is measured again, in place of an earlier one of its order. */
export async function createSameLaptopCode(
  transaction: Transaction,
  orderId: string,
): Promise<{ code: string; expiresAt: Date }> {
  const code = newCode();
  const owner = { order_id: orderId, code_ending: code.slice(-SHOWN_CODE_CHARACTERS) };
  return { code, expiresAt: await replaceCode(transaction, owner, hashCode(code)) };
}

/** The job after a lock was found on a laptop for sale, or was released. Payments handles it: closes attempts, notifies buyers. */
export const deviceLockChanged = job(
  'inspections.device-lock-changed',
  z.object({ laptopId: z.string() }),
  'cards',
  -1,
);

/** What decides about levels besides the database. */
export type LevelDependencies = Pick<Context, 'enqueue' | 'shop'>;

/** The parts of a laptop's row that measurements are compared with. */
export const listingFacts = (laptop: LaptopRow): ListingFacts => ({
  condition: laptop.condition,
  facts: factsResponse(laptop),
  description: laptop.description,
});

/** A laptop as far as it decides which evidence counts. */
type CountingLaptop = Pick<LaptopRow, 'id' | 'evidence_since'>;

/** The latest measurement of a laptop, unless it does not count any more. */
export async function countedMeasurement(
  reader: Reader,
  laptop: CountingLaptop,
): Promise<Row<'measurements'> | undefined> {
  const row = await store.latestMeasurement(reader, { laptop_id: laptop.id });
  return row !== undefined && countsForListing(laptop, row.measured_at) ? row : undefined;
}

/**
 * Recomputes the level of a laptop, and whether a lock blocks its sale, from its listing, its latest measurement and its latest
 * inspection. Call it in the transaction that changes one of them. Locks the laptop.
 */
export async function updateLevel(
  transaction: Transaction,
  { enqueue, shop }: LevelDependencies,
  laptopId: string,
): Promise<void> {
  const laptop = await selectLaptopForUpdate(transaction, laptopId);
  // What was sold stays as its buyer knew it.
  if (laptop === undefined || laptop.state === 'sold') return;
  const latest = await store.latestMeasurement(transaction, { laptop_id: laptopId });
  const inspection = await store.latestInspection(transaction, laptopId);
  // A lock stays found, also when the measurement that found it does not count any more.
  const locked = latest !== undefined && hasDeviceLock(latest.machine);
  const isMeasuredBy = ({ measured_at, machine }: Row<'measurements'>) => {
    const comparisons = compareListing(listingFacts(laptop), machine, shop().batteryFloors);
    return (
      countsForListing(laptop, measured_at) &&
      isMeasured({ comparisons: factComparisons(comparisons), machine })
    );
  };
  const measurement = latest !== undefined && isMeasuredBy(latest) ? latest : undefined;
  const { level, at } = levelOf(laptop, measurement, inspection);
  const canBeBlocked = laptop.state === 'available' || laptop.state === 'blocked';
  const state = canBeBlocked ? (locked ? 'blocked' : 'available') : laptop.state;
  const isSameLevel = level === laptop.level && at?.getTime() === laptop.level_at?.getTime();
  if (isSameLevel && state === laptop.state) return;
  await setLevel(transaction, laptopId, { level, at, state });
  if (state === laptop.state) return;
  await enqueue(transaction, deviceLockChanged, { laptopId });
  if (state === 'blocked') await enqueue(transaction, deviceLockFound, { laptopId });
}

/** Whether two measurements are one, or of one machine that is recognized; without a serial number it may be another one. */
export const isSameMachine = (one: Row<'measurements'>, other: Row<'measurements'>): boolean =>
  one.id === other.id || (one.machine_hash !== null && one.machine_hash === other.machine_hash);

/** The latest browser check of a laptop, see {@link latestCheckOf}. */
export const latestCheck = (reader: Reader, laptop: CountingLaptop): Promise<BrowserCheck | null> =>
  latestCheckOf(reader, { laptop_id: laptop.id }, laptop.evidence_since);

/**
 * The latest browser check of a laptop or a draft, compared with its latest measurement; null without a check that counts, and when it
 * was not made on the measured machine: another one was measured after it, or none before it.
 * @param since what was measured and checked before does not count; null for all
 */
export async function latestCheckOf(
  reader: Reader,
  measured: store.Measured,
  since: Date | null,
): Promise<BrowserCheck | null> {
  const evidence = { evidence_since: since };
  const row = await store.latestBrowserCheck(reader, measured);
  if (row === undefined || !countsForListing(evidence, row.checked_at)) return null;
  const latest = await store.latestMeasurement(reader, measured);
  const measurement = latest && countsForListing(evidence, latest.measured_at) ? latest : undefined;
  const before = await store.measurementOfCheck(reader, measured, row, CODE_MINUTES);
  if (measurement !== undefined && (before === undefined || !isSameMachine(measurement, before))) return null;
  return {
    _id: row.id,
    checkedAt: row.checked_at.toISOString(),
    results: row.results,
    browser: row.browser,
    implausibilities: measurement === undefined ? [] : findImplausibilities(row.browser, measurement.machine),
  };
}
