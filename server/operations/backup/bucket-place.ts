import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { StorageError } from '#server/listings/photos/storage.ts';
import { createObjectStorage } from '#server/providers/object-storage.ts';
import { BackupError } from './archive.ts';
import type { BackupDestination } from './configuration.ts';
import { type BackupPlace, type StoredBackup, Verification } from './place.ts';
import { parseName } from './rules.ts';

// A bucket has, below the prefix, the content of a backup in parts and then its description. Without a description there is
// no backup. Parts need no permission or feature beyond those for photos, bound the memory, and can be read again alone:
//   parts/NAME/000001 …   the bytes of the archive, to be concatenated in order
//   NAME.json             the number of parts, their size and the verification

/** The bytes of a part. One is in memory at a time. */
const PART_BYTES = 16 * 1024 * 1024;

/** A part may take long on a slow line; a connection that transfers nothing fails earlier. */
const RESPONSE_TIMEOUT_MS = 10 * 60_000;
const IDLE_TIMEOUT_MS = 30_000;

/** How often an interrupted read is tried. */
const ATTEMPTS = 3;

const DESCRIPTION = '.json';
const MEDIA_TYPE = 'application/octet-stream';

const Description = z.object({
  format: z.literal('coomercio-backup-parts'),
  parts: z.int().check(z.minimum(1)),
  bytes: z.int().check(z.minimum(1)),
  verification: z.nullable(Verification),
});
type Description = z.infer<typeof Description>;

/** The options that tests change. */
export interface BucketOptions {
  partBytes?: number;
}

/** Opens the backups below a prefix of a bucket. */
export function openBucket(
  { bucket, prefix, region, endpoint, credentials }: Extract<BackupDestination, { kind: 'bucket' }>,
  { partBytes = PART_BYTES }: BucketOptions = {},
): BackupPlace {
  const storage = createObjectStorage({
    bucket,
    region,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    responseTimeoutMs: RESPONSE_TIMEOUT_MS,
    cacheControl: 'no-store',
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(credentials !== null && { credentials }),
  });
  const partsKey = (name: string) => `${prefix}parts/${name}/`;
  const partKey = (name: string, part: number) => `${partsKey(name)}${String(part).padStart(6, '0')}`;
  const descriptionKey = (name: string) => `${prefix}${name}${DESCRIPTION}`;

  /** Reads an object. @returns null for a missing one @throws StorageError when each attempt fails */
  async function read(key: string): Promise<Buffer | null> {
    for (let attemptsLeft = ATTEMPTS; ; attemptsLeft -= 1) {
      const stored = await storage.get(key);
      if (stored === null) return null;
      try {
        return await buffer(stored.stream);
      } catch (error) {
        if (attemptsLeft > 1) continue;
        const reason = error instanceof Error ? error.message : String(error);
        throw new StorageError(`${key} in the bucket ${bucket} breaks off each time it is read: ${reason}.`, {
          cause: error,
        });
      }
    }
  }

  /** @returns null for a missing description @throws BackupError for one that is not as it was written */
  async function readDescription(name: string): Promise<Description | null> {
    const content = await read(descriptionKey(name));
    if (content === null) return null;
    try {
      return z.parse(Description, JSON.parse(content.toString('utf8')));
    } catch (error) {
      throw new BackupError(`${descriptionKey(name)} in the bucket ${bucket} is damaged.`, { cause: error });
    }
  }

  const writeDescription = (name: string, description: Description) =>
    storage.put(descriptionKey(name), Buffer.from(`${JSON.stringify(description)}\n`), 'application/json');

  async function* readParts(name: string): AsyncGenerator<Buffer> {
    const description = await readDescription(name);
    const missing = (key: string) => new BackupError(`${key} is missing in the bucket ${bucket}.`);
    if (description === null) throw missing(descriptionKey(name));
    for (let part = 1; part <= description.parts; part += 1) {
      const content = await read(partKey(name, part));
      if (content === null) throw missing(partKey(name, part));
      yield content;
    }
  }

  async function removeParts(name: string): Promise<void> {
    for await (const key of storage.keys(partsKey(name))) await storage.remove(key);
  }

  /** The names of complete backups, newest first. */
  async function listNames(): Promise<string[]> {
    const names: string[] = [];
    for await (const key of storage.keys(`${prefix}coomercio-`)) {
      const name = key.slice(prefix.length, -DESCRIPTION.length);
      if (key.endsWith(DESCRIPTION) && parseName(name) !== null) names.push(name);
    }
    return names.sort().reverse();
  }

  return {
    description: `the bucket ${bucket}`,

    async write(name, content) {
      let buffered: Buffer[] = [];
      let bufferedBytes = 0;
      let parts = 0;
      let bytes = 0;
      const flush = async () => {
        parts += 1;
        await storage.put(partKey(name, parts), Buffer.concat(buffered), MEDIA_TYPE);
        buffered = [];
        bufferedBytes = 0;
      };
      try {
        for await (const chunk of content) {
          const chunkBuffer = Buffer.from(chunk);
          buffered.push(chunkBuffer);
          bufferedBytes += chunkBuffer.length;
          bytes += chunkBuffer.length;
          if (bufferedBytes >= partBytes) await flush();
        }
        if (bufferedBytes > 0) await flush();
        await writeDescription(name, { format: 'coomercio-backup-parts', parts, bytes, verification: null });
      } catch (error) {
        // What cannot be removed now is removed before the next backup.
        await removeParts(name).catch(() => undefined);
        throw error;
      }
      return bytes;
    },

    async recordVerification(name, verification) {
      const description = await readDescription(name);
      if (description === null) throw new BackupError(`${name} is no longer in the bucket ${bucket}.`);
      await writeDescription(name, { ...description, verification });
    },

    async list() {
      const backups: StoredBackup[] = [];
      for (const name of await listNames()) {
        const parsed = parseName(name);
        const description = await readDescription(name);
        if (parsed === null || description === null) continue;
        const { bytes, verification } = description;
        backups.push({ name, ...parsed, bytes, verification });
      }
      return backups;
    },

    source: ({ name, bytes }) => ({
      name: `${name} in the bucket ${bucket}`,
      open: () => Readable.from(readParts(name), { objectMode: false }),
      size: async () => bytes,
    }),

    async remove(name) {
      await storage.remove(descriptionKey(name));
      await removeParts(name);
    },

    async removeIncomplete(shopIds) {
      const complete = new Set(await listNames());
      for await (const key of storage.keys(`${prefix}parts/`)) {
        const [name = ''] = key.slice(partsKey('').length - 1).split('/');
        const isOwn = shopIds.includes(parseName(name)?.shopId ?? '');
        if (isOwn && !complete.has(name)) await storage.remove(key);
      }
    },

    close: () => storage.close(),
  };
}
