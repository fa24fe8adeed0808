import { PHOTO_DELETION_LOCK, tryAdvisoryLock } from '#server/platform/database/advisory-locks.ts';
import type { Database } from '#server/platform/database/tables.ts';
import {
  DELETION_BATCH_SIZE,
  deleteMarkedPhotos,
  lockOrphanCandidates,
  type PhotoStorage,
  resolveOrphanCandidates,
} from '../photos/steps.ts';
import * as store from './store.ts';

/**
 * Classifies one batch of orphan candidates. A concurrent listing of one of them waits for this transaction.
 * @returns the batch's size
 */
function classifyBatch(connection: Database, now: Date): Promise<number> {
  return connection.transaction().execute(async (transaction) => {
    const candidates = await lockOrphanCandidates(transaction, now);
    if (candidates.length === 0) return 0;
    // A separate statement after the locks sees every laptop that was listed before them.
    const listed = await store.findListedPhotos(transaction, candidates);
    await resolveOrphanCandidates(transaction, candidates, new Set(listed));
    return candidates.length;
  });
}

/**
 * Removes photos that no laptop and no inspection shows: abandoned uploads and photos of ended accounts. Does nothing while another
 * process removes photos, or while a backup runs, which must find every photo that its rows reference.
 * @param dependencies.directUrl leads to PostgreSQL itself, for the lock
 * @returns the number of removed photos
 */
export async function removeUnusedPhotos(
  { database, directUrl, storage }: { database: Database; directUrl: string; storage: PhotoStorage },
  now: Date,
): Promise<number> {
  const removed = await tryAdvisoryLock(directUrl, PHOTO_DELETION_LOCK, async () => {
    while ((await classifyBatch(database, now)) === DELETION_BATCH_SIZE);
    return deleteMarkedPhotos(database, storage, now);
  });
  return removed ?? 0;
}
