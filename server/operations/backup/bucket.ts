import { Readable } from 'node:stream';
import { StorageError } from '#server/listings/photos/storage.ts';
import { createObjectStorage } from '#server/providers/object-storage.ts';
import type { DestinationSettings } from '../configuration/backups.ts';
import {
  type BackupDestination,
  EXTENSION,
  newestFirst,
  parseFile,
  type StoredBackup,
  withRetries,
} from './destination.ts';

/**
 * The bytes of a request that reads a backup. Its reader may pause for minutes, for example while PostgreSQL creates an
 * index, and the connection of one long download would be closed meanwhile.
 */
const RANGE_BYTES = 16 * 1024 * 1024;

/** A range may take long on a slow line; a connection that transfers nothing fails earlier. */
const RESPONSE_TIMEOUT_MS = 10 * 60_000;
const IDLE_TIMEOUT_MS = 30_000;

/** Opens the backups below a prefix of a bucket. */
export function openBucket(settings: Extract<DestinationSettings, { kind: 'bucket' }>): BackupDestination {
  const { bucket, prefix, region, endpoint, credentials } = settings;
  const storage = createObjectStorage({
    bucket,
    region,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    responseTimeoutMs: RESPONSE_TIMEOUT_MS,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(credentials !== null && { credentials }),
  });
  const description = `the bucket ${bucket}`;
  const keyOf = (name: string) => `${prefix}${name}${EXTENSION}`;

  async function* read(key: string, bytes: number): AsyncGenerator<Buffer> {
    for (let first = 0; first < bytes; first += RANGE_BYTES) {
      const last = Math.min(first + RANGE_BYTES, bytes) - 1;
      yield await withRetries(async () => {
        const range = await storage.getRange(key, first, last);
        if (range?.length === last - first + 1) return range;
        throw new StorageError(`${key} in ${description} is missing, or shorter than it was.`);
      });
    }
  }

  return {
    description,

    write: (name, content) => storage.upload(keyOf(name), content),

    async list() {
      const backups: (StoredBackup | null)[] = [];
      for await (const { key, size } of storage.objects(`${prefix}coomercio-`)) {
        backups.push(parseFile(key.slice(prefix.length), size));
      }
      return newestFirst(backups.filter((backup) => backup !== null));
    },

    source: ({ name, bytes }) => ({
      name: `${name} in ${description}`,
      open: () => Readable.from(read(keyOf(name), bytes), { objectMode: false }),
    }),

    remove: (name) => storage.remove(keyOf(name)),

    close: () => storage.close(),
  };
}
