import { randomUUID } from 'node:crypto';
import { mkdir, open, opendir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { RESERVED_BYTES, readDiskSpace } from '#server/platform/disk-space.ts';
import { hasCode, INCOMING_FOLDER, orNull, pathOf, removeAbandoned, SHARD_PREFIX } from './disk-layout.ts';
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

/**
 * A new or renamed file is durable only once its folder is synced as well. A missing folder needs no sync: it was
 * removed concurrently, together with the file.
 */
async function syncFolder(folder: string): Promise<void> {
  const handle = await orNull(open(folder, 'r'));
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}

/** How often a move is tried again when a concurrent removal deletes the empty folder that was just created. */
const MOVE_ATTEMPTS = 100;

/**
 * Renames a draft to its path and creates the folders above it.
 * @returns the folders to sync: those created, and the one that contains the topmost of them
 */
async function moveInto(draft: string, path: string): Promise<string[]> {
  const folders: string[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const topmostCreated = await mkdir(dirname(path), { recursive: true });
    const existing = dirname(topmostCreated ?? path);
    for (let created = dirname(path); created !== existing; created = dirname(created)) folders.push(created);
    folders.push(existing);
    try {
      await rename(draft, path);
      return folders;
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR') || attempt === MOVE_ATTEMPTS) throw error;
    }
  }
}

/**
 * Opens a storage in a folder of the local disk, creating it when needed. Partial files that a killed process left are
 * removed; they were never visible under a key.
 *
 * A photo's files are below two folders that are named after the first four digits of its hash, which bounds the size of
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
    // Removing a photo's last file also removes its folder.
    const entries = (await orNull(opendir(join(folder, subfolder)))) ?? [];
    for await (const entry of entries) {
      if (!storageKey.test(entry.name)) continue;
      const path = subfolder === '' ? entry.name : `${subfolder}/${entry.name}`;
      if (entry.isDirectory()) yield* filesIn(path);
      else yield path;
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
        const handle = await open(draft, 'wx');
        try {
          await handle.writeFile(bytes);
          await handle.sync();
        } finally {
          await handle.close();
        }
        const folders = await moveInto(draft, path);
        for (const changed of folders) await syncFolder(changed);
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
      for await (const path of filesIn('')) yield path.replace(SHARD_PREFIX, '');
    },

    async remove(key) {
      const path = absolutePathOf(key);
      await rm(path, { force: true });
      if (!key.includes('/')) return;
      await rmdir(dirname(path)).catch((error: unknown) => {
        if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error;
      });
    },

    async has(key) {
      return (await orNull(stat(absolutePathOf(key)))) !== null;
    },
  };
}
