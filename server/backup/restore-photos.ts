import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import type { Client } from 'pg';
import { isPhotoKey, mediaTypeOf, storageKey } from '../photos/rules.ts';
import type { PhotoStorage } from '../photos/storage.ts';
import { BackupProblem, type Manifest } from './archive.ts';
import { PHOTOS, type PhotoProgress } from './export-photos.ts';
import type { ArchiveEntry } from './read-archive.ts';

/** So many photos are written, looked for or removed at once. */
const AT_ONCE = 8;

/** So many photos are compared with the restored rows by one query. */
const COMPARED_AT_ONCE = 1000;

/** Stands among the photos from the first that a restore writes until its end. */
const MARK = 'restoring.json';

/** What a storage holds before a restore. */
export interface PhotosBefore {
  /** Whether there are photos. */
  any: boolean;
  /** Whether they are, or may be, what an earlier restore left that did not come to its end. */
  interrupted: boolean;
}

/** Photos on their way from an archive into a storage, beside those that are there. */
export interface ArrivingPhotos {
  /** What a sentence calls where they go. */
  readonly description: string;
  readonly before: PhotosBefore;
  /** Writes the photos among the entries that are left. @throws BackupProblem unless all are there in the end */
  take(
    entries: AsyncIterator<ArchiveEntry, unknown>,
    manifest: Manifest,
    progress: PhotoProgress,
  ): Promise<void>;
  /** Removes the photos of the shop before. @param client on which `photos_to_keep` has those that the rows name */
  settle(client: Client): Promise<void>;
  /** Removes what has come and was not there before. */
  withdraw(): Promise<void>;
  /** Ends this in any case. */
  close(): Promise<void>;
}

/** Does something with each of these, a few at once. After a failure nothing goes on behind the caller's back. */
async function forEach<Item>(items: AsyncIterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const underWay = new Set<Promise<void>>();
  try {
    for await (const item of items) {
      const working = work(item).then(() => void underWay.delete(working));
      // Its failure is told below, which may be after the next item has come.
      working.catch(() => undefined);
      underWay.add(working);
      if (underWay.size >= AT_ONCE) await Promise.race(underWay);
    }
    await Promise.all(underWay);
  } finally {
    await Promise.allSettled(underWay);
  }
}

/** The keys of all photos. What others keep in the same bucket is left alone. */
export async function* photoKeys(storage: PhotoStorage): AsyncGenerator<string> {
  for await (const key of storage.keys()) if (isPhotoKey(key)) yield key;
}

/** The keys of photos, without those of the photos to keep. */
async function* notToKeep(client: Client, keys: AsyncIterable<string>): AsyncGenerator<string> {
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
    if (batch.length < COMPARED_AT_ONCE) continue;
    yield* await compare(batch);
    batch = [];
  }
  yield* await compare(batch);
}

/** The photos among an archive's entries, each whole in memory. @throws BackupProblem when one could lead elsewhere */
async function* photosAmong(
  entries: AsyncIterator<ArchiveEntry, unknown>,
): AsyncGenerator<{ key: string; content: Buffer }> {
  for (;;) {
    const next = await entries.next();
    if (next.done === true) return;
    const { name, content } = next.value;
    if (!name.startsWith(PHOTOS)) continue;
    const key = name.slice(PHOTOS.length);
    if (!storageKey.test(key)) throw new BackupProblem(`${name} is no name of a photo.`);
    yield { key, content: await buffer(content) };
  }
}

/** A list that is too long to be held in memory, in a file. */
async function openList() {
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
 * Brings photos into a storage where others may be kept: until `settle`, whatever happens, these are all there. From
 * the first on a mark stands among them, so that what an interrupted restore leaves is known for what it is.
 */
export async function openArrivingPhotos(storage: PhotoStorage): Promise<ArrivingPhotos> {
  const interrupted = await storage.has(MARK);
  let any = false;
  for await (const _key of photoKeys(storage)) {
    any = true;
    break;
  }
  const added = await openList();
  return {
    description: storage.description,
    before: { any, interrupted },

    async take(entries, manifest, progress) {
      await storage.put(MARK, Buffer.from(JSON.stringify({ since: new Date() })), mediaTypeOf(MARK));
      let done = 0;
      let there = 0;
      await forEach(photosAmong(entries), async ({ key, content }) => {
        if (!any || !(await storage.has(key))) await added.add(key);
        await storage.put(key, content, mediaTypeOf(key));
        if (await storage.has(key)) there += 1;
        done += 1;
        progress(done, manifest.photos ?? 0);
      });
      if (there !== manifest.photos) {
        throw new BackupProblem(`Of ${manifest.photos} photos ${there} are in ${storage.description}.`);
      }
    },

    async settle(client) {
      if (any) await forEach(notToKeep(client, photoKeys(storage)), (key) => storage.remove(key));
      await storage.remove(MARK);
    },

    async withdraw() {
      await forEach(added.lines(), (key) => storage.remove(key));
      if (!interrupted) await storage.remove(MARK);
    },

    close: () => added.close(),
  };
}
