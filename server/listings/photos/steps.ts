import { json } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod/mini';
import { type PhotoName, writePhotoName } from '#contract/listings/photos.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { job } from '#server/platform/jobs/queue.ts';
import { fingerprintsOf } from './fingerprint.ts';
import { readThumbnail, selectCandidates } from './fingerprint-store.ts';
import { extractHashes, masterKey, PhotoRecord, parsePhotoUrl, recordKey } from './rules.ts';
import { isSamePicture } from './same-picture.ts';
import type { PhotoStorage } from './storage.ts';
import * as store from './store.ts';

export { type PhotoStorage, StorageError } from './storage.ts';

/** Photos of an ended account were released: they are deleted now, not by the next periodic clean-up. */
export const photosReleased = job('photos.released', z.object({}));

/** Reads the name under which the photo with this hash is stored, or null. Its files may be missing. */
export async function readRecord(storage: PhotoStorage, hash: string): Promise<PhotoName | null> {
  const found = await storage.get(recordKey(hash));
  return found === null ? null : PhotoRecord.parse(await json(found.stream));
}

/** Whether the image host stores the photo at a URL. Compares the whole name, not only the hash. */
export async function isPhotoStored(storage: PhotoStorage, url: string): Promise<boolean> {
  const photo = parsePhotoUrl(url);
  if (photo === null) return false;
  const record = await readRecord(storage, photo.hash);
  if (record === null || writePhotoName(record) !== writePhotoName(photo)) return false;
  return storage.has(masterKey(photo));
}

const isOwnPath = (url: string) => url.startsWith('/');

/**
 * Protects the photos of a laptop that is being listed from deletion.
 * @param urls in their stored form: paths for the built-in host's photos
 * @returns those of the URLs whose photo was already deleted
 */
export async function claimPhotos(transaction: Transaction, urls: readonly string[]): Promise<string[]> {
  const hashes = extractHashes(urls.filter(isOwnPath));
  if (hashes.length === 0) return [];
  await store.setListed(transaction, hashes);
  const deleted = await store.selectDeleted(transaction, hashes);
  return urls.filter((url) => isOwnPath(url) && deleted.some((hash) => url.includes(hash)));
}

/**
 * Protects the new photos of a laptop and ends its claim on the others. These are kept as long as an unclaimed upload, so
 * that the change can be undone.
 * @param previous, next photos in their stored form
 * @returns those of the new photos that were already deleted
 */
export async function exchangePhotos(
  transaction: Transaction,
  previous: readonly string[],
  next: readonly string[],
): Promise<string[]> {
  // All rows are locked at once and in order, so that two changes of laptops with the same photos do not deadlock.
  const deleted = await claimPhotos(transaction, [...next, ...previous]);
  const hashes = extractHashes(next);
  const removed = extractHashes(previous).filter((hash) => !hashes.includes(hash));
  if (removed.length > 0) await store.setWaiting(transaction, removed, new Date());
  return next.filter((photo) => deleted.includes(photo));
}

/** The maximum number of photos with which one is compared, pixel by pixel. */
const MAXIMUM_CANDIDATES = 8;

/**
 * Finds photos of the same picture that laptops of other sellers show, also recompressed, resized or slightly cropped.
 * @returns hashes, including the photo's own, because the same bytes are one photo; none for a plain photo
 */
export async function findSamePicture(
  transaction: Transaction,
  photo: { hash: string; laptopId: string },
): Promise<string[]> {
  const thumbnail = await readThumbnail(transaction, photo.hash);
  if (thumbnail === null) return [];
  const same = [photo.hash];
  const fingerprints = fingerprintsOf(thumbnail);
  for (const candidate of await selectCandidates(transaction, photo, fingerprints, MAXIMUM_CANDIDATES)) {
    if (isSamePicture(thumbnail, candidate.thumbnail)) same.push(candidate.hash);
    // Other requests are served between comparisons.
    await setImmediate();
  }
  return same;
}

/**
 * Protects private photos from deletion.
 * @returns false when one of them was already deleted
 */
export async function claimPrivatePhotos(
  transaction: Transaction,
  hashes: readonly string[],
): Promise<boolean> {
  return (await store.setPrivatelyListed(transaction, hashes)) === hashes.length;
}

/** Ends a laptop's claim on photos. The next clean-up deletes them unless another laptop shows them. */
export async function releasePhotos(transaction: Transaction, urls: readonly string[]): Promise<void> {
  const hashes = extractHashes(urls);
  if (hashes.length > 0) await store.setWaiting(transaction, hashes, new Date(0));
}
