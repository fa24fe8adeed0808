// What an admin decides about measured laptops.

import type * as z from 'zod/mini';
import {
  type Decision,
  type InspectionCase,
  MAXIMUM_DECISIONS,
  type NewInspection,
} from '#contract/certification/inspection-queue.ts';
import { laptopResponse, slipResponse, toPhotoUrl } from '#server/listings/catalogue/rules.ts';
import {
  findLaptop,
  findListedLaptop,
  keepHostedPhotos,
  type LaptopRow,
  type PhotoDependencies,
  requireHostedPhotos,
  selectLaptopForUpdate,
} from '#server/listings/catalogue/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Row, Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { type InspectionDependencies, measurementResponse } from './actions.ts';
import {
  changesBetween,
  earlierMeasurement,
  findUnfounded,
  inspectedListing,
  inspectionRecord,
  isBelow,
  shownKinds,
} from './inspection-queue-rules.ts';
import * as queueStore from './inspection-queue-store.ts';
import { inspectionDecided } from './notifications.ts';
import { countsForListing, isAboutPresentListing } from './rules.ts';
import { countedMeasurement, latestCheck, updateLevel } from './steps.ts';
import * as store from './store.ts';

type Input = z.output<typeof NewInspection>;

const acts = {
  approved: 'Inspected laptop',
  sent_back: 'Sent laptop back',
  refused: 'Refused laptop',
} as const satisfies Record<Decision, string>;

/** A decision's photos have one error together. */
const photoField = () => 'photos';

const invalid = (field: string, sentence: string) =>
  new Refusal('invalid_input', `${sentence}.`, { errors: { [field]: sentence } });

const notMeasured = () => new Refusal('not_found', 'There is no such measured laptop.');

/** Reads what an admin needs to decide about a laptop. @throws Refusal for a laptop without a measurement */
export async function readInspectionCase(
  { database, shop, origin }: InspectionDependencies & { origin: string },
  id: string,
): Promise<InspectionCase> {
  const laptop = await findLaptop(database, id);
  const listed = await findListedLaptop(database, id);
  const [measurement, earlier] = await store.latestMeasurements(database, { laptop_id: id }, 2);
  if (laptop === undefined || listed === undefined || measurement === undefined) throw notMeasured();
  if (!countsForListing(laptop, measurement.measured_at)) throw notMeasured();
  const decisions = await queueStore.decisionsAbout(database, id, MAXIMUM_DECISIONS);
  const approval = await queueStore.latestApproval(database, id);
  const photoUrl = (photo: string) => toPhotoUrl(photo, origin);
  return {
    laptop: laptopResponse(listed, origin, true),
    slip: slipResponse(laptop, photoUrl),
    photoKinds: shownKinds(laptop),
    version: laptop.version,
    measurement: measurementResponse(laptop, measurement, shop().batteryFloors),
    earlier: earlier === undefined ? null : earlierMeasurement(earlier, measurement),
    check: await latestCheck(database, laptop),
    canDecide:
      laptop.state === 'available' &&
      laptop.level === 'measured' &&
      !isAboutPresentListing(decisions[0], laptop, measurement),
    changes: approval === undefined ? [] : changesBetween(approval.listing, inspectedListing(laptop)),
    decisions: decisions.map((row) => inspectionRecord(row, photoUrl)),
  };
}

/** @throws Refusal when a locked laptop is not what the admin has seen, or has left the shop */
function requireUnchanged(laptop: LaptopRow, measurement: Row<'measurements'>, seen: Input): void {
  if (laptop.state !== 'available') {
    throw new Refusal('no_longer_for_sale', `${laptop.name} is not for sale now. Nothing was decided.`);
  }
  if (laptop.version !== seen.version || measurement.id !== seen.measurementId || laptop.level === 'word') {
    throw new Refusal(
      'changed_elsewhere',
      `${laptop.name} was changed or measured again in the meantime. Nothing was decided; please look at it again.`,
    );
  }
}

/** Decides about a locked laptop. @returns whether it was decided now, and not before @throws Refusal */
async function decideLocked(
  transaction: Transaction,
  dependencies: InspectionDependencies,
  admin: Caller,
  { laptop, input, photos }: { laptop: LaptopRow; input: Input; photos: readonly string[] },
): Promise<boolean> {
  const measurement = await countedMeasurement(transaction, laptop);
  if (measurement === undefined) throw notMeasured();
  requireUnchanged(laptop, measurement, input);
  const latest = await store.latestInspection(transaction, laptop.id);
  if (latest !== undefined && isAboutPresentListing(latest, laptop, measurement)) {
    // A retried call.
    if (latest.decision === input.decision && latest.kind === input.kind) return false;
    throw new Refusal('changed_elsewhere', `Another admin has decided about ${laptop.name} already.`);
  }
  const { kind, decision, grade, checklist, note = '' } = input;
  const check = await latestCheck(transaction, laptop);
  const unfounded = findUnfounded(input, { photoKinds: shownKinds(laptop), check });
  if (unfounded !== null) throw invalid('checklist', `${unfounded}. From photos this is not checked`);
  if (grade !== undefined && isBelow(grade, laptop.condition)) {
    throw invalid(
      'grade',
      `The listing says ${laptop.condition}. Send it back, so that the seller corrects the condition`,
    );
  }
  if (photos.some((photo) => laptop.images.includes(photo))) {
    throw invalid('photos', 'A photo of the listing is the seller’s. Choose photos that the shop took');
  }
  await keepHostedPhotos(transaction, photos, photoField);
  const listing = inspectedListing(laptop);
  const approval = await queueStore.latestApproval(transaction, laptop.id);
  const inspectionId = await queueStore.insertInspection(transaction, {
    laptop_id: laptop.id,
    inspector_id: admin.userId,
    kind,
    decision,
    measurement_id: measurement.id,
    laptop_version: laptop.version,
    listing: JSON.stringify(listing),
    changes: JSON.stringify(approval === undefined ? [] : changesBetween(approval.listing, listing)),
    grade: grade ?? null,
    checklist: JSON.stringify(checklist),
    note,
    photos: [...photos],
  });
  await recordAudit(transaction, {
    adminId: admin.userId,
    act: acts[decision],
    laptopId: laptop.id,
    personIds: [laptop.seller_id],
    subject: laptop.name,
    note,
  });
  await updateLevel(transaction, dependencies, laptop.id);
  await dependencies.enqueue(transaction, inspectionDecided, { inspectionId });
  return true;
}

/**
 * Decides about a measured laptop. The laptop's lock orders the decision and a change of the listing.
 * @returns whether it was decided now, and not before
 * @throws Refusal when the listing or its measurement is not what the admin has seen
 */
export async function decideInspection(
  dependencies: InspectionDependencies & PhotoDependencies,
  admin: Caller,
  laptopId: string,
  input: Input,
): Promise<boolean> {
  // Before the transaction, because it reads the photo storage.
  const photos = await requireHostedPhotos(dependencies, input.photos, photoField);
  const decided = await dependencies.database.transaction().execute(async (transaction) => {
    const laptop = await selectLaptopForUpdate(transaction, laptopId);
    if (laptop === undefined) throw notMeasured();
    return decideLocked(transaction, dependencies, admin, { laptop, input, photos });
  });
  await dependencies.cache.waitForInvalidation();
  return decided;
}
