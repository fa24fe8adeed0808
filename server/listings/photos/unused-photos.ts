import { DAY_MS } from '#contract/platform/durations.ts';
import { PHOTO_DELETION_LOCK, tryAdvisoryLock } from '#server/platform/database/advisory-locks.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { removeFingerprints } from './fingerprint-store.ts';
import { masterKey, recordKey, UNCLAIMED_UPLOAD_TTL_MS, variantKeys } from './rules.ts';
import { readRecord } from './steps.ts';
import type { PhotoStorage } from './storage.ts';
import * as store from './store.ts';

/** How long the hash of a deleted photo is kept: longer than any form stays open. */
const DELETED_HASH_RETENTION_MS = 90 * DAY_MS;

/** The maximum number of photos that one transaction classifies or one query selects. */
const BATCH_SIZE = 500;

/**
 * Marks released photos and uploads that stayed unclaimed for a day for deletion, unless something shows them. A concurrent listing of
 * one of them waits for this transaction.
 * @returns the number of photos, {@link BATCH_SIZE} at most
 */
function classifyBatch(database: Database, now: Date): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const before = new Date(now.getTime() - UNCLAIMED_UPLOAD_TTL_MS);
    const candidates = await store.lockOrphanCandidates(transaction, before, BATCH_SIZE);
    if (candidates.length === 0) return 0;
    // A separate statement after the locks sees every laptop that was listed before them.
    const shown = new Set(await store.selectShown(transaction, candidates));
    const isShown = (hash: string) => shown.has(hash);
    await store.setState(transaction, candidates.filter(isShown), 'listed');
    await store.setState(
      transaction,
      candidates.filter((hash) => !isShown(hash)),
      'leaving',
    );
    return candidates.length;
  });
}

/**
 * Deletes a photo's files. Their keys follow from its record, so no folder is listed. The record goes last, so that an
 * interrupted deletion can be continued; the master goes first, so that the photo no longer counts as stored.
 */
async function deletePhotoFiles(storage: PhotoStorage, hash: string): Promise<void> {
  const photo = await readRecord(storage, hash);
  if (photo === null) return;
  await storage.remove(masterKey(photo));
  await Promise.all(variantKeys(photo).map((key) => storage.remove(key)));
  await storage.remove(recordKey(hash));
}

/**
 * Deletes the files of all photos that are marked for deletion, including those that an earlier run could not delete.
 * While a photo is marked, uploading it again is refused, so no newly uploaded files are deleted.
 * @returns the number of deleted photos
 * @throws Error when some photos could not be deleted. The others are deleted; the next run tries the failed ones again
 */
async function deleteMarkedPhotos(database: Database, storage: PhotoStorage, now: Date): Promise<number> {
  const failures: unknown[] = [];
  let deleted = 0;
  let lastHash = '';
  for (;;) {
    const batch = await store.selectDeleting(database, lastHash, BATCH_SIZE);
    for (const hash of batch) {
      try {
        await deletePhotoFiles(storage, hash);
        await removeFingerprints(database, hash);
        await store.setState(database, [hash], 'gone');
        deleted += 1;
      } catch (error) {
        failures.push(error);
      }
    }
    if (batch.length < BATCH_SIZE) break;
    lastHash = batch.at(-1) ?? lastHash;
  }
  await store.pruneDeleted(database, new Date(now.getTime() - DELETED_HASH_RETENTION_MS));
  if (failures.length > 0) {
    throw new Error(`${failures.length} of ${deleted + failures.length} photos could not be removed`, {
      cause: failures[0],
    });
  }
  return deleted;
}

/**
 * Removes photos that nothing shows: abandoned uploads and photos of ended accounts. Does nothing while another process removes photos,
 * or while a backup runs, which must find every photo that its rows reference.
 * @param dependencies.directUrl leads to PostgreSQL itself, for the lock
 * @returns the number of removed photos; null when it did nothing
 */
export async function removeUnusedPhotos(
  { database, directUrl, storage }: { database: Database; directUrl: string; storage: PhotoStorage },
  now: Date,
): Promise<number | null> {
  return tryAdvisoryLock(directUrl, PHOTO_DELETION_LOCK, async () => {
    while ((await classifyBatch(database, now)) === BATCH_SIZE);
    return deleteMarkedPhotos(database, storage, now);
  });
}
