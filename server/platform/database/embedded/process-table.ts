import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ifPresent } from './files.ts';

/** The contents of `postmaster.pid`, which describes the running server of a data directory. */
export interface Postmaster {
  pid: number;
  port: number;
  /** `starting`, `ready`, `stopping`; empty while the file is being written. */
  status: string;
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
 * Reads the start time of a process, in clock ticks since boot; `undefined` when it has ended or is a zombie. A process
 * id together with this number identifies a process uniquely; the id alone may be reused.
 */
export async function readStartTime(pid: number): Promise<string | undefined> {
  const text = await ifPresent(readFile(`/proc/${pid}/stat`, 'utf8'));
  // The command is in parentheses and may itself contain spaces and parentheses.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return fields[19];
}

/**
 * Whether a process id is that of a running PostgreSQL process with a cluster name, and not of another process that has the id of an
 * ended one. It reads the command line because any user may: the working directory of another user's process is not readable,
 * inside a container not even by root.
 */
export async function isClusterProcess(pid: number, clusterName: string): Promise<boolean> {
  const commandLine = await ifPresent(readFile(`/proc/${pid}/cmdline`, 'utf8'));
  const [program = '', ...rest] = (commandLine ?? '').split('\0');
  // The postmaster has the name among its arguments, its children have it in their process title.
  const isPostmaster = basename(program) === 'postgres' && rest.some((part) => part.includes(clusterName));
  const isChild = program.startsWith(`postgres: ${clusterName}`);
  return (isPostmaster || isChild) && (await readStartTime(pid)) !== undefined;
}

/** Finds the ids of the running PostgreSQL processes with a cluster name. */
export async function findClusterProcesses(clusterName: string): Promise<number[]> {
  const found: number[] = [];
  for (const entry of await readdir('/proc')) {
    const pid = Number(entry);
    if (Number.isInteger(pid) && (await isClusterProcess(pid, clusterName))) found.push(pid);
  }
  return found;
}
