import { randomUUID } from 'node:crypto';
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { RESERVED_BYTES, readDiskSpace } from '#server/platform/disk-space.ts';
import {
  fileName,
  INCOMING_FOLDER,
  keyOf,
  orNull,
  pathOf,
  removeAbandoned,
  shard,
  writeSynced,
} from './disk-layout.ts';
import { storageKey } from './rules.ts';

/** Stored bytes. A caller that does not read the stream must destroy it. */
export interface StoredBytes {
  readonly stream: Readable;
  /** Bytes. */
  readonly size: number;
}

/** Thrown when a storage fails, with a message for the operator. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/**
 * Stores files under keys. A key is a relative path of lower-case names. `put` is atomic, and durable once its promise
 * resolves.
 */
export interface PhotoStorage {
  /** Names the storage in messages, such as "the bucket shop-photos". */
  readonly description: string;
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  get(key: string): Promise<StoredBytes | null>;
  has(key: string): Promise<boolean>;
  /** Lists all keys, in no order. They are read as they are iterated: there may be millions. */
  keys(): AsyncIterable<string>;
  /** Removes the file with this key, if there is one. */
  remove(key: string): Promise<void>;
}

/** A new or renamed file is durable only once its folder is synced as well. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}

/**
 * Opens a storage in a folder of the local disk, creating it when needed. Partial files that a killed process left are
 * removed; they were never visible under a key.
 *
 * A photo's files are in a folder below another one, which are named after the first four digits of its hash: this bounds the size of
 * each folder.
 *
 * It counts as full while less than {@link RESERVED_BYTES} are free.
 * @param readSpace for tests
 * @throws the errors of the file system
 */
export async function openDiskStorage(folder: string, readSpace = readDiskSpace): Promise<PhotoStorage> {
  const incoming = join(folder, INCOMING_FOLDER);
  await mkdir(incoming, { recursive: true });
  await removeAbandoned(incoming);

  function absolutePathOf(key: string): string {
    if (!storageKey.test(key)) throw new RangeError(`Not a storage key: ${JSON.stringify(key)}`);
    return join(folder, pathOf(key));
  }

  async function* filesIn(subfolder: string): AsyncGenerator<string> {
    for await (const entry of await opendir(join(folder, subfolder))) {
      if (entry.isFile() && fileName.test(entry.name)) yield entry.name;
      if (entry.isDirectory() && shard.test(entry.name)) yield* filesIn(join(subfolder, entry.name));
    }
  }

  return {
    description: `the folder ${folder}`,

    async put(key, bytes) {
      const path = absolutePathOf(key);
      const { freeBytes } = await readSpace(folder);
      // As the file system says it.
      if (freeBytes - bytes.length < RESERVED_BYTES) {
        throw Object.assign(new Error(`ENOSPC: what is left in ${folder} is reserved`), { code: 'ENOSPC' });
      }
      const draft = join(incoming, randomUUID());
      try {
        await writeSynced(draft, bytes);
        const created = await mkdir(dirname(path), { recursive: true });
        await rename(draft, path);
        // A new folder is an entry of the one above it.
        const topmost = created === undefined ? dirname(path) : dirname(created);
        for (let changed = dirname(path); changed.length >= topmost.length; changed = dirname(changed)) {
          await syncFolder(changed);
        }
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },

    async get(key) {
      const handle = await orNull(open(absolutePathOf(key), 'r'));
      if (handle === null) return null;
      const { size } = await handle.stat();
      return { stream: handle.createReadStream(), size };
    },

    async *keys() {
      for await (const name of filesIn('')) yield keyOf(name);
    },

    async remove(key) {
      await rm(absolutePathOf(key), { force: true });
    },

    async has(key) {
      return (await orNull(stat(absolutePathOf(key)))) !== null;
    },
  };
}
