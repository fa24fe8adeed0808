import type { Database, Transaction } from '../database/tables.ts';
import { findSamePicture } from '../photos/steps.ts';
import { fileShopReport } from '../reports/steps.ts';
import { sameMachineFindings, samePartNote, samePhotoNote } from './rules.ts';
import * as store from './store.ts';

/** The maximum number of laptops that one run compares. */
const LAPTOPS_PER_RUN = 500;

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

/** Compares one noted laptop. Its note goes with its reports, or stays with none. @returns false when there was no note */
function compareNext(database: Database): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const laptopId = await store.takeNote(transaction);
    if (laptopId === null) return false;
    await compareMachine(transaction, laptopId);
    await compareParts(transaction, laptopId);
    await comparePhotos(transaction, laptopId);
    return true;
  });
}

/**
 * Compares the laptops that were noted since the last run with the other listings, and reports what must be looked at.
 * Several processes may do so at once. The rest of many notes is left to the next run.
 */
export async function compareLaptops(database: Database, signal: AbortSignal): Promise<void> {
  for (let compared = 0; compared < LAPTOPS_PER_RUN; compared += 1) {
    signal.throwIfAborted();
    if (!(await compareNext(database))) return;
  }
}
