import { access, mkdir, open, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder in which files are written before they are renamed to their key. */
export const INCOMING_FOLDER = '.incoming';

const MARKER_FILE = '.sharded';

/** In milliseconds; longer than a rolling restart takes. */
const ROLLING_RESTART = 60 * 60 * 1000;

/** Matches the two shard folders before a key. */
export const SHARD_PREFIX = /^[0-9a-f]{2}\/[0-9a-f]{2}\//;

/** The paths below the photo folder at which a key's file may be. */
export interface KeyPaths {
  /** Below two folders that are named after the start of the hash. */
  sharded: string;
  /** As earlier versions stored it. Both are the same for a key that is not a photo's. */
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

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;

/**
 * Opens a photo folder, creating it when needed, and leaves a marker file in it that says that this version has used it.
 *
 * In a rolling restart the previous version still uses the same folder and must find photos that are uploaded meanwhile.
 * So for an hour after the marker was created, files are written to the flat paths that the previous version reads. A new
 * folder is sharded from the start.
 */
export async function openDiskLayout(folder: string): Promise<DiskLayout> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, MARKER_FILE);
  const isNew = await access(join(folder, INCOMING_FOLDER)).then(
    () => false,
    () => true,
  );
  try {
    await (await open(path, 'wx')).close();
    if (isNew) await utimes(path, 0, 0);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
  const { mtimeMs } = await stat(path);
  return { isSharded: () => Date.now() - mtimeMs > ROLLING_RESTART };
}
