import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import {
  type ClusterRecord,
  clusterName,
  prepareData,
  readRecord,
  urlOf,
  writeRecord,
} from './embedded-cluster.ts';
import {
  environment,
  giveToOwnerOf,
  programsFor,
  type SystemUser,
  systemUserFor,
} from './embedded-places.ts';
import {
  eventually,
  exclusively,
  freePort,
  ifPresent,
  processesOf,
  readPostmaster,
  startTime,
} from './embedded-process.ts';
import { keepRunning } from './embedded-watch.ts';

const database = 'coomercio';

// Two cores and a few hundred megabytes: what the smallest machine that the shop is meant for has to spare.
const serverSettings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
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

/** A running PostgreSQL. */
export interface EmbeddedPostgres {
  connectionString: string;
  /** Ends the server, unless another process still uses it; resolves when it has ended (8 s at most). */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL 18 for the data in `folder`, or joins the one that already runs for it (a server that
 * was killed leaves its database running). It listens on 127.0.0.1 only, with a generated password, and has
 * its own session, so that Ctrl-C at the terminal does not reach it before the shop has closed. Until it is stopped
 * it is kept running: one that was killed is started again at the same address.
 *
 * `folder` holds `cluster.json` (port and password, mode 600), `postgres.log` and `data`. When root starts and
 * the unprivileged user whom PostgreSQL runs as cannot enter `folder` (a home is closed), the data lie in
 * `/var/lib/coomercio/clusters/<id>` instead, and `cluster.json` says so; they outlive `folder`, and their `origin` file tells where it was.
 *
 * @param options.port fixed port; else a free one, which is kept for later starts while it stays free.
 * @param options.settings PostgreSQL settings on top of ours; they take effect when this call starts the server.
 * @throws Error with one sentence for people when the server cannot be started.
 */
export async function startEmbeddedPostgres(options: {
  folder: string;
  port?: number;
  settings?: Record<string, string>;
  log: (message: string) => void;
}): Promise<EmbeddedPostgres> {
  await mkdir(options.folder, { recursive: true });
  const folder = await realpath(options.folder);
  const lock = `coomercio-postgres-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  return exclusively(lock, async () => {
    let record = await readRecord(folder);
    await stopAbandoned(folder, record);
    const systemUser = await systemUserFor(record.directory, folder);
    const programs = await programsFor(systemUser);
    await prepareData(folder, record, programs, systemUser, options.log);
    record = await ensureRunning(folder, record, programs, systemUser, options);
    const connectionString = urlOf(record, database);
    await ensureDatabase(record);
    const release = await hold(folder);
    const { directory, port } = record;
    const endWatch = keepRunning({
      isRunning: async () => {
        const running = await readPostmaster(directory);
        return running !== undefined && (await startTime(running.pid)) !== undefined;
      },
      // At the same port: that is where everybody looks for it.
      startAgain: () =>
        exclusively(lock, async () => {
          await ensureRunning(folder, record, programs, systemUser, { ...options, port });
        }),
      log: options.log,
    });
    let stopped: Promise<void> | undefined;
    const stop = async () => {
      await endWatch();
      await exclusively(lock, async () => {
        if (await release()) await stopServer(directory, record.id);
      });
    };
    return {
      connectionString,
      stop: () => {
        stopped ??= stop();
        return stopped;
      },
    };
  });
}

async function ensureRunning(
  folder: string,
  record: ClusterRecord,
  programs: string,
  systemUser: SystemUser | undefined,
  options: { port?: number; settings?: Record<string, string>; log: (message: string) => void },
): Promise<ClusterRecord> {
  const name = clusterName(record.id);
  const isOurs = async (pid: number) => (await processesOf(name)).includes(pid);
  let running = await readPostmaster(record.directory);
  if (running && running.status !== 'ready' && (await isOurs(running.pid))) {
    // It is starting or stopping; a minute covers the recovery after a crash.
    await eventually(60_000, async () => {
      running = await readPostmaster(record.directory);
      return running === undefined || running.status === 'ready';
    });
  }
  if (running && running.status === 'ready' && (await isOurs(running.pid))) {
    options.log(`Joined the PostgreSQL that was running already (process ${running.pid}).`);
    const joined = { ...record, port: running.port };
    if (joined.port !== record.port) await writeRecord(folder, joined);
    return joined;
  }
  // A killed server's own processes end within moments; starting beside them would damage the data.
  if (!(await eventually(10_000, async () => (await processesOf(name)).length === 0))) {
    throw new Error(
      `Processes of an earlier PostgreSQL still use ${record.directory}: end ${(await processesOf(name)).join(', ')} first.`,
    );
  }
  // Left by a server that was killed. PostgreSQL would believe it when the process id is in use again.
  await rm(join(record.directory, 'postmaster.pid'), { force: true });

  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (record.port === 0 || attempt > 1 ? await freePort() : record.port);
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

/** Starts the server process; answers what it said when it ended instead of becoming ready. */
async function launch(
  folder: string,
  record: ClusterRecord,
  programs: string,
  systemUser: SystemUser | undefined,
  settings: Record<string, string>,
): Promise<string | undefined> {
  const logPath = join(folder, 'postgres.log');
  // Two starts' worth is kept: an embedded database has nobody who rotates its log.
  await ifPresent(rename(logPath, `${logPath}.1`));
  const logFile = await open(logPath, 'a', 0o600);
  await giveToOwnerOf(folder, logPath);
  const all = {
    ...serverSettings,
    ...settings,
    port: String(record.port),
    cluster_name: clusterName(record.id),
  };
  const child = spawn(
    join(programs, 'postgres'),
    ['-D', record.directory, ...Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
    { ...systemUser, cwd: '/', env: environment, detached: true, stdio: ['ignore', logFile.fd, logFile.fd] },
  );
  child.unref();
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', () => {
    ended ??= '';
  });
  await logFile.close();
  const isReady = async () => {
    const state = await readPostmaster(record.directory);
    return state !== undefined && state.pid === child.pid && state.status === 'ready';
  };
  const settled = await eventually(120_000, async () => ended !== undefined || (await isReady()));
  if (settled && ended === undefined) return undefined;
  return (
    [ended, (await readFile(logPath, 'utf8')).trim()].filter(Boolean).join(' ') ||
    'it did not get ready in two minutes.'
  );
}

async function ensureDatabase(record: ClusterRecord): Promise<void> {
  const client = new pg.Client({
    connectionString: urlOf(record, 'postgres'),
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  try {
    const found = await client.query('select from pg_database where datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`create database ${database}`);
  } finally {
    await client.end();
  }
}

/**
 * Notes that this process uses the server. The answer lets go again and says whether nobody else holds on:
 * two shops may run on one folder, and the first to end must not take the database from the other.
 */
async function hold(folder: string): Promise<() => Promise<boolean>> {
  const holders = join(folder, 'holders');
  await mkdir(holders, { recursive: true });
  await giveToOwnerOf(folder, holders);
  const own = `${process.pid}-${await startTime(process.pid)}-${randomBytes(4).toString('hex')}`;
  await writeFile(join(holders, own), '');
  return async () => {
    await rm(join(holders, own), { force: true });
    let others = 0;
    for (const name of (await ifPresent(readdir(holders))) ?? []) {
      const [pid, started] = name.split('-');
      if ((await startTime(Number(pid))) === started) others += 1;
      else await rm(join(holders, name), { force: true });
    }
    return others === 0;
  };
}

/**
 * When somebody deletes `folder`, data that lie elsewhere stay, and so does a server that was left running:
 * PostgreSQL ends by itself only when its own directory goes.
 */
async function stopAbandoned(folder: string, record: ClusterRecord): Promise<void> {
  const clusters = dirname(dirname(record.directory));
  if (basename(clusters) !== 'clusters') return;
  for (const id of await readdir(clusters)) {
    const origin = await ifPresent(readFile(join(clusters, id, 'origin'), 'utf8'));
    if (id !== record.id && origin?.trim() === folder) await stopServer(join(clusters, id, 'data'), id);
  }
}

async function stopServer(dataDirectory: string, id: string): Promise<void> {
  const running = await readPostmaster(dataDirectory);
  if (running === undefined || !(await processesOf(clusterName(id))).includes(running.pid)) return;
  const isGone = async () => (await startTime(running.pid)) === undefined;
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(running.pid, name);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  };
  // SIGINT asks for PostgreSQL's fast shutdown, SIGQUIT for the immediate one, which recovers at the next start.
  signal('SIGINT');
  if (await eventually(6_000, isGone)) return;
  signal('SIGQUIT');
  await eventually(2_000, isGone);
}
