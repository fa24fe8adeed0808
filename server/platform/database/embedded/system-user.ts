import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ifPresent } from './files.ts';

/** The user that PostgreSQL runs as; `undefined` means the user of this process. */
export interface SystemUser {
  uid: number;
  gid: number;
}

interface ProgramResult {
  code: number | null;
  /** Standard output and standard error together. */
  output: string;
}

/** PostgreSQL inherits no variables: PGDATA, LD_LIBRARY_PATH or a locale would change its behaviour. */
export const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Runs a program as `user` until it ends. */
export function runProgram(
  program: string,
  args: string[],
  user: SystemUser | undefined,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      ...user,
      cwd: '/',
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/**
 * Chooses the user that PostgreSQL runs as. PostgreSQL refuses to run as root, so root chooses the owner of the data
 * directory or of the folder around it, or else `postgres` or `nobody`.
 * @throws Error when the data directory belongs to a user that this process cannot become
 */
export async function chooseSystemUser(
  dataDirectory: string,
  folder: string,
): Promise<SystemUser | undefined> {
  const owner = await ifPresent(stat(dataDirectory));
  const self = process.getuid?.();
  if (self !== 0) {
    if (owner && owner.uid !== self) {
      throw new Error(
        `The database in ${dataDirectory} belongs to another user: start as that user or as root.`,
      );
    }
    return undefined;
  }
  for (const { uid, gid } of [owner ?? (await stat(folder)), await stat(folder)]) {
    if (uid !== 0) return { uid, gid };
  }
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find((account) => account[0] === name) ?? [];
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody".');
}

/** Whether `user` may enter a folder. It runs a program, because a folder's mode does not state all permissions. */
export async function canEnter(folder: string, user: SystemUser | undefined): Promise<boolean> {
  return (await runProgram('/bin/sh', ['-c', 'cd -- "$0"', folder], user)).code === 0;
}

/**
 * Makes a folder that every user may enter, for files that the unprivileged user cannot reach, for instance below root's
 * home: `/var/lib/coomercio`, or `coomercio` in `/var/tmp` or the temporary folder where that is not writable.
 * @throws Error when none of them can be made
 */
export async function makeSharedFolder(): Promise<string> {
  for (const parent of ['/var/lib', '/var/tmp', tmpdir()]) {
    const folder = join(parent, 'coomercio');
    try {
      await mkdir(folder, { recursive: true });
      // Outside /var/lib another user may have created it, to make root run programs from it.
      if ((await stat(folder)).uid !== process.getuid?.()) continue;
      await chmod(folder, 0o755);
      return folder;
    } catch {
      // Not writable: the next one is tried; the error below reports that none was.
    }
  }
  throw new Error('Neither /var/lib nor /var/tmp nor the temporary folder is writable for the database.');
}
