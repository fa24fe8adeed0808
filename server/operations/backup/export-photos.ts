import { buffer } from 'node:stream/consumers';
import type { PhotoName } from '#contract/listings/photos.ts';
import {
  masterKey,
  PhotoRecord,
  parsePhotoUrl,
  recordKey,
  variantKeys,
} from '#server/listings/photos/rules.ts';
import type { PhotoStorage } from '#server/listings/photos/storage.ts';
import { type ArchiveWriter, BackupError, MAXIMUM_MISSING_NAMES, type Manifest } from './archive.ts';
import { mapInOrder } from './map-in-order.ts';
import type { ReferencedPhoto, ReferencedPhotos } from './referenced-photos.ts';

/** The prefix of the entry names of photos. */
export const PHOTO_PREFIX = 'photos/';

/** How often an interrupted read is tried. */
const ATTEMPTS = 3;

/** Called after each photo with the number of photos done and their total. */
export type PhotoProgress = (done: number, total: number) => void;

interface PhotoFile {
  key: string;
  content: Buffer;
}

/** Reads the file with a key, or null. @throws StorageError, BackupError when each attempt is interrupted */
async function readPhotoFile(storage: PhotoStorage, key: string): Promise<PhotoFile | null> {
  for (let attemptsLeft = ATTEMPTS; ; attemptsLeft -= 1) {
    const stored = await storage.get(key);
    if (stored === null) return null;
    try {
      return { key, content: await buffer(stored.stream) };
    } catch (error) {
      if (attemptsLeft > 1) continue;
      const reason = error instanceof Error ? error.message : String(error);
      throw new BackupError(`${key} in ${storage.description} breaks off each time it is read: ${reason}.`);
    }
  }
}

/**
 * Reads the files that are needed to serve a photo: its master, from which the shop makes the variants again. Uploads of
 * earlier versions have all variants instead of a master.
 */
async function readOriginals(storage: PhotoStorage, photo: PhotoName): Promise<PhotoFile[]> {
  const master = await readPhotoFile(storage, masterKey(photo));
  if (master !== null) return [master];
  const variants: PhotoFile[] = [];
  for (const key of variantKeys(photo)) {
    const variant = await readPhotoFile(storage, key);
    if (variant !== null) variants.push(variant);
  }
  return variants;
}

/** Parses a photo's record; null when it is damaged, which is harmless: the laptops' URLs contain the full name. */
function parseRecord({ content }: PhotoFile): PhotoName | null {
  try {
    return PhotoRecord.parse(JSON.parse(content.toString('utf8')));
  } catch {
    return null;
  }
}

/** The storage key in a photo's URL: the path below `/photos/`. */
const keyOf = (url: string) => url.slice(url.lastIndexOf('/photos/') + '/photos/'.length);

/** Reads a photo's files, and returns the keys that laptops show and that the storage does not have. */
async function readFilesOf(
  storage: PhotoStorage,
  { hash, urls }: ReferencedPhoto,
): Promise<{ files: PhotoFile[]; missing: string[] }> {
  const record = await readPhotoFile(storage, recordKey(hash));
  const files = record === null ? [] : [record];
  const shown = urls.flatMap((url) => {
    const photo = parsePhotoUrl(url);
    return photo === null ? [] : [{ key: keyOf(url), master: masterKey(photo), photo }];
  });
  const recordedPhoto = record && parseRecord(record);
  const photos = new Map(shown.map(({ master, photo }) => [master, photo]));
  if (recordedPhoto !== null) photos.set(masterKey(recordedPhoto), recordedPhoto);
  const missingMasters = new Set<string>();
  for (const [master, photo] of photos) {
    const originals = await readOriginals(storage, photo);
    if (originals.length === 0) missingMasters.add(master);
    files.push(...originals);
  }
  return { files, missing: shown.filter(({ master }) => missingMasters.has(master)).map(({ key }) => key) };
}

/**
 * Adds the originals of photos to an archive.
 * @returns the number of files, and the photos that laptops show and that are missing
 */
export async function exportPhotos(
  storage: PhotoStorage,
  archive: ArchiveWriter,
  photos: ReferencedPhotos,
  onProgress: PhotoProgress,
): Promise<{ files: number; missing: Manifest['missingPhotos'] }> {
  const missing: Manifest['missingPhotos'] = { count: 0, first: [] };
  const total = await photos.count();
  let files = 0;
  let done = 0;
  for await (const found of mapInOrder(photos, (photo) => readFilesOf(storage, photo))) {
    for (const { key, content } of found.files) await archive.add(`${PHOTO_PREFIX}${key}`, content);
    files += found.files.length;
    missing.count += found.missing.length;
    missing.first.push(...found.missing.slice(0, MAXIMUM_MISSING_NAMES - missing.first.length));
    done += 1;
    onProgress(done, total);
  }
  return { files, missing };
}
