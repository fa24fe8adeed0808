import { Readable } from 'node:stream';
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
import { type PhotoStorage, StorageError } from '#server/listings/photos/storage.ts';
import * as archive from './archive.ts';
import { withRetries } from './destination.ts';

/** How many photos are read, written or removed concurrently, each completely in memory: they have a few megabytes. */
const CONCURRENCY = 8;

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

/**
 * Declares a holdable cursor on the referenced photos of a transaction's snapshot, which PostgreSQL keeps after the
 * transaction until the connection is closed. Reading the photos may take hours: this needs neither memory for the list nor
 * an open transaction.
 * @returns the next few photos at each call; none at the end
 */
export async function openReferencedPhotos(client: Client): Promise<() => Promise<ReferencedPhoto[]>> {
  await client.query(`declare referenced_photos cursor with hold for ${REFERENCED_PHOTOS}`);
  return async () => {
    try {
      return (await client.query<ReferencedPhoto>(`fetch ${CONCURRENCY} from referenced_photos`)).rows;
    } catch (error) {
      throw new archive.BackupError(
        'The connection to the database was lost while the photos were read, and with it the lock that prevents their deletion. No backup was made.',
        { cause: error },
      );
    }
  };
}

/** Reads the file with a key, or null. @throws StorageError, BackupError when each attempt is interrupted */
async function readPhotoFile(storage: PhotoStorage, key: string): Promise<archive.ArchiveEntry | null> {
  try {
    return await withRetries(async () => {
      const stored = await storage.get(key);
      return stored && { name: key, content: await buffer(stored.stream) };
    });
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new archive.BackupError(
      `${key} in ${storage.description} breaks off each time it is read: ${archive.messageOf(error)}.`,
    );
  }
}

/** Parses a photo's record; null when it is damaged, which is harmless: the laptops' URLs contain the full name. */
function parseRecord({ content }: archive.ArchiveEntry): PhotoName | null {
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
): Promise<{ files: archive.ArchiveEntry[]; missing: string[] }> {
  const record = await readPhotoFile(storage, recordKey(hash));
  const photo = (record && parseRecord(record)) ?? urls.map(parsePhotoUrl).find((named) => named !== null);
  const master = photo ? await readPhotoFile(storage, masterKey(photo)) : null;
  const shown = urls.filter((url) => parsePhotoUrl(url) !== null);
  return {
    files: [record, master].filter((file) => file !== null),
    missing: master === null ? shown.map((url) => url.slice(url.lastIndexOf('/photos/') + 8)) : [],
  };
}

/**
 * Adds the originals of photos to an archive.
 * @returns the number of files, and the photos that laptops show and that are missing
 */
export async function exportPhotos(
  storage: PhotoStorage,
  add: archive.AddEntry,
  nextPhotos: () => Promise<ReferencedPhoto[]>,
): Promise<Pick<archive.Manifest, 'photos' | 'missingPhotos'>> {
  const missingPhotos: archive.Manifest['missingPhotos'] = { count: 0, first: [] };
  let files = 0;
  for (;;) {
    const batch = await nextPhotos();
    if (batch.length === 0) return { photos: files, missingPhotos };
    for (const found of await Promise.all(batch.map((photo) => readFilesOf(storage, photo)))) {
      for (const { name, content } of found.files) await add(`${archive.PHOTO_PREFIX}${name}`, content);
      files += found.files.length;
      const { count, first } = missingPhotos;
      missingPhotos.count = count + found.missing.length;
      first.push(...found.missing.slice(0, archive.MAXIMUM_MISSING_NAMES - first.length));
    }
  }
}

/**
 * Writes the photos among an archive's remaining entries to a storage, beside the existing ones.
 * @throws BackupError unless all are stored afterwards
 */
export async function restorePhotos(
  storage: Pick<PhotoStorage, 'description' | 'put' | 'has'>,
  entries: AsyncIterable<archive.ArchiveEntry>,
  { photos }: Pick<archive.Manifest, 'photos'>,
): Promise<void> {
  let stored = 0;
  const store = async ({ name, content }: archive.ArchiveEntry) => {
    if (!name.startsWith(archive.PHOTO_PREFIX)) return;
    const key = name.slice(archive.PHOTO_PREFIX.length);
    if (!storageKey.test(key)) throw new archive.BackupError(`${name} is not the name of a photo.`);
    await storage.put(key, content, mediaTypeOf(key));
    if (await storage.has(key)) stored += 1;
  };
  await Readable.from(entries).forEach(store, { concurrency: CONCURRENCY });
  if (stored === photos) return;
  throw new archive.BackupError(`Of ${photos} photos ${stored} are in ${storage.description}.`);
}

/**
 * Removes the photos that the restored rows do not reference, and no other objects in the same bucket.
 * @param client of a connection to the restored database
 */
export async function removeReplacedPhotos(
  client: Client,
  storage: Pick<PhotoStorage, 'keys' | 'remove'>,
): Promise<void> {
  await client.query(`create temporary table photos_to_keep as ${REFERENCED_PHOTOS}`);
  await client.query('create index on photos_to_keep (hash)');
  const isKept = async (key: string) =>
    (await client.query('select from photos_to_keep where hash = left($1, 64)', [key])).rowCount !== 0;
  const isReplaced = async (key: string) => isPhotoKey(key) && !(await isKept(key));
  const replaced = Readable.from(storage.keys()).filter(isReplaced);
  await replaced.forEach(storage.remove, { concurrency: CONCURRENCY });
}
