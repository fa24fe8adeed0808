import { mkdir, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder in which files are written before they are renamed to their key. */
export const INCOMING_FOLDER = '.incoming';

const MARKER_FILE = '.sharded';

/** Longer than a rolling restart takes. */
const ROLLING_RESTART_MS = 60 * 60 * 1000;

/** Matches the two shard folders before a key. */
export const SHARD_PREFIX = /^[0-9a-f]{2}\/[0-9a-f]{2}\//;

/** The paths below the photo folder at which a key's file may be. */
interface KeyPaths {
  /** Below two folders that are named after the start of the hash. */
  sharded: string;
  /** Used by earlier versions. For a key that is not a photo's, both paths are the same. */
  flat: string;
}

export function keyPathsOf(key: string): KeyPaths {
  const [, first, second] = /^([0-9a-f]{2})([0-9a-f]{2})[0-9a-f]{60}[.-]/.exec(key) ?? [];
  return { sharded: first === undefined ? key : `${first}/${second}/${key}`, flat: key };
}

/** Which of a key's paths files are written to. */
export interface DiskLayout {
  isSharded(): boolean;
}

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

/** No file is written for this long, so an older one was left by a killed process. */
const ABANDONED_AFTER_MS = 60 * 60_000;

/** Removes the partial files in a folder that a killed process left. */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const stats = await orNull(stat(path));
    if (stats !== null && Date.now() - stats.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
  }
}

/**
 * Opens a photo folder, creating it when needed. The modification time of its marker file is when this version first
 * used the folder; 1970 for a folder that is new.
 *
 * In a rolling restart the previous version still uses the same folder and must find photos that are uploaded meanwhile.
 * So for an hour after that time, files are written to the flat paths that the previous version reads. A new folder is
 * sharded from the start.
 */
export async function openDiskLayout(folder: string): Promise<DiskLayout> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, MARKER_FILE);
  const isNew = (await orNull(stat(join(folder, INCOMING_FOLDER)))) === null;
  try {
    await (await open(path, 'wx')).close();
    if (isNew) await utimes(path, 0, 0);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  const { mtimeMs } = await stat(path);
  return { isSharded: () => Date.now() - mtimeMs > ROLLING_RESTART_MS };
}
