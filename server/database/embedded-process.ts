import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** What `postmaster.pid` says about the server of a data directory. */
export interface Postmaster {
  pid: number;
  port: number;
  /** `starting`, `ready`, `stopping`; empty while the file is being written. */
  status: string;
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Awaits a file operation and answers `undefined` when the file is not there. */
export async function ifPresent<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ESRCH')) return undefined;
    throw error;
  }
}

/** Reads `postmaster.pid` of a data directory; `undefined` when there is none. */
export async function readPostmaster(dataDirectory: string): Promise<Postmaster | undefined> {
  const text = await ifPresent(readFile(join(dataDirectory, 'postmaster.pid'), 'utf8'));
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  return {
    pid: Number(lines[0] ?? 0),
    port: Number(lines[3] ?? 0),
    status: (lines[7] ?? '').trim(),
  };
}

/**
 * The moment a process was started, in clock ticks since boot; `undefined` when it is gone or only waits
 * to be reaped. A process id and this number together name a process for good, the id alone does not.
 */
export async function startTime(pid: number): Promise<string | undefined> {
  const text = await ifPresent(readFile(`/proc/${pid}/stat`, 'utf8'));
  // The command stands in parentheses and may itself hold spaces and parentheses.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return fields[19];
}

/**
 * Ids of the running PostgreSQL processes that carry a cluster name. The command line is read because any
 * user may: the working directory of another user's process is closed even to root inside a container.
 */
export async function processesOf(clusterName: string): Promise<number[]> {
  const found: number[] = [];
  for (const entry of await readdir('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const commandLine = await ifPresent(readFile(`/proc/${pid}/cmdline`, 'utf8'));
    const [program = '', ...rest] = (commandLine ?? '').split('\0');
    // The postmaster carries the name among its arguments, its children in the title they give themselves.
    const isPostmaster = basename(program) === 'postgres' && rest.some((part) => part.includes(clusterName));
    const isChild = program.startsWith(`postgres: ${clusterName}`);
    if (isPostmaster || isChild) {
      if ((await startTime(pid)) !== undefined) found.push(pid);
    }
  }
  return found;
}

/** Asks until the answer is yes; resolves to `false` when `milliseconds` have passed without one. */
export async function eventually(milliseconds: number, ask: () => Promise<boolean>): Promise<boolean> {
  const end = Date.now() + milliseconds;
  while (!(await ask())) {
    if (Date.now() > end) return false;
    await delay(20);
  }
  return true;
}

/** A port on 127.0.0.1 that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = await listen({ host: '127.0.0.1', port: 0 });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No port was given on 127.0.0.1.');
  return address.port;
}

/**
 * Runs `action` while no other process on this machine runs one under the same name. The lock is an
 * abstract Unix socket: the kernel gives it back when the holder dies, so none is ever left behind.
 *
 * @throws Error when the lock is not to be had within two minutes.
 */
export async function exclusively<T>(name: string, action: () => Promise<T>): Promise<T> {
  const end = Date.now() + 120_000;
  for (;;) {
    const lock = await listen({ path: `\0${name}` }).catch((error: unknown) => {
      if (hasCode(error, 'EADDRINUSE') && Date.now() < end) return undefined;
      throw error;
    });
    if (lock === undefined) {
      await delay(50);
      continue;
    }
    try {
      return await action();
    } finally {
      await new Promise((resolve) => lock.close(resolve));
    }
  }
}

function listen(where: { host: string; port: number } | { path: string }): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(where, () => resolve(server));
  });
}
