import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ArchiveEntry, type ArchiveWriter, BackupProblem } from './archive.ts';

const PREFIX = 'photos/';

/** A key of the image host (`server/photos/storage.ts`): names that can lead nowhere else. */
const safeKey = /^[0-9a-z][0-9a-z.-]*(?:\/[0-9a-z][0-9a-z.-]*)*$/;

/** The keys of all kept files, sorted. What is still being received stands under names that are no keys. */
export async function photoKeys(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((key) => safeKey.test(key))
    .sort();
}

/** Adds all photos to an archive. They are never changed once they are there, so it may take its time. @returns how many */
export async function exportPhotos(folder: string, archive: ArchiveWriter): Promise<number> {
  const keys = await photoKeys(folder);
  for (const key of keys) {
    const path = join(folder, key);
    const { size } = await stat(path);
    await archive.add(`${PREFIX}${key}`, size, createReadStream(path));
  }
  return keys.length;
}

/** Writes the photos among the entries that are left into a folder. @returns how many */
export async function importPhotos(folder: string, entries: AsyncIterator<ArchiveEntry>): Promise<number> {
  let count = 0;
  for (;;) {
    const { value, done } = await entries.next();
    if (done === true) return count;
    if (!value.name.startsWith(PREFIX)) {
      // Something else's content stands between here and the end.
      value.content.resume();
      continue;
    }
    const key = value.name.slice(PREFIX.length);
    if (!safeKey.test(key)) throw new BackupProblem(`${value.name} is no name of a photo.`);
    const path = join(folder, key);
    await mkdir(dirname(path), { recursive: true });
    await pipeline(value.content, createWriteStream(path, { flags: 'wx', flush: true }));
    count += 1;
  }
}

/** Puts a folder in the place of another, which is removed. */
export async function replaceFolder(folder: string, by: string): Promise<void> {
  const aside = `${folder}.replaced`;
  await rm(aside, { recursive: true, force: true });
  await rename(folder, aside).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  });
  await rename(by, folder);
  await rm(aside, { recursive: true, force: true });
}
