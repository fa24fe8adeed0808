import { existsSync, readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#server/platform/database/embedded/start.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser's connection string of the PostgreSQL server that all test files of this run share. */
    testDatabaseUrl: string;
  }
}

const prefix = 'coomercio-tests-';

// Tests need no durability, and flushing to disk takes most of their time. Several shops run at once, each with its
// connection pools. Autovacuum would process databases that are dropped soon.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  autovacuum: 'off',
};

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const log = () => undefined;

/**
 * Starts the PostgreSQL server of a test run in a temporary folder, which is in `TEST_FOLDER`. Its URL is in `TEST_DATABASE_URL`
 * and in vitest's `inject('testDatabaseUrl')`.
 * @returns stops the server and removes the folder
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  // As root, PostgreSQL runs as another user, which needs access.
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres({ folder, settings, log });
  process.env.TEST_FOLDER = folder;
  process.env.TEST_DATABASE_URL = server.connectionString;
  project.provide('testDatabaseUrl', server.connectionString);

  const lockFile = join(folder, 'data', 'postmaster.pid');
  const killServer = () => {
    process.kill(Number(readFileSync(lockFile, 'utf8').split('\n')[0]), 'SIGQUIT');
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let attempt = 0; attempt < 100 && existsSync(lockFile); attempt += 1) Atomics.wait(pause, 0, 0, 20);
    rmSync(folder, { recursive: true, force: true });
  };
  // On Ctrl-C vitest exits without its teardown and without waiting for asynchronous work.
  const exit = () => process.exit(1);
  process.once('exit', killServer);
  for (const signal of signals) process.once(signal, exit);
  return async () => {
    for (const signal of signals) process.off(signal, exit);
    await server.stop();
    process.off('exit', killServer);
    await rm(folder, { recursive: true, force: true });
  };
}

/** Stops servers that killed runs have left, by starting them again under control, and removes their folders. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : 0;
    if (pid === 0 || isAlive(pid)) continue;
    const folder = join(tmpdir(), name);
    if (existsSync(join(folder, 'data', 'postmaster.pid'))) {
      const server = await startEmbeddedPostgres({ folder, settings, log });
      await server.stop();
    }
    await rm(folder, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
