import { createReadStream } from 'node:fs';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { orNull } from '#server/listings/photos/disk-layout.ts';
import { BackupError, toFile } from './archive.ts';
import { type BackupPlace, type StoredBackup, Verification } from './place.ts';
import { parseName } from './rules.ts';

// A folder has NAME.tar for each backup, which is renamed when it is complete, and NAME.json with its verification.

const CONTENT = '.tar';
const VERIFICATION = '.json';
const PARTIAL = '.partial';

/** Converts an error of the file system to a message that says what to do. */
function toBackupError(error: unknown, folder: string): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  const withMessage = (message: string) => new BackupError(message, { cause: error });
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return withMessage(
        `There is no room left in the folder ${folder}: make room, or keep fewer backups with BACKUP_KEEP.`,
      );
    case 'ENOENT':
    case 'ENOTDIR':
      return withMessage(`The folder ${folder} does not exist: create it, or mount its disk.`);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return withMessage(
        `The shop may not write to the folder ${folder}: let the user that runs the shop own it.`,
      );
    default:
      return withMessage(`The folder ${folder} cannot be used: ${error.message}.`);
  }
}

/** Opens a folder of backups. It must exist: a folder that is created on the wrong disk would hide a missing mount. */
export function openFolder(folder: string): BackupPlace {
  const pathOf = (name: string, ending: string) => join(folder, `${name}${ending}`);

  async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw toBackupError(error, folder);
    }
  }

  /** A new name in the folder survives a power failure only once the folder is synced. */
  async function syncFolder(): Promise<void> {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Reads a verification; null without one, and for a damaged one, which says nothing. */
  async function readVerification(name: string): Promise<Verification | null> {
    const text = await readFile(pathOf(name, VERIFICATION), 'utf8').catch(() => null);
    if (text === null) return null;
    try {
      return Verification.parse(JSON.parse(text));
    } catch {
      return null;
    }
  }

  return {
    description: `the folder ${folder}`,

    write: (name, content: Readable) =>
      explained(async () => {
        const path = pathOf(name, CONTENT);
        try {
          await toFile(path)(content);
        } catch (error) {
          content.destroy();
          throw error;
        }
        await syncFolder();
        return (await stat(path)).size;
      }),

    recordVerification: (name, verification) =>
      explained(async () => {
        const path = pathOf(name, VERIFICATION);
        const draft = `${path}.${process.pid}${PARTIAL}`;
        const handle = await open(draft, 'w', 0o600);
        try {
          await handle.writeFile(`${JSON.stringify(verification)}\n`);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(draft, path);
      }),

    list: () =>
      explained(async () => {
        const names = (await readdir(folder))
          .filter((file) => file.endsWith(CONTENT))
          .map((file) => file.slice(0, -CONTENT.length))
          .sort()
          .reverse();
        const backups: StoredBackup[] = [];
        for (const name of names) {
          const parsed = parseName(name);
          // Another shop may have removed it meanwhile.
          const file = parsed === null ? null : await orNull(stat(pathOf(name, CONTENT)));
          if (parsed === null || file === null) continue;
          backups.push({ name, ...parsed, bytes: file.size, verification: await readVerification(name) });
        }
        return backups;
      }),

    source: ({ name, bytes }) => ({
      name: pathOf(name, CONTENT),
      open: () => createReadStream(pathOf(name, CONTENT)),
      size: async () => bytes,
    }),

    remove: (name) =>
      explained(async () => {
        await rm(pathOf(name, CONTENT), { force: true });
        await rm(pathOf(name, VERIFICATION), { force: true });
      }),

    removeIncomplete: (shopIds) =>
      explained(async () => {
        const files = new Set(await readdir(folder));
        for (const file of files) {
          const [name = ''] = file.split('.');
          if (!shopIds.includes(parseName(name)?.shopId ?? '')) continue;
          const isOrphan = file === `${name}${VERIFICATION}` && !files.has(`${name}${CONTENT}`);
          if (file.endsWith(PARTIAL) || isOrphan) await rm(join(folder, file), { force: true });
        }
      }),

    close: () => undefined,
  };
}
