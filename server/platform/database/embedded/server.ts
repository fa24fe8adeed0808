import { spawn } from 'node:child_process';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ClusterRecord,
  clusterName,
  socketDirectoriesOf,
  socketFilesOf,
  writeRecord,
} from './cluster.ts';
import { chownToOwnerOf, hasCode, ifPresent } from './files.ts';
import { findClusterProcesses, isClusterProcess, readPostmaster, readStartTime } from './process-table.ts';
import { findFreePort } from './sockets.ts';
import { environment, type SystemUser } from './system-user.ts';

export interface ServerOptions {
  /** A fixed port. Without it a free port is chosen, and used again by later starts unless it is in use. */
  port?: number;
  /** PostgreSQL settings that override the defaults. They have no effect when the server is running already. */
  settings?: Record<string, string>;
  log: (message: string) => void;
}

// For two cores and a few hundred megabytes of memory: the smallest machine that the shop is meant for.
const defaultSettings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  shared_buffers: '128MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  random_page_cost: '1.1',
  max_wal_size: '512MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

/** Polls until a condition holds. @returns `false` when it did not within `timeoutMs` */
async function pollUntil(timeoutMs: number, condition: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await delay(20);
  }
  return true;
}

/**
 * Joins the running server of a cluster, or starts one.
 * @returns the record with the server's port
 * @throws Error with a message for people when it cannot be started
 */
export async function ensureRunning(
  folder: string,
  record: ClusterRecord,
  programs: string,
  systemUser: SystemUser | undefined,
  options: ServerOptions,
): Promise<ClusterRecord> {
  const name = clusterName(record.id);
  const isOwnProcess = (pid: number) => isClusterProcess(pid, name);
  let running = await readPostmaster(record.directory);
  if (running && running.status !== 'ready' && (await isOwnProcess(running.pid))) {
    // It is starting or stopping; a minute is enough for crash recovery.
    await pollUntil(60_000, async () => {
      running = await readPostmaster(record.directory);
      return running === undefined || running.status === 'ready' || !(await isOwnProcess(running.pid));
    });
  }
  if (running && running.status === 'ready' && (await isOwnProcess(running.pid))) {
    options.log(`Joined the PostgreSQL that was running already (process ${running.pid}).`);
    const joined = { ...record, port: running.port };
    if (joined.port !== record.port) await writeRecord(folder, joined);
    return joined;
  }
  // The child processes of a killed server end within moments; starting beside them would damage the data.
  if (!(await pollUntil(10_000, async () => (await findClusterProcesses(name)).length === 0))) {
    throw new Error(
      `Processes of an earlier PostgreSQL still use ${record.directory}: end ${(await findClusterProcesses(name)).join(', ')} first.`,
    );
  }
  // Left by a killed server. PostgreSQL would refuse to start if another process now has its process id.
  for (const left of ['postmaster.pid', ...socketFilesOf(record)]) {
    await rm(join(record.directory, left), { force: true });
  }

  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (record.port === 0 || attempt > 1 ? await findFreePort() : record.port);
    const started = { ...record, port };
    const problem = await launch(folder, started, programs, systemUser, options.settings ?? {});
    if (problem === undefined) {
      if (port !== record.port) await writeRecord(folder, started);
      return started;
    }
    if (
      !problem.includes('could not create any TCP/IP sockets') ||
      options.port !== undefined ||
      attempt === 3
    ) {
      throw new Error(`PostgreSQL did not start: ${problem}`);
    }
  }
}

/** Starts the server process and waits until it is ready. @returns its output when it ended instead, else `undefined` */
async function launch(
  folder: string,
  record: ClusterRecord,
  programs: string,
  systemUser: SystemUser | undefined,
  settings: Record<string, string>,
): Promise<string | undefined> {
  const logPath = join(folder, 'postgres.log');
  // Rotated at each start, and one earlier log is kept: an embedded database has no other log rotation.
  await ifPresent(rename(logPath, `${logPath}.1`));
  const logFile = await open(logPath, 'a', 0o600);
  await chownToOwnerOf(folder, logPath);
  const allSettings = {
    ...defaultSettings,
    ...settings,
    unix_socket_directories: socketDirectoriesOf(record),
    port: String(record.port),
    cluster_name: clusterName(record.id),
  };
  const settingArgs = Object.entries(allSettings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const child = spawn(join(programs, 'postgres'), ['-D', record.directory, ...settingArgs], {
    ...systemUser,
    cwd: '/',
    env: environment,
    detached: true,
    stdio: ['ignore', logFile.fd, logFile.fd],
  });
  child.unref();
  let failure: string | undefined;
  child.once('error', (error) => {
    failure = error.message;
  });
  child.once('exit', () => {
    failure ??= '';
  });
  await logFile.close();
  const isReady = async () => {
    const state = await readPostmaster(record.directory);
    return state !== undefined && state.pid === child.pid && state.status === 'ready';
  };
  const settled = await pollUntil(120_000, async () => failure !== undefined || (await isReady()));
  if (settled && failure === undefined) return undefined;
  return (
    [failure, (await readFile(logPath, 'utf8')).trim()].filter(Boolean).join(' ') ||
    'it did not get ready in two minutes.'
  );
}

/** Stops the server of a data directory, if it runs and belongs to the cluster with this id. */
export async function stopServer(dataDirectory: string, id: string): Promise<void> {
  const running = await readPostmaster(dataDirectory);
  if (running === undefined || !(await isClusterProcess(running.pid, clusterName(id)))) return;
  const hasEnded = async () => (await readStartTime(running.pid)) === undefined;
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(running.pid, name);
    } catch (error) {
      if (!hasCode(error, 'ESRCH')) throw error;
    }
  };
  // SIGINT is PostgreSQL's fast shutdown; SIGQUIT the immediate one, after which the next start runs crash recovery.
  signal('SIGINT');
  if (await pollUntil(6_000, hasEnded)) return;
  signal('SIGQUIT');
  await pollUntil(2_000, hasEnded);
}
