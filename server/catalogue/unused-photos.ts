import { sql } from 'kysely';
import { PHOTO_DELETION_LOCK } from '../database/connect.ts';
import type { Database } from '../database/tables.ts';
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
 * @returns the number of removed photos
 */
export function removeUnusedPhotos(
  { database, storage }: { database: Database; storage: PhotoStorage },
  now: Date,
): Promise<number> {
  return database.connection().execute(async (connection) => {
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_lock(hashtext(${PHOTO_DELETION_LOCK})) as locked
    `.execute(connection);
    if (rows[0]?.locked !== true) return 0;
    try {
      while ((await classifyBatch(connection, now)) === DELETION_BATCH_SIZE);
      return await deleteMarkedPhotos(connection, storage, now);
    } finally {
      await sql`select pg_advisory_unlock(hashtext(${PHOTO_DELETION_LOCK}))`.execute(connection);
    }
  });
}
