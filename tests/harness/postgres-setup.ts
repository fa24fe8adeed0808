import { existsSync, readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#server/database/embedded.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser's URL of the PostgreSQL that all test files of this run share. */
    testDatabaseUrl: string;
  }
}

const prefix = 'coomercio-tests-';

// What a crash could lose is of no interest to a test, and flushing to disk is most of the time a test takes.
// Several shops run at once, each with its pools.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const log = () => undefined;

/**
 * Starts the one PostgreSQL of a test run, in a temporary folder, and answers what ends it. Its URL stands in
 * `TEST_DATABASE_URL` and in vitest's `inject('testDatabaseUrl')`.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  // The user to whom root lends PostgreSQL has to get in.
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres({ folder, settings, log });
  process.env.TEST_DATABASE_URL = server.connectionString;
  project.provide('testDatabaseUrl', server.connectionString);

  const lockFile = join(folder, 'data', 'postmaster.pid');
  const endAtOnce = () => {
    process.kill(Number(readFileSync(lockFile, 'utf8').split('\n')[0]), 'SIGQUIT');
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let turn = 0; turn < 100 && existsSync(lockFile); turn += 1) Atomics.wait(pause, 0, 0, 20);
    rmSync(folder, { recursive: true, force: true });
  };
  // vitest leaves on Ctrl-C without its teardown and without waiting for anything asynchronous.
  const leave = () => process.exit(1);
  process.once('exit', endAtOnce);
  for (const signal of signals) process.once(signal, leave);
  return async () => {
    for (const signal of signals) process.off(signal, leave);
    await server.stop();
    process.off('exit', endAtOnce);
    await rm(folder, { recursive: true, force: true });
  };
}

/** A run that was killed outright leaves its server behind: joining it is how one gets to end it. */
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
