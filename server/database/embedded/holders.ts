import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chownToOwnerOf, ifPresent } from './files.ts';
import { readStartTime } from './process-table.ts';

/**
 * Registers this process as a holder of the server, by a file in `folder/holders`. Two shops may use one folder, and the
 * first to end must not stop the server of the other.
 * @returns unregisters it; resolves to `true` when no other running process is registered
 */
export async function registerHolder(folder: string): Promise<() => Promise<boolean>> {
  const holders = join(folder, 'holders');
  await mkdir(holders, { recursive: true });
  await chownToOwnerOf(folder, holders);
  const own = `${process.pid}-${await readStartTime(process.pid)}-${randomBytes(4).toString('hex')}`;
  await writeFile(join(holders, own), '');
  return async () => {
    await rm(join(holders, own), { force: true });
    let others = 0;
    for (const name of (await ifPresent(readdir(holders))) ?? []) {
      const [pid, startTime] = name.split('-');
      if ((await readStartTime(Number(pid))) === startTime) others += 1;
      else await rm(join(holders, name), { force: true });
    }
    return others === 0;
  };
}
