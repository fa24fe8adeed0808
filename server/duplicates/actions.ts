import type { Database, Transaction } from '../database/tables.ts';
import { throwAll } from '../jobs/batches.ts';
import { processItems } from '../jobs/failed-items.ts';
import { findSamePicture } from '../photos/steps.ts';
import { fileShopReport } from '../reports/steps.ts';
import { sameMachineFindings, samePartNote, samePhotoNote } from './rules.ts';
import * as store from './store.ts';

/** The maximum number of batches that one run compares, and the notes in each. */
const BATCHES_PER_RUN = 10;
const BATCH_NOTES = 50;

async function compareMachine(transaction: Transaction, laptopId: string): Promise<void> {
  const listings = await store.listingsOfMachine(transaction, laptopId);
  for (const finding of sameMachineFindings(listings)) {
    await fileShopReport(transaction, { ...finding, reason: 'Same laptop' });
  }
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

async function comparePhotos(transaction: Transaction, laptopId: string): Promise<void> {
  for (const photo of await store.photosForSale(transaction, laptopId)) {
    const hashes = await findSamePicture(transaction, { hash: photo.hash, laptopId });
    const shown = await store.otherSellersWithPhotos(transaction, laptopId, hashes);
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
}

/** Compares the laptop of a note. The note goes with the reports, or stays with none. */
function compareNoted(database: Database, note: string): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const laptopId = await store.takeNote(transaction, note);
    if (laptopId === null) return;
    await compareMachine(transaction, laptopId);
    await compareParts(transaction, laptopId);
    await comparePhotos(transaction, laptopId);
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
