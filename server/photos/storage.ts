import { randomUUID } from 'node:crypto';
import { access, mkdir, open, opendir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { INCOMING, openLayout, type Places, placesOf, SHARD } from './disk-layout.ts';
import { storageKey } from './rules.ts';

/** Kept bytes, on their way out. Who does not read the stream destroys it. */
export interface StoredBytes {
  readonly stream: Readable;
  /** Bytes. */
  readonly size: number;
}

/** A storage that cannot do its work, in a sentence for whoever runs the shop. */
export class StorageProblem extends Error {
  override readonly name = 'StorageProblem';
}

/**
 * Where photos are kept. A key is a relative path of lower-case names. What is put is there as a whole or not at
 * all, and survives a power cut once `put` has answered.
 */
export interface PhotoStorage {
  /** What a sentence calls it, such as "the bucket shop-photos". */
  readonly place: string;
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  get(key: string): Promise<StoredBytes | null>;
  has(key: string): Promise<boolean>;
  /** Every key, in no order. They are read while they are asked for: there may be millions. */
  keys(): AsyncIterable<string>;
  /** Removes what is kept there, if anything is. */
  remove(key: string): Promise<void>;
}

/** Older than any upload can be under way, in milliseconds. */
const ABANDONED_AFTER = 60 * 60 * 1000;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

async function existsAt(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** A new name survives a power cut once its folder is on disk as well. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeAbandoned(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const found = await stat(path).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (found !== null && Date.now() - found.mtimeMs > ABANDONED_AFTER) await rm(path, { force: true });
  }
}

/**
 * Keeps photos in a folder of the local disk, making it when needed. Files that a killed process left half-written
 * are removed; they were never visible under a key.
 *
 * A photo's files are below two folders named after the first four digits of its hash, so that no folder grows with the
 * shop. Earlier versions kept all photos side by side; what they have written is found, stays where it is, and is no
 * longer added to ({@link openLayout}).
 * @throws what the file system throws: no permission, no space
 */
export async function openDiskStorage(folder: string): Promise<PhotoStorage> {
  const incoming = join(folder, INCOMING);
  const layout = await openLayout(folder);
  await mkdir(incoming, { recursive: true });
  await removeAbandoned(incoming);

  function placed(key: string): Places {
    if (!storageKey.test(key)) throw new RangeError(`Not a storage key: ${JSON.stringify(key)}`);
    const { sharded, flat } = placesOf(key);
    return { sharded: join(folder, sharded), flat: join(folder, flat) };
  }
  function pathsOf(key: string): Iterable<string> {
    const { sharded, flat } = placed(key);
    return new Set([sharded, flat]);
  }

  async function* filesIn(place: string): AsyncGenerator<string> {
    const entries = await opendir(join(folder, place)).catch((error: unknown) => {
      // The last file of a photo that is removed takes its folder with it.
      if (isMissing(error)) return [];
      throw error;
    });
    for await (const entry of entries) {
      if (!storageKey.test(entry.name)) continue;
      const path = place === '' ? entry.name : `${place}/${entry.name}`;
      if (entry.isDirectory()) yield* filesIn(path);
      else yield path;
    }
  }

  return {
    place: `the folder ${folder}`,

    async put(key, bytes) {
      const { sharded, flat } = placed(key);
      const [path, other] = layout.isSharded() ? [sharded, flat] : [flat, sharded];
      const draft = join(incoming, randomUUID());
      try {
        const handle = await open(draft, 'wx');
        try {
          await handle.writeFile(bytes);
          await handle.sync();
        } finally {
          await handle.close();
        }
        const created = await mkdir(dirname(path), { recursive: true });
        await rename(draft, path);
        const last = dirname(created ?? path);
        for (let made = dirname(path); made !== last; made = dirname(made)) await flushFolder(made);
        await flushFolder(last);
        if (other !== path) await rm(other, { force: true });
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },

    async get(key) {
      for (const path of pathsOf(key)) {
        const handle = await open(path, 'r').catch((error: unknown) => {
          if (isMissing(error)) return null;
          throw error;
        });
        if (handle === null) continue;
        const { size } = await handle.stat();
        return { stream: handle.createReadStream(), size };
      }
      return null;
    },

    async *keys() {
      for await (const path of filesIn('')) yield path.replace(SHARD, '');
    },

    async remove(key) {
      for (const path of pathsOf(key)) {
        await rm(path, { force: true });
        if (!key.includes('/')) continue;
        await rmdir(dirname(path)).catch((error: unknown) => {
          const code = error instanceof Error && 'code' in error ? error.code : null;
          if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw error;
        });
      }
    },

    async has(key) {
      for (const path of pathsOf(key)) if (await existsAt(path)) return true;
      return false;
    },
  };
}
