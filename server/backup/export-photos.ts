import { buffer } from 'node:stream/consumers';
import type { PhotoName } from '#contract/photos.ts';
import { masterKey, PhotoRecord, photoAt, recordKey, variantKeys } from '../photos/rules.ts';
import type { PhotoStorage } from '../photos/storage.ts';
import { type ArchiveWriter, BackupProblem, type Manifest, MISSING_NAMED } from './archive.ts';
import type { NamedPhoto, NamedPhotos } from './named-photos.ts';

/** What the names of an archive's photos begin with. */
export const PHOTOS = 'photos/';

/**
 * So many photos are read at once, each of them whole in memory: they are a few megabytes at most, and one that breaks
 * off on its way must be asked for again before anything of it stands in the archive.
 */
const AT_ONCE = 8;

/** How often a photo is asked for that breaks off. */
const TRIES = 3;

/** Told after each how many are done, and of how many. */
export type PhotoProgress = (done: number, of: number) => void;

/** Does something with each of these, a few at once, and gives the answers in order. */
async function* eachInOrder<Item, Answer>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Answer>,
): AsyncGenerator<Answer> {
  const underWay: Promise<Answer>[] = [];
  for await (const item of items) {
    const answer = work(item);
    // Its failure is told when its turn comes, which may be after another's has ended everything.
    answer.catch(() => undefined);
    underWay.push(answer);
    const next = underWay.length === AT_ONCE ? underWay.shift() : undefined;
    if (next !== undefined) yield await next;
  }
  for (const answer of underWay) yield await answer;
}

interface PhotoFile {
  key: string;
  content: Buffer;
}

/** What is kept under a key, or null. @throws StorageError, BackupProblem when it breaks off each time */
async function read(storage: PhotoStorage, key: string): Promise<PhotoFile | null> {
  for (let left = TRIES; ; left -= 1) {
    const kept = await storage.get(key);
    if (kept === null) return null;
    try {
      return { key, content: await buffer(kept.stream) };
    } catch (error) {
      if (left > 1) continue;
      const reason = error instanceof Error ? error.message : String(error);
      throw new BackupProblem(`${key} in ${storage.description} breaks off each time it is read: ${reason}.`);
    }
  }
}

/**
 * The files from which a photo can be shown: its master, from which the shop makes the variants again. Uploads from
 * before masters were kept have only their variants.
 */
async function originalsOf(storage: PhotoStorage, photo: PhotoName): Promise<PhotoFile[]> {
  const master = await read(storage, masterKey(photo));
  if (master !== null) return [master];
  const variants: PhotoFile[] = [];
  for (const key of variantKeys(photo)) {
    const variant = await read(storage, key);
    if (variant !== null) variants.push(variant);
  }
  return variants;
}

/** The photo that a record names; null when it is damaged, which does no harm: laptops' addresses name photos in full. */
function photoOfRecord({ content }: PhotoFile): PhotoName | null {
  try {
    return PhotoRecord.parse(JSON.parse(content.toString('utf8')));
  } catch {
    return null;
  }
}

const keyOf = (url: string) => url.slice(url.lastIndexOf('/photos/') + PHOTOS.length + 1);

/** A photo's files, and the keys of what laptops show of it and is nowhere. */
async function filesOf(
  storage: PhotoStorage,
  { hash, urls }: NamedPhoto,
): Promise<{ files: PhotoFile[]; missing: string[] }> {
  const record = await read(storage, recordKey(hash));
  const files = record === null ? [] : [record];
  const shown = urls.flatMap((url) => {
    const photo = photoAt(url);
    return photo === null ? [] : [{ key: keyOf(url), master: masterKey(photo), photo }];
  });
  const recorded = record && photoOfRecord(record);
  const photos = new Map(shown.map(({ master, photo }) => [master, photo]));
  if (recorded !== null) photos.set(masterKey(recorded), recorded);
  const lost = new Set<string>();
  for (const [master, photo] of photos) {
    const originals = await originalsOf(storage, photo);
    if (originals.length === 0) lost.add(master);
    files.push(...originals);
  }
  return { files, missing: shown.filter(({ master }) => lost.has(master)).map(({ key }) => key) };
}

/**
 * Adds the originals of photos to an archive. They are never changed once they are there, so it may take its time.
 * @returns how many files there are, and which photos that laptops show are missing
 */
export async function exportPhotos(
  storage: PhotoStorage,
  archive: ArchiveWriter,
  photos: NamedPhotos,
  progress: PhotoProgress,
): Promise<{ files: number; missing: Manifest['missingPhotos'] }> {
  const missing: Manifest['missingPhotos'] = { count: 0, first: [] };
  const of = await photos.count();
  let files = 0;
  let done = 0;
  for await (const found of eachInOrder(photos, (photo) => filesOf(storage, photo))) {
    for (const { key, content } of found.files) await archive.add(`${PHOTOS}${key}`, content);
    files += found.files.length;
    missing.count += found.missing.length;
    missing.first.push(...found.missing.slice(0, MISSING_NAMED - missing.first.length));
    done += 1;
    progress(done, of);
  }
  return { files, missing };
}
