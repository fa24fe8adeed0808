import type { Database, Transaction } from '../database/tables.ts';
import { hashesIn } from './rules.ts';
import type { PhotoStorage } from './storage.ts';
import * as store from './store.ts';

export type { PhotoStorage } from './storage.ts';

/** For so long an upload waits for its laptop, in milliseconds: a form may stay open overnight. */
const WAIT = 24 * 60 * 60_000;

/** For so long it is remembered that a photo was removed, in milliseconds: longer than any draft is kept open. */
const MEMORY = 90 * 24 * 60 * 60_000;

/**
 * Holds the photos of a laptop that is being listed: from here on none of them is removed.
 * @returns false when one of them was removed already
 */
export async function claimPhotos(transaction: Transaction, urls: readonly string[]): Promise<boolean> {
  const hashes = hashesIn(urls);
  if (hashes.length === 0) return true;
  await store.list(transaction, hashes);
  return (await store.lostAmong(transaction, hashes)).length === 0;
}

/** Lets go of photos that a laptop no longer shows; they are removed soon unless another one does. */
export async function releasePhotos(transaction: Transaction, urls: readonly string[]): Promise<void> {
  const hashes = hashesIn(urls);
  if (hashes.length > 0) await store.release(transaction, hashes, new Date(0));
}

/** Photos that have waited for a laptop for a day, or were let go of, locked until the transaction ends. */
export function photosInQuestion(transaction: Transaction, now: Date, limit: number): Promise<string[]> {
  return store.lockInQuestion(transaction, new Date(now.getTime() - WAIT), limit);
}

/** Decides on locked photos: who is shown stays, the others leave. */
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
 * Removes the files of all photos that leave, those included that an earlier round has not come to. Until a photo is
 * gone nobody can upload it anew, so nothing new is removed with it.
 * @returns how many
 * @throws Error when some could not be removed; the others are gone, and those leave with the next round
 */
export async function removeLeavingPhotos(
  database: Database,
  storage: PhotoStorage,
  now: Date,
): Promise<number> {
  const leaving = await store.leaving(database);
  const failures: unknown[] = [];
  for (const hash of leaving) {
    try {
      // The record's name is the shortest and comes first: without it nobody takes the photo for kept.
      for (const key of (await storage.keysFrom(hash)).sort()) await storage.remove(key);
      await store.mark(database, [hash], 'gone');
    } catch (error) {
      failures.push(error);
    }
  }
  await store.forget(database, new Date(now.getTime() - MEMORY));
  if (failures.length > 0) {
    throw new Error(`${failures.length} of ${leaving.length} photos could not be removed`, {
      cause: failures[0],
    });
  }
  return leaving.length;
}
