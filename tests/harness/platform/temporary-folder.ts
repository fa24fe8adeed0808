import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** The file system in memory that Linux provides. In containers it often has only 64 MB. */
const IN_MEMORY = '/dev/shm';

/** Bytes that a run's temporary files need at most, several times over. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Returns the folder for a test run's temporary files, as the variable `TMPDIR`: in memory if there is enough of it.
 * PostgreSQL creates a database by copying 800 files, which takes ten times the processor time on a disk.
 */
export function temporaryFolder(): string {
  if (process.env.TMPDIR || process.platform !== 'linux') return tmpdir();
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === IN_MEMORY);
  // Some tests run programs that they have written there.
  if (mount === undefined || mount.split(' ')[3]?.split(',').includes('noexec')) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) >= NEEDED_BYTES ? IN_MEMORY : tmpdir();
}
