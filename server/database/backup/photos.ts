import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { isPhotoKey, keysBehind, mediaTypeOf, storageKey } from '../../photos/rules.ts';
import type { PhotoStorage } from '../../photos/storage.ts';
import { type ArchiveEntry, type ArchiveWriter, BackupProblem, type Manifest } from './archive.ts';

const PREFIX = 'photos/';

/**
 * So many photos are on their way at once, each of them whole in memory: they are a few megabytes at most, and one
 * that breaks off on its way must be asked for again before anything of it stands in the archive.
 */
const AT_ONCE = 8;

/** How often a photo is asked for that breaks off. */
const TRIES = 3;

/** Stands among the photos from the first that a restore writes until its end. */
const MARK = 'restoring.json';

/** Told after each photo how many there are so far, and of how many. */
export type PhotoProgress = (done: number, of: number) => void;

/** The keys of everything that is kept of photos, sorted. */
export async function photoKeys(storage: PhotoStorage): Promise<string[]> {
  return (await storage.keysFrom('')).filter(isPhotoKey).sort();
}

/** Does something with each of these, a few at once, and gives the answers in order. */
async function* eachInOrder<Answer>(
  keys: readonly string[],
  work: (key: string) => Promise<Answer>,
): AsyncGenerator<{ key: string; answer: Answer }> {
  const underWay: { key: string; answer: Promise<Answer> }[] = [];
  let begun = 0;
  while (begun < keys.length || underWay.length > 0) {
    for (const key of keys.slice(begun, begun + AT_ONCE - underWay.length)) {
      const answer = work(key);
      // Its failure is told when its turn comes, which may be after another's has ended everything.
      answer.catch(() => undefined);
      underWay.push({ key, answer });
      begun += 1;
    }
    const next = underWay.shift();
    if (next !== undefined) yield { key: next.key, answer: await next.answer };
  }
}

/** What is kept under a key, or null. @throws StorageProblem, BackupProblem when it breaks off each time */
async function read(storage: PhotoStorage, key: string): Promise<Buffer | null> {
  for (let left = TRIES; ; left -= 1) {
    const kept = await storage.get(key);
    if (kept === null) return null;
    try {
      return await buffer(kept.stream);
    } catch (error) {
      if (left > 1) continue;
      const reason = error instanceof Error ? error.message : String(error);
      throw new BackupProblem(`${key} in ${storage.place} breaks off each time it is read: ${reason}.`);
    }
  }
}

/**
 * Adds all photos to an archive. They are never changed once they are there, so it may take its time.
 * @param shown the addresses of the photos that the archive's rows name
 * @returns how many files there are, and the keys of shown photos that are missing
 */
export async function exportPhotos(
  storage: PhotoStorage,
  archive: ArchiveWriter,
  shown: readonly string[],
  progress: PhotoProgress,
): Promise<{ count: number; missing: string[] }> {
  const keys = await photoKeys(storage);
  const added = new Set<string>();
  let done = 0;
  for await (const { key, answer } of eachInOrder(keys, (key) => read(storage, key))) {
    // What is there no more was a photo's that left before the backup began, made by somebody who still looked at it.
    if (answer !== null) {
      await archive.add(`${PREFIX}${key}`, answer.length, answer);
      added.add(key);
    }
    done += 1;
    progress(done, keys.length);
  }
  const missing = shown
    .map(keysBehind)
    .filter((behind) => behind.length > 0 && !behind.some((key) => added.has(key)))
    .map(([key = '']) => key);
  return { count: added.size, missing: [...new Set(missing)].sort() };
}

/** What a storage holds before a restore. */
export interface PhotosBefore {
  keys: ReadonlySet<string>;
  /** Whether they are, or may be, what an earlier restore left that did not come to its end. */
  interrupted: boolean;
}

export async function lookAtPhotos(storage: PhotoStorage): Promise<PhotosBefore> {
  return { keys: new Set(await photoKeys(storage)), interrupted: await storage.has(MARK) };
}

