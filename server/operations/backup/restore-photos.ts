import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import type { Client } from 'pg';
import { isPhotoKey, mediaTypeOf, storageKey } from '#server/listings/photos/rules.ts';
import type { PhotoStorage } from '#server/listings/photos/storage.ts';
import { BackupError, type Manifest } from './archive.ts';
import { PHOTO_PREFIX, type PhotoProgress } from './export-photos.ts';
import { forEachConcurrently } from './map-in-order.ts';
import type { ArchiveEntry } from './read-archive.ts';

/** How many photos one query compares with the restored rows. */
const COMPARISON_BATCH_SIZE = 1000;

/** The key of a marker file that exists among the photos from the start of a restore until its end. */
const MARKER_KEY = 'restoring.json';

/** Writes the photos of an archive to a storage, beside the existing ones. */
export type PhotoRestore = Awaited<ReturnType<typeof beginPhotoRestore>>;

/** Lists the keys of all photos, and ignores other objects in the same bucket. */
export async function* listPhotoKeys(storage: PhotoStorage): AsyncGenerator<string> {
  for await (const key of storage.keys()) if (isPhotoKey(key)) yield key;
}

/** Yields those of the keys whose photo is not in `photos_to_keep`. */
async function* keysToRemove(client: Client, keys: AsyncIterable<string>): AsyncGenerator<string> {
  const compare = async (batch: string[]) => {
    const { rows } = await client.query<{ key: string }>(
      `select key from unnest($1::text[]) as key
        where not exists (select from photos_to_keep where hash = left(key, 64))`,
      [batch],
    );
    return rows.map(({ key }) => key);
  };
  let batch: string[] = [];
  for await (const key of keys) {
    batch.push(key);
    if (batch.length < COMPARISON_BATCH_SIZE) continue;
    yield* await compare(batch);
    batch = [];
  }
  yield* await compare(batch);
}

/** Yields the photos among an archive's entries. @throws BackupError for a name that is not a storage key */
async function* photoEntries(
  entries: AsyncIterator<ArchiveEntry, unknown>,
): AsyncGenerator<{ key: string; content: Buffer }> {
  for (;;) {
    const next = await entries.next();
    if (next.done === true) return;
    const { name, content } = next.value;
    if (!name.startsWith(PHOTO_PREFIX)) continue;
    const key = name.slice(PHOTO_PREFIX.length);
    if (!storageKey.test(key)) throw new BackupError(`${name} is not the name of a photo.`);
    yield { key, content: await buffer(content) };
  }
}

/** Creates a list of lines in a temporary file, because it may be too long for memory. */
async function openTemporaryList() {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-restore-'));
  const path = join(folder, 'list');
  const file: WriteStream = createWriteStream(path);
  await once(file, 'open');
  return {
    add: (line: string) =>
      new Promise<void>((resolve, reject) => {
        file.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
      }),
    lines: (): AsyncIterable<string> => createInterface({ input: createReadStream(path) }),
    async close() {
      file.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Prepares the restore of photos into a storage that may have photos. Existing photos are not removed before
 * `removeReplaced`. A marker file makes an interrupted restore recognizable.
 */
export async function beginPhotoRestore(storage: PhotoStorage) {
  const wasInterrupted = await storage.has(MARKER_KEY);
  let hasPhotos = false;
  for await (const _key of listPhotoKeys(storage)) {
    hasPhotos = true;
    break;
  }
  const added = await openTemporaryList();
  return {
    /** Names the storage in messages. */
    description: storage.description,
    /** Whether the storage contains photos, and whether some may be left from an interrupted restore. */
    existing: { hasPhotos, wasInterrupted },

    /** Writes the photos among the remaining entries. @throws BackupError unless all are stored afterwards */
    async write(
      entries: AsyncIterator<ArchiveEntry, unknown>,
      manifest: Manifest,
      onProgress: PhotoProgress,
    ): Promise<void> {
      await storage.put(
        MARKER_KEY,
        Buffer.from(JSON.stringify({ since: new Date() })),
        mediaTypeOf(MARKER_KEY),
      );
      let done = 0;
      let stored = 0;
      await forEachConcurrently(photoEntries(entries), async ({ key, content }) => {
        if (!hasPhotos || !(await storage.has(key))) await added.add(key);
        await storage.put(key, content, mediaTypeOf(key));
        if (await storage.has(key)) stored += 1;
        done += 1;
        onProgress(done, manifest.photos ?? 0);
      });
      if (stored !== manifest.photos) {
        throw new BackupError(`Of ${manifest.photos} photos ${stored} are in ${storage.description}.`);
      }
    },

    /**
     * Removes the replaced shop's photos.
     * @param client has a temporary table `photos_to_keep` of the photos that rows reference
     */
    async removeReplaced(client: Client): Promise<void> {
      if (hasPhotos)
        await forEachConcurrently(keysToRemove(client, listPhotoKeys(storage)), (key) => storage.remove(key));
      await storage.remove(MARKER_KEY);
    },

    /** Removes the written photos that did not exist before. */
    async rollBack(): Promise<void> {
      await forEachConcurrently(added.lines(), (key) => storage.remove(key));
      if (!wasInterrupted) await storage.remove(MARKER_KEY);
    },

    /** Releases resources. Must be called after success and after failure. */
    close: (): Promise<void> => added.close(),
  };
}
