import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HOUR_MS } from '#contract/platform/durations.ts';

/** The folder in which files are written before they are renamed to their key. */
export const INCOMING_FOLDER = '.incoming';

/** Matches the names of folders that are named after two digits of hashes. */
export const shard = /^[0-9a-f]{2}$/;

/** Matches the names of files. */
export const fileName = /^[0-9a-z][0-9a-z._-]*$/;

/** The path of a key's file below the photo folder: below two folders that are named after the start of the hash. */
export function pathOf(key: string): string {
  const [, first, second] = /^([0-9a-f]{2})([0-9a-f]{2})[0-9a-f]{60}[.-]/.exec(key) ?? [];
  const name = key.replaceAll('/', '_');
  return first === undefined ? name : `${first}/${second}/${name}`;
}

/** The key of a file. */
export const keyOf = (name: string): string => name.replaceAll('_', '/');

/** Whether an error of Node's has one of these codes, such as `ENOENT`. */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.some((code) => code === error.code);

/** Awaits a file operation. @returns null when the file or a folder above it does not exist */
export async function orNull<Result>(operation: Promise<Result>): Promise<Result | null> {
  return operation.catch((error: unknown) => {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  });
}

/** Writes a new file, durably once its folder is synced as well. */
export async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  await using file = await open(path, 'wx');
  await file.writeFile(content);
  await file.sync();
}

/** No file is written for this long, so an older one was left by a killed process. */
const ABANDONED_AFTER_MS = HOUR_MS;

/** Removes the partial files in a folder that a killed process left. */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const stats = await orNull(stat(path));
    if (stats !== null && Date.now() - stats.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
  }
}
