import { buffer } from 'node:stream/consumers';
import type { Database } from '#server/platform/database/tables.ts';
import { throwAll } from '#server/platform/jobs/batches.ts';
import { processItems } from '#server/platform/jobs/failed-items.ts';
import type { Codec } from './codec-client.ts';
import { fingerprintsOf, isPlain } from './fingerprint.ts';
import { insertFingerprints, selectWithoutFingerprint } from './fingerprint-store.ts';
import { masterKey } from './rules.ts';
import { type PhotoStorage, readRecord } from './steps.ts';

/** The maximum number of photos per run. Each takes about 20 ms of one core. */
const PHOTOS_PER_RUN = 100;

export interface FingerprintDependencies {
  database: Database;
  storage: PhotoStorage;
  codec: Pick<Codec, 'makeThumbnail'>;
}

/** Reads a stored photo as a thumbnail; null when it is gone. */
async function readThumbnail(
  { storage, codec }: FingerprintDependencies,
  hash: string,
): Promise<Uint8Array | null> {
  const photo = await readRecord(storage, hash);
  const master = photo && (await storage.get(masterKey(photo)));
  return master ? codec.makeThumbnail(await buffer(master.stream)) : null;
}

async function fingerprintPhoto(dependencies: FingerprintDependencies, hash: string): Promise<void> {
  const thumbnail = await readThumbnail(dependencies, hash);
  const isUsable = thumbnail !== null && !isPlain(thumbnail);
  await insertFingerprints(
    dependencies.database,
    hash,
    isUsable ? thumbnail : null,
    isUsable ? fingerprintsOf(thumbnail) : [],
  );
}

/**
 * Makes the fingerprints of photos that laptops show and that have none yet.
 * @throws AggregateError with the failures; these photos are postponed, and all others are processed
 */
export async function fingerprintPhotos(
  dependencies: FingerprintDependencies,
  signal: AbortSignal,
  now = new Date(),
): Promise<void> {
  const { database } = dependencies;
  const hashes = await selectWithoutFingerprint(database, now, PHOTOS_PER_RUN);
  const process = (hash: string) => fingerprintPhoto(dependencies, hash);
  const failures = await processItems(database, 'fingerprints of photos', hashes, process, { now, signal });
  throwAll(failures, 'fingerprints of some photos could not be made');
}
