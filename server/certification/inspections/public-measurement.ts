// What everybody sees of a measured laptop.

import { passedTests } from '#contract/certification/browser-checks.ts';
import { inspectionClaims } from '#contract/certification/checklist.ts';
import {
  type BatteryPoint,
  MAXIMUM_BATTERY_POINTS,
  type PublicMeasurement,
} from '#contract/certification/inspections.ts';
import { isInspected } from '#contract/listings/levels.ts';
import { toPhotoUrl } from '#server/listings/catalogue/rules.ts';
import { findLaptop, type LaptopRow, laptopTag } from '#server/listings/catalogue/steps.ts';
import type { Row } from '#server/platform/database/tables.ts';
import { declareCacheDependencies } from '#server/platform/http/cache-dependencies.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { type InspectionDependencies, measurementResponse } from './actions.ts';
import { latestApproval } from './inspection-queue-store.ts';
import { countsForListing, isMeasured } from './rules.ts';
import { countedMeasurement, isSameMachine, latestCheck } from './steps.ts';
import { latestMeasurements } from './store.ts';

/** The battery in measurements of the machine of one of them, oldest first. @param rows newest first */
const batteryPoints = (
  laptop: LaptopRow,
  shown: Row<'measurements'>,
  rows: readonly Row<'measurements'>[],
): BatteryPoint[] =>
  rows
    .filter((row) => isSameMachine(row, shown) && countsForListing(laptop, row.measured_at))
    .flatMap(({ measured_at, machine: { battery } }) =>
      battery === null ? [] : [{ measuredAt: measured_at.toISOString(), battery: battery.value }],
    )
    .reverse();

/**
 * The latest measurement of a laptop, with its tests, and the claims and photos of the approval while the laptop is inspected; nothing
 * when it does not count any more, or the listing does not count as measured.
 * @throws Refusal for an unknown laptop, and for one that has left the shop unsold
 */
export async function readPublicMeasurement(
  { database, shop, origin }: InspectionDependencies & { origin: string },
  id: string,
): Promise<PublicMeasurement> {
  const laptop = await findLaptop(database, id);
  if (laptop === undefined) throw new Refusal('not_found', 'There is no such laptop in this shop.');
  if (laptop.state !== 'available' && laptop.state !== 'sold') {
    throw new Refusal('no_longer_for_sale', 'This laptop has left the shop unsold.');
  }
  declareCacheDependencies({ tags: [laptopTag(id)], until: null });
  const row = await countedMeasurement(database, laptop);
  const measurement = row && measurementResponse(laptop, row, shop().batteryFloors);
  if (row === undefined || measurement === undefined || !isMeasured(measurement))
    return { measurement: null, check: null, batteryPoints: [], inspectionClaims: [], inspectionPhotos: [] };
  const rows = await latestMeasurements(database, { laptop_id: id }, MAXIMUM_BATTERY_POINTS);
  const check = await latestCheck(database, laptop);
  const approval = isInspected(laptop.level) ? await latestApproval(database, id) : undefined;
  return {
    measurement,
    check: check?.implausibilities.length === 0 ? check : null,
    batteryPoints: batteryPoints(laptop, row, rows),
    inspectionClaims: approval === undefined ? [] : inspectionClaims(approval, passedTests(check)),
    // An approval from photos of an earlier version can have some; nobody says that the shop took them.
    inspectionPhotos:
      approval?.kind === 'hand' ? approval.photos.map((photo) => toPhotoUrl(photo, origin)) : [],
  };
}
