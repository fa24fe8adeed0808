import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import {
  type ClusterRecord,
  clusterName,
  connectionStringFor,
  ensureDataDirectory,
  localConnectionStringFor,
  readOrCreateRecord,
} from './cluster.ts';
import { chownToOwnerOf, ifPresent } from './files.ts';
import { keepRunning } from './keep-running.ts';
import { findClusterProcesses, isClusterProcess, readPostmaster, readStartTime } from './process-table.ts';
import { findPrograms } from './programs.ts';
import { ensureRunning, type ServerOptions, stopServer } from './server.ts';
import { withMachineLock } from './sockets.ts';
import { chooseSystemUser } from './system-user.ts';

const database = 'coomercio';

/** A running PostgreSQL. */
export interface EmbeddedPostgres {
  connectionString: string;
  /** Finds the ids of the server's processes, for tests that kill them. */
  findProcesses(): Promise<number[]>;
  /** Stops the server unless another process still uses it; resolves when it has ended, after 8 s at most. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL 18 for the data in `folder`, or joins the server that already runs for it: a shop that was killed
 * leaves its database running. The server listens on 127.0.0.1 and, if its path is short enough, on a Unix socket. It requires a
 * generated password and runs in its own session, so that Ctrl-C at the terminal does not end it before the shop has closed. Until it is stopped it is kept
 * running: when it is killed, it is restarted at the same port.
 *
 * `folder` holds `cluster.json` (port and password, mode 600), `postgres.log` and `data`. When root starts it and the
 * unprivileged user that PostgreSQL runs as cannot enter `folder`, for instance below root's home, the data directory is
 * `/var/lib/coomercio/clusters/<id>/data` instead, which `cluster.json` states. Deleting `folder` does not delete that
 * directory; the file `origin` beside it contains the path of `folder`.
 *
 * This folder imports nothing else of the server, and the server imports only this file of it.
 * @throws Error with a message for people when the server cannot be started
 */
export async function startEmbeddedPostgres(
  options: ServerOptions & { folder: string },
): Promise<EmbeddedPostgres> {
  // Its processes are found in `/proc`.
  if (process.platform !== 'linux') {
    throw new Error(
      `the embedded PostgreSQL is for Linux: set DATABASE_URL to a PostgreSQL for ${process.platform}`,
    );
  }
  await mkdir(options.folder, { recursive: true });
  const folder = await realpath(options.folder);
  const lock = `coomercio-postgres-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  return withMachineLock(lock, async () => {
    const stored = await readOrCreateRecord(folder);
    await stopAbandonedServer(folder, stored);
    const systemUser = await chooseSystemUser(stored.directory, folder);
    const programs = await findPrograms(systemUser);
    await ensureDataDirectory(folder, stored, programs, systemUser, options.log);
    const record = await ensureRunning(folder, stored, programs, systemUser, options);
    await ensureDatabase(record);
    const unregisterHolder = await registerHolder(folder);
    const { directory, port } = record;
    const stopChecks = keepRunning({
      isRunning: async () => {
        const running = await readPostmaster(directory);
        return running !== undefined && (await isClusterProcess(running.pid, clusterName(record.id)));
      },
      restart: () =>
        withMachineLock(lock, async () => {
          await ensureRunning(folder, record, programs, systemUser, { ...options, port });
        }),
      log: options.log,
    });
    let stopped: Promise<void> | undefined;
    const stop = async () => {
      await stopChecks();
      await withMachineLock(lock, async () => {
        if (await unregisterHolder()) await stopServer(directory, record.id);
      });
    };
    return {
      connectionString: localConnectionStringFor(record, database),
      findProcesses: () => findClusterProcesses(clusterName(record.id)),
      stop: () => {
        stopped ??= stop();
        return stopped;
      },
    };
  });
}

async function ensureDatabase(record: ClusterRecord): Promise<void> {
  const client = new pg.Client({
    connectionString: connectionStringFor(record, 'postgres'),
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
 * Stops servers of an earlier cluster of this folder. When `folder` is deleted while its data directory is elsewhere, the
 * data directory remains and its server keeps running: PostgreSQL ends by itself only when its data directory is deleted.
 */
async function stopAbandonedServer(folder: string, record: ClusterRecord): Promise<void> {
  const clusters = dirname(dirname(record.directory));
  if (basename(clusters) !== 'clusters') return;
  for (const id of await readdir(clusters)) {
    const origin = await ifPresent(readFile(join(clusters, id, 'origin'), 'utf8'));
    if (id !== record.id && origin?.trim() === folder) await stopServer(join(clusters, id, 'data'), id);
  }
}

/**
 * Registers this process as a holder of the server, by a file in `folder/holders`. Two shops may use one folder, and the
 * first to end must not stop the server of the other.
 * @returns unregisters it; resolves to `true` when no other running process is registered
 */
async function registerHolder(folder: string): Promise<() => Promise<boolean>> {
  const holders = join(folder, 'holders');
  await mkdir(holders, { recursive: true });
  await chownToOwnerOf(folder, holders);
  const own = `${process.pid}-${await readStartTime(process.pid)}-${randomBytes(4).toString('hex')}`;
  await writeFile(join(holders, own), '');
  return async () => {
    await rm(join(holders, own), { force: true });
    let others = 0;
    for (const name of (await ifPresent(readdir(holders))) ?? []) {
      const [pid, startTime] = name.split('-');
      if ((await readStartTime(Number(pid))) === startTime) others += 1;
      else await rm(join(holders, name), { force: true });
    }
    return others === 0;
  };
}
