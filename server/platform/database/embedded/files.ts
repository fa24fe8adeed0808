import { chown, stat } from 'node:fs/promises';

/** Whether an error of Node's has this code, such as `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Awaits a file operation; resolves to `undefined` when the file, or in `/proc` the process, does not exist. */
export async function ifPresent<Result>(operation: Promise<Result>): Promise<Result | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ESRCH')) return undefined;
    throw error;
  }
}

/** Makes the folder's owner the owner of a file, so that both root and that owner can start the server. */
export async function chownToOwnerOf(folder: string, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const owner = await stat(folder);
  await chown(path, owner.uid, owner.gid);
}
