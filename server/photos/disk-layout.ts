import { access, mkdir, open, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** Where bytes are written before they get their key. */
export const INCOMING = '.incoming';

const MARK = '.sharded';

/** Longer than a rolling restart takes, in milliseconds. */
const ROLLING_RESTART = 60 * 60 * 1000;

/** The two folders of a hash, before a key. */
export const SHARD = /^[0-9a-f]{2}\/[0-9a-f]{2}\//;

/** Where a key's bytes may be below the folder of photos. */
export interface Places {
  /** In the two folders of the hash. */
  sharded: string;
  /** Where earlier versions put them. The same for a key that is not a photo's. */
  flat: string;
}

export function placesOf(key: string): Places {
  const [, first, second] = /^([0-9a-f]{2})([0-9a-f]{2})[0-9a-f]{60}[.-]/.exec(key) ?? [];
  return { sharded: first === undefined ? key : `${first}/${second}/${key}`, flat: key };
}

/** Which of a key's places bytes are written to. */
export interface DiskLayout {
  isSharded(): boolean;
}

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;

/**
 * Marks a folder as used by a version that knows the folders by hash, unless it is marked already, making it when
 * needed.
 *
 * In a rolling restart the version before runs on the same folder for a while and must find what is uploaded meanwhile.
 * So for an hour after the mark was made, bytes are written where that version looks for them. A new folder was used by
 * no version.
 */
export async function openLayout(folder: string): Promise<DiskLayout> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, MARK);
  const isNew = await access(join(folder, INCOMING)).then(
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
