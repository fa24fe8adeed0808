import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
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
  /** The keys that begin so, in no order: a photo's all begin with its hash, and everything's with nothing. */
  keysFrom(prefix: string): Promise<string[]>;
  /** Removes what is kept there, if anything is. */
  remove(key: string): Promise<void>;
}

const INCOMING = '.incoming';

/** Older than any upload can be under way, in milliseconds. */
const ABANDONED_AFTER = 60 * 60 * 1000;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** A new name is only safe from a power cut once its folder is on disk as well. */
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
 * @throws what the file system throws: no permission, no space
 */
export async function openDiskStorage(folder: string): Promise<PhotoStorage> {
  const incoming = join(folder, INCOMING);
  await mkdir(incoming, { recursive: true });
  await removeAbandoned(incoming);

  function pathOf(key: string): string {
    if (!storageKey.test(key)) throw new RangeError(`Not a storage key: ${JSON.stringify(key)}`);
    return join(folder, key);
  }

  return {
    place: `the folder ${folder}`,

    async put(key, bytes) {
      const path = pathOf(key);
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
        await flushFolder(dirname(path));
        if (created !== undefined) await flushFolder(folder);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },

    async get(key) {
      const handle = await open(pathOf(key), 'r').catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      if (handle === null) return null;
      const { size } = await handle.stat();
      return { stream: handle.createReadStream(), size };
    },

    async keysFrom(prefix) {
      const found = await readdir(folder, { withFileTypes: true });
      const keys = await Promise.all(
        found
          .filter(({ name }) => name.startsWith(prefix) && storageKey.test(name))
          .map(async (entry) => {
            if (!entry.isDirectory()) return [entry.name];
            // A photo that leaves takes its folder with it.
            const names = await readdir(join(folder, entry.name)).catch((error: unknown) => {
              if (isMissing(error)) return [];
              throw error;
            });
            return names.map((name) => `${entry.name}/${name}`);
          }),
      );
      return keys.flat();
    },

    async remove(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      if (!key.includes('/')) return;
      await rmdir(dirname(path)).catch((error: unknown) => {
        const code = error instanceof Error && 'code' in error ? error.code : null;
        if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw error;
      });
    },

    async has(key) {
      try {
        await access(pathOf(key));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
  };
}
