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
 * Decides on one batch of photos; a laptop that is being listed with one of them waits for this transaction.
 * @returns on how many it has decided
 */
function decideOnSome(connection: Database, now: Date): Promise<number> {
  return connection.transaction().execute(async (transaction) => {
    const inQuestion = await lockOrphanCandidates(transaction, now);
    if (inQuestion.length === 0) return 0;
    // A statement of its own, after the locks: it sees every laptop that was listed before them.
    const shown = await store.findListedPhotos(transaction, inQuestion);
    await resolveOrphanCandidates(transaction, inQuestion, new Set(shown));
    return inQuestion.length;
  });
}

/**
 * Removes the photos that no laptop shows: uploads that never became one's, and those of ended accounts. Does nothing
 * while another process does it or a backup is being made, which must find every photo that its rows name.
 * @returns how many
 */
export function removeUnusedPhotos(
  { database, storage }: { database: Database; storage: PhotoStorage },
  now: Date,
): Promise<number> {
  return database.connection().execute(async (connection) => {
    const { rows } = await sql<{ got: boolean }>`
      select pg_try_advisory_lock(hashtext(${PHOTO_DELETION_LOCK})) as got
    `.execute(connection);
    if (rows[0]?.got !== true) return 0;
    try {
      while ((await decideOnSome(connection, now)) === DELETION_BATCH_SIZE);
      return await deleteMarkedPhotos(connection, storage, now);
    } finally {
      await sql`select pg_advisory_unlock(hashtext(${PHOTO_DELETION_LOCK}))`.execute(connection);
    }
  });
}
