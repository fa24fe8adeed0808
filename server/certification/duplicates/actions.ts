import { findSamePicture } from '#server/listings/photos/steps.ts';
import { fileShopReport } from '#server/listings/reports/steps.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { throwAll } from '#server/platform/jobs/batches.ts';
import { processItems } from '#server/platform/jobs/failed-items.ts';
import { sameMachineFindings, samePartNote, samePhotoNote } from './rules.ts';
import * as store from './store.ts';

/** The maximum number of batches that one run compares, and the notes in each. */
const BATCHES_PER_RUN = 10;
const BATCH_NOTES = 50;

/** @returns the last listing of this step when there may be more; null at the end */
async function compareMachine(transaction: Transaction, note: store.Note): Promise<string | null> {
  const found = await store.listingsOfMachine(transaction, note);
  if (found === undefined) return null;
  const lastSale = await store.lastSaleOfMachine(transaction, note.laptopId);
  for (const finding of sameMachineFindings(found.own, found.others, lastSale)) {
    await fileShopReport(transaction, { ...finding, reason: 'Same laptop' });
  }
  return found.others.length < store.STEP_LISTINGS ? null : (found.others.at(-1)?.id ?? null);
}

async function compareParts(transaction: Transaction, laptopId: string): Promise<void> {
  for (const otherLaptopId of await store.listingsWithSamePart(transaction, laptopId)) {
    for (const [reported, other] of [
      [laptopId, otherLaptopId],
      [otherLaptopId, laptopId],
    ] as const) {
      await fileShopReport(transaction, {
        laptopId: reported,
        otherLaptopId: other,
        reason: 'Same part',
        note: samePartNote,
      });
    }
  }
}

/** @returns whether there may be more */
async function comparePhotos(transaction: Transaction, laptopId: string): Promise<boolean> {
  let isMore = false;
  for (const photo of await store.photosForSale(transaction, laptopId)) {
    const hashes = await findSamePicture(transaction, { hash: photo.hash, laptopId });
    const shown = await store.otherSellersWithPhotos(transaction, laptopId, hashes);
    isMore ||= shown.length === store.STEP_LISTINGS;
    for (const { otherLaptopId, otherPhoto } of shown) {
      await fileShopReport(transaction, {
        laptopId,
        otherLaptopId,
        reason: 'Same photo',
        note: samePhotoNote,
        photos: { reported: photo.url, other: otherPhoto },
      });
    }
  }
  return isMore;
}

/** Above all ids: the machine was compared with all listings, and only photos are left. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Makes a step of the comparison of a noted laptop. The note goes with the reports, or stays with none; one for the rest takes its
 * place.
 */
function compareNoted(database: Database, number: string): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const note = await store.takeNote(transaction, number);
    if (note === null) return;
    const { laptopId } = note;
    const last = await compareMachine(transaction, note);
    if (note.after === null) await compareParts(transaction, laptopId);
    const hasMorePhotos = await comparePhotos(transaction, laptopId);
    if (last !== null || hasMorePhotos) {
      await store.insertNote(transaction, { laptopId, after: last ?? LAST_ID });
    }
  });
}

/**
 * Compares the laptops that were noted since the last run with the other listings, and reports what must be looked at.
 * Several processes may do so at once. The rest of many notes is left to the next run.
 * @throws AggregateError with the failures; their notes are postponed, and all others are processed
 */
export async function compareLaptops(
  database: Database,
  signal: AbortSignal,
  now = new Date(),
): Promise<void> {
  const failures: unknown[] = [];
  for (let batch = 0; batch < BATCHES_PER_RUN; batch += 1) {
    const notes = await store.dueNotes(database, now, BATCH_NOTES);
    if (notes.length === 0) break;
    const compare = (note: string) => compareNoted(database, note);
    failures.push(...(await processItems(database, 'duplicates', notes, compare, { now, signal })));
  }
  throwAll(failures, 'some laptops could not be compared with the other listings');
}
