import { buffer } from 'node:stream/consumers';
import type { Client } from 'pg';
import type { PhotoName } from '#contract/listings/photos.ts';
import {
  isPhotoKey,
  masterKey,
  mediaTypeOf,
  PhotoRecord,
  parsePhotoUrl,
  recordKey,
  storageKey,
} from '#server/listings/photos/rules.ts';
import type { PhotoStorage } from '#server/listings/photos/storage.ts';
import { type AddEntry, BackupError, MAXIMUM_MISSING_NAMES, type Manifest, PHOTO_PREFIX } from './archive.ts';
import type { ArchiveEntry } from './read-archive.ts';

/** How many photos are read, written or removed concurrently, each completely in memory: they have a few megabytes. */
const CONCURRENCY = 8;

/** How often an interrupted read is tried. */
const ATTEMPTS = 3;

/** How many photos of the storage one query compares with the restored rows. */
const COMPARISON_BATCH_SIZE = 1000;

/** Called after photos with the number of those done and their total. */
export type PhotoProgress = (done: number, total: number) => void;

/** A photo that rows reference, and the URLs with which laptops show it. */
interface ReferencedPhoto {
  hash: string;
  urls: string[];
}

/** Selects the photos that rows reference: those that laptops show, and uploads that no laptop shows yet. */
const REFERENCED_PHOTOS = `
    select hash, coalesce(array_agg(distinct url) filter (where url is not null), '{}') as urls
      from (
        select hash, url
          from laptops, unnest(images) as url, substr(url, strpos(url, '/photos/') + 8, 64) as hash
         where url like '%/photos/%-%' and length(hash) = 64 and hash !~ '[^0-9a-f]'
        union all select hash, null from photos where state in ('waiting', 'listed')
      ) as referenced
     group by hash order by hash`;

/** The referenced photos of a transaction's snapshot, which can be read after the transaction. */
export interface ReferencedPhotos {
  total: number;
  /** Returns the next few photos; none at the end. @throws BackupError when the connection was lost, and with it its locks */
  next(): Promise<ReferencedPhoto[]>;
}

/**
 * Declares a holdable cursor, which PostgreSQL keeps after the transaction until the connection is closed. Reading the
 * photos may take hours: this needs neither memory for the list nor an open transaction.
 */
export async function openReferencedPhotos(client: Client): Promise<ReferencedPhotos> {
  await client.query(`declare referenced_photos scroll cursor with hold for ${REFERENCED_PHOTOS}`);
  const { rowCount } = await client.query('move forward all in referenced_photos');
  await client.query('move absolute 0 in referenced_photos');
  return {
    total: rowCount ?? 0,
    async next() {
      try {
        return (await client.query<ReferencedPhoto>(`fetch ${CONCURRENCY} from referenced_photos`)).rows;
      } catch (error) {
        throw new BackupError(
          'The connection to the database was lost while the photos were read, and with it the lock that prevents their deletion. No backup was made.',
          { cause: error },
        );
      }
    },
  };
}

/** Reads the file with a key, or null. @throws StorageError, BackupError when each attempt is interrupted */
async function readPhotoFile(storage: PhotoStorage, key: string): Promise<ArchiveEntry | null> {
  for (let attemptsLeft = ATTEMPTS; ; attemptsLeft -= 1) {
    const stored = await storage.get(key);
    if (stored === null) return null;
    try {
      return { name: key, content: await buffer(stored.stream) };
    } catch (error) {
      if (attemptsLeft > 1) continue;
      const reason = error instanceof Error ? error.message : String(error);
      throw new BackupError(`${key} in ${storage.description} breaks off each time it is read: ${reason}.`);
    }
  }
}

/** Parses a photo's record; null when it is damaged, which is harmless: the laptops' URLs contain the full name. */
function parseRecord({ content }: ArchiveEntry): PhotoName | null {
  try {
    return PhotoRecord.parse(JSON.parse(content.toString('utf8')));
  } catch {
    return null;
  }
}

