import { createReadStream } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, orNull } from '#server/listings/photos/disk-layout.ts';
import { RESERVED_BYTES, readDiskSpace } from '#server/platform/disk-space.ts';
import { BackupError, writeFileSafely } from './archive.ts';
import { type BackupDestination, EXTENSION, newestFirst, parseFile } from './destination.ts';

const noRoom = (folder: string) =>
  `There is no room left in the folder ${folder}: make room, or keep fewer backups (/dashboard/settings).`;

/** Converts an error of the file system to a message that says what to do. */
function toBackupError(error: unknown, folder: string): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  const message = hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG')
    ? noRoom(folder)
    : hasCode(error, 'ENOENT', 'ENOTDIR')
      ? `The folder ${folder} does not exist: create it, or mount its disk.`
      : hasCode(error, 'EACCES', 'EPERM', 'EROFS')
        ? `The shop may not write to the folder ${folder}: let the user that runs the shop own it.`
        : `The folder ${folder} cannot be used: ${error.message}.`;
  return new BackupError(message, { cause: error });
}

/**
 * Opens a folder of backups. It must exist: a folder that is created on the wrong disk would hide a missing mount. PostgreSQL can be on
 * the same disk, so a backup is begun when it leaves {@link RESERVED_BYTES} free if it is as large as the shop's last one.
 * @param readSpace for tests
 */
export function openFolder(folder: string, readSpace = readDiskSpace): BackupDestination {
  const pathOf = (name: string) => join(folder, `${name}${EXTENSION}`);

  const explained = <Result>(work: () => Promise<Result>): Promise<Result> =>
    work().catch((error: unknown) => {
      throw toBackupError(error, folder);
    });

  const list = () =>
    explained(async () => {
      const files = (await readdir(folder)).map(async (file) => {
        // Another shop may have removed it meanwhile.
        const stats = parseFile(file, 0) === null ? null : await orNull(stat(join(folder, file)));
        return stats === null ? null : parseFile(file, stats.size);
      });
      return newestFirst((await Promise.all(files)).filter((backup) => backup !== null));
    });

  return {
    description: `the folder ${folder}`,

    write: (name, content) =>
      explained(async () => {
        try {
          const shopId = parseFile(`${name}${EXTENSION}`, 0)?.shopId;
          const last = (await list()).find((backup) => backup.shopId === shopId);
          const { freeBytes } = await readSpace(folder);
          if (freeBytes < (last?.bytes ?? 0) + RESERVED_BYTES) throw new BackupError(noRoom(folder));
          await writeFileSafely(pathOf(name), content);
        } finally {
          content.destroy();
        }
        // A new name in the folder survives a power failure only once the folder is synced.
        await using handle = await open(folder, 'r');
        await handle.sync();
      }),

    list,

    source: ({ name }) => ({ name: pathOf(name), open: () => createReadStream(pathOf(name)) }),

    remove: (name) =>
      explained(async () => {
        for (const file of await readdir(folder)) {
          if (file.startsWith(`${name}${EXTENSION}`)) await rm(join(folder, file), { force: true });
        }
      }),

    close: () => undefined,
  };
}
