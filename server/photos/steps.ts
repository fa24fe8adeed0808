import { json } from 'node:stream/consumers';
import { type PhotoName, writePhotoName } from '#contract/photos.ts';
import type { Database, Transaction } from '../database/tables.ts';
import { hashesIn, masterKey, PhotoRecord, photoAt, recordKey, variantKeys } from './rules.ts';
import type { PhotoStorage } from './storage.ts';
import * as store from './store.ts';

export { type PhotoStorage, StorageProblem } from './storage.ts';

/** For so long an upload waits for its laptop, in milliseconds: a form may stay open overnight. */
const WAIT = 24 * 60 * 60_000;

/** For so long it is remembered that a photo was removed, in milliseconds: longer than any draft is kept open. */
const MEMORY = 90 * 24 * 60 * 60_000;

/** So many photos are decided on and removed at once. */
export const REMOVAL_BATCH = 500;

/** The name under which the photo of these uploaded bytes is kept, or null. Its files may be missing. */
export async function readRecord(storage: PhotoStorage, hash: string): Promise<PhotoName | null> {
  const found = await storage.get(recordKey(hash));
  return found === null ? null : PhotoRecord.parse(await json(found.stream));
}

/** Whether the image host keeps the photo at an address: exactly this one, not only one with its hash. */
export async function isKept(storage: PhotoStorage, url: string): Promise<boolean> {
  const photo = photoAt(url);
  if (photo === null) return false;
  const record = await readRecord(storage, photo.hash);
  if (record === null || writePhotoName(record) !== writePhotoName(photo)) return false;
  // Uploads from before masters were kept have only their variants.
  for (const key of [masterKey(photo), ...variantKeys(photo)]) if (await storage.has(key)) return true;
  return false;
}

const isOwn = (address: string) => address.startsWith('/');

/**
 * Keeps the photos of a laptop that is being listed from being removed.
 * @param addresses as they are stored: the built-in host's as paths
 * @returns those of the addresses whose photo was removed already
 */
export async function claimPhotos(transaction: Transaction, addresses: readonly string[]): Promise<string[]> {
  const hashes = hashesIn(addresses.filter(isOwn));
  if (hashes.length === 0) return [];
  await store.list(transaction, hashes);
  const removed = await store.removedAmong(transaction, hashes);
  return addresses.filter((address) => isOwn(address) && removed.some((hash) => address.includes(hash)));
}

/** Ends a laptop's claim on photos. They are removed with the next round unless another laptop shows them. */
export async function releasePhotos(transaction: Transaction, addresses: readonly string[]): Promise<void> {
  const hashes = hashesIn(addresses);
  if (hashes.length > 0) await store.release(transaction, hashes, new Date(0));
}

/**
 * Photos that have waited for a laptop for a day, or were released, locked until the transaction ends.
 * @returns up to REMOVAL_BATCH hashes
 */
export function photosInQuestion(transaction: Transaction, now: Date): Promise<string[]> {
  return store.lockInQuestion(transaction, new Date(now.getTime() - WAIT), REMOVAL_BATCH);
}

/** Decides on locked photos: those that are shown stay, the others are to be removed. */
export async function decideOnPhotos(
  transaction: Transaction,
  inQuestion: readonly string[],
  shown: ReadonlySet<string>,
): Promise<void> {
  await store.mark(
    transaction,
    inQuestion.filter((hash) => shown.has(hash)),
    'listed',
  );
  await store.mark(
    transaction,
    inQuestion.filter((hash) => !shown.has(hash)),
    'leaving',
  );
}

/**
 * Removes a photo's files. Their keys follow from its record, so no folder is listed: the record is removed last, and an
 * interrupted removal can be continued. Without the master, nobody takes the photo for kept.
 */
async function removeFiles(storage: PhotoStorage, hash: string): Promise<void> {
  const photo = await readRecord(storage, hash);
  if (photo === null) return;
  await storage.remove(masterKey(photo));
  await Promise.all(variantKeys(photo).map((key) => storage.remove(key)));
  await storage.remove(recordKey(hash));
}

/**
 * Removes the files of all photos whose removal was decided, those included that an earlier round has not come to. Until
 * a photo is gone nobody can upload it anew, so nothing new is removed with it.
 * @returns how many
 * @throws Error when some could not be removed; the others are gone, and those are tried again with the next round
 */
export async function removeLeavingPhotos(
  database: Database,
  storage: PhotoStorage,
  now: Date,
): Promise<number> {
  const failures: unknown[] = [];
  let removed = 0;
  let last = '';
  for (;;) {
    const batch = await store.leavingAfter(database, last, REMOVAL_BATCH);
    for (const hash of batch) {
      try {
        await removeFiles(storage, hash);
        await store.mark(database, [hash], 'gone');
        removed += 1;
      } catch (error) {
        failures.push(error);
      }
    }
    if (batch.length < REMOVAL_BATCH) break;
    last = batch.at(-1) ?? last;
  }
  await store.forget(database, new Date(now.getTime() - MEMORY));
  if (failures.length > 0) {
    throw new Error(`${failures.length} of ${removed + failures.length} photos could not be removed`, {
      cause: failures[0],
    });
  }
  return removed;
}