/** Reads a photo's record and master, and returns the keys that laptops show and that the storage does not have. */
async function readFilesOf(
  storage: PhotoStorage,
  { hash, urls }: ReferencedPhoto,
): Promise<{ files: ArchiveEntry[]; missing: string[] }> {
  const record = await readPhotoFile(storage, recordKey(hash));
  const recorded = record && parseRecord(record);
  const files = record === null ? [] : [record];
  const masters = new Map<string, string[]>(recorded === null ? [] : [[masterKey(recorded), []]]);
  for (const url of urls) {
    const photo = parsePhotoUrl(url);
    if (photo === null) continue;
    const key = url.slice(url.lastIndexOf('/photos/') + '/photos/'.length);
    masters.set(masterKey(photo), [...(masters.get(masterKey(photo)) ?? []), key]);
  }
  const missing: string[] = [];
  for (const [key, shown] of masters) {
    const master = await readPhotoFile(storage, key);
    if (master === null) missing.push(...shown);
    else files.push(master);
  }
  return { files, missing };
}

/**
 * Adds the originals of photos to an archive.
 * @returns the number of files, and the photos that laptops show and that are missing
 */
export async function exportPhotos(
  storage: PhotoStorage,
  add: AddEntry,
  photos: ReferencedPhotos,
  onProgress: PhotoProgress,
): Promise<Pick<Manifest, 'photos' | 'missingPhotos'>> {
  const missingPhotos: Manifest['missingPhotos'] = { count: 0, first: [] };
  let files = 0;
  let done = 0;
  for (;;) {
    const batch = await photos.next();
    if (batch.length === 0) return { photos: files, missingPhotos };
    for (const found of await Promise.all(batch.map((photo) => readFilesOf(storage, photo)))) {
      for (const { name, content } of found.files) await add(`${PHOTO_PREFIX}${name}`, content);
      files += found.files.length;
      missingPhotos.count += found.missing.length;
      missingPhotos.first.push(...found.missing.slice(0, MAXIMUM_MISSING_NAMES - missingPhotos.first.length));
    }
    done += batch.length;
    onProgress(done, photos.total);
  }
}

/** Groups items into arrays of at most `size`. */
async function* batchesOf<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Writes the photos among an archive's remaining entries to a storage, beside the existing ones.
 * @throws BackupError unless all are stored afterwards
 */
export async function restorePhotos(
  storage: Pick<PhotoStorage, 'description' | 'put' | 'has'>,
  entries: AsyncIterable<ArchiveEntry>,
  { photos }: Pick<Manifest, 'photos'>,
  onProgress: PhotoProgress,
): Promise<void> {
  let done = 0;
  let stored = 0;
  for await (const batch of batchesOf(entries, CONCURRENCY)) {
    const files = batch.filter(({ name }) => name.startsWith(PHOTO_PREFIX));
    await Promise.all(
      files.map(async ({ name, content }) => {
        const key = name.slice(PHOTO_PREFIX.length);
        if (!storageKey.test(key)) throw new BackupError(`${name} is not the name of a photo.`);
        await storage.put(key, content, mediaTypeOf(key));
        if (await storage.has(key)) stored += 1;
      }),
    );
    done += files.length;
    onProgress(done, photos ?? 0);
  }
  if (stored !== photos)
    throw new BackupError(`Of ${photos} photos ${stored} are in ${storage.description}.`);
}

/** Lists the keys of all photos, and ignores other objects in the same bucket. */
export async function* listPhotoKeys(storage: Pick<PhotoStorage, 'keys'>): AsyncGenerator<string> {
  for await (const key of storage.keys()) if (isPhotoKey(key)) yield key;
}

/** Removes the photos that the restored rows do not reference. @param client of a connection to the restored database */
export async function removeReplacedPhotos(
  client: Client,
  storage: Pick<PhotoStorage, 'keys' | 'remove'>,
): Promise<void> {
  await client.query(`create temporary table photos_to_keep as ${REFERENCED_PHOTOS}`);
  await client.query('create index on photos_to_keep (hash)');
  for await (const keys of batchesOf(listPhotoKeys(storage), COMPARISON_BATCH_SIZE)) {
    const { rows } = await client.query<{ key: string }>(
      `select key from unnest($1::text[]) as key
        where not exists (select from photos_to_keep where hash = left(key, 64))`,
      [keys],
    );
    for (let start = 0; start < rows.length; start += CONCURRENCY) {
      await Promise.all(rows.slice(start, start + CONCURRENCY).map(({ key }) => storage.remove(key)));
    }
  }
}