/** Photos on their way from an archive into a storage, beside those that are there. */
export interface ArrivingPhotos {
  /** What a sentence calls where they go. */
  readonly place: string;
  readonly before: PhotosBefore;
  /** Writes the photos among the entries that are left. @throws BackupProblem unless all are there in the end */
  take(entries: AsyncIterator<ArchiveEntry>, manifest: Manifest, progress: PhotoProgress): Promise<void>;
  /** Removes what was there before and is not the archive's, now that nothing names it any more. */
  settle(): Promise<void>;
  /** Removes what has come and was not there before. */
  withdraw(): Promise<void>;
}

/** Removes all of these, or some of them: after a failure nothing goes on behind the caller's back. */
async function removeAll(storage: PhotoStorage, keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += AT_ONCE) {
    const removing = keys.slice(start, start + AT_ONCE).map((key) => storage.remove(key));
    await Promise.allSettled(removing);
    await Promise.all(removing);
  }
}

/** The names and hashes of an archive's photos, by key. @throws BackupProblem when one could lead elsewhere */
function photosIn({ entries }: Manifest): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, sha256 } of entries) {
    if (!name.startsWith(PREFIX)) continue;
    const key = name.slice(PREFIX.length);
    if (!storageKey.test(key)) throw new BackupProblem(`${name} is no name of a photo.`);
    found.set(key, sha256);
  }
  return found;
}

/**
 * Brings photos into a storage where others may be kept: until `settle`, whatever happens, these are all there. From
 * the first on a mark stands among them, so that what an interrupted restore leaves is known for what it is.
 */
export function arrivingPhotos(storage: PhotoStorage, before: PhotosBefore): ArrivingPhotos {
  const begun = new Set<string>();

  async function write(key: string, content: Buffer, sha256: string): Promise<void> {
    if (createHash('sha256').update(content).digest('hex') !== sha256) {
      throw new BackupProblem(`The photo ${key} is not any more as it was when the file was checked.`);
    }
    begun.add(key);
    await storage.put(key, content, mediaTypeOf(key));
  }

  return {
    place: storage.place,
    before,

    async take(entries, manifest, progress) {
      const expected = photosIn(manifest);
      await storage.put(MARK, Buffer.from(JSON.stringify({ since: new Date() })), mediaTypeOf(MARK));
      const underWay = new Set<Promise<void>>();
      let done = 0;
      try {
        for (;;) {
          const { value, done: ended } = await entries.next();
          if (ended === true) break;
          const key = value.name.startsWith(PREFIX) ? value.name.slice(PREFIX.length) : '';
          const sha256 = expected.get(key);
          if (sha256 === undefined) {
            // Something else's content stands between here and the end.
            value.content.resume();
            continue;
          }
          const writing = write(key, await buffer(value.content), sha256).then(() => {
            underWay.delete(writing);
            done += 1;
            progress(done, expected.size);
          });
          // Its failure is told below, which may be after the next entry has been read.
          writing.catch(() => undefined);
          underWay.add(writing);
          if (underWay.size >= AT_ONCE) await Promise.race(underWay);
        }
        await Promise.all(underWay);
      } finally {
        // Whoever withdraws them must know that none comes later.
        await Promise.allSettled(underWay);
      }
      const there = new Set(await storage.keysFrom(''));
      const kept = [...expected.keys()].filter((key) => there.has(key)).length;
      if (kept !== manifest.photos) {
        throw new BackupProblem(`Of ${manifest.photos} photos ${kept} are in ${storage.place}.`);
      }
    },

    async settle() {
      await removeAll(
        storage,
        [...before.keys].filter((key) => !begun.has(key)),
      );
      await storage.remove(MARK);
    },

    async withdraw() {
      await removeAll(
        storage,
        [...begun].filter((key) => !before.keys.has(key)),
      );
      if (!before.interrupted) await storage.remove(MARK);
    },
  };
}
