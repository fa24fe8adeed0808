import { randomBytes } from 'node:crypto';
import { appendFile, chmod, chown, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '#server/database/embedded/start.ts';

/** A primary and a replica that streams its changes. */
export interface ReplicatedPostgres {
  primaryUrl: string;
  replicaUrl: string;
  /** Stops applying changes, as on a replica that is late. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Makes the replica a server of its own that can be written to. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

const settings = { fsync: 'off', max_connections: '60', autovacuum: 'off' };

const log = () => undefined;

async function query(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Copies the data directory of a running server, as `pg_basebackup` does, which npm's PostgreSQL lacks. */
async function copyCluster(primaryUrl: string, from: string, to: string): Promise<void> {
  const client = new Client({ connectionString: primaryUrl });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('replica', true)`);
    await cp(from, to, {
      recursive: true,
      filter: (path) => !/\/(postmaster\.(pid|opts)|\.s\.PGSQL\..+|pg_wal\/.+|pgsql_tmp.*)$/.test(path),
    });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

/** Gives a folder and all that is in it to a user. */
async function chownTree(folder: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  await chown(folder, uid, gid);
  for (const path of await readdir(folder, { recursive: true })) await chown(join(folder, path), uid, gid);
}

/**
 * Starts a primary and a replica of it in a temporary folder, both with the programs that npm installs.
 * @param fill fills the database before it is copied
 */
export async function startReplicatedPostgres(
  fill: (primaryUrl: string) => Promise<void>,
): Promise<ReplicatedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-replica-'));
  // As root, PostgreSQL runs as another user, which needs access.
  await chmod(folder, 0o755);
  const folders = { primary: join(folder, 'primary'), replica: join(folder, 'replica') };
  for (const path of Object.values(folders)) await mkdir(path);
  const primary = await startEmbeddedPostgres({ folder: folders.primary, settings, log });
  const primaryUrl = primary.connectionString;
  await fill(primaryUrl);

  const { hostname, port, username, password } = new URL(primaryUrl);
  const data = join(folders.replica, 'data');
  await copyCluster(primaryUrl, join(folders.primary, 'data'), data);
  await appendFile(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  );
  await writeFile(join(data, 'standby.signal'), '');
  const owner = await stat(join(folders.primary, 'data'));
  await chownTree(data, owner);
  await chmod(data, 0o700);
  await writeFile(
    join(folders.replica, 'cluster.json'),
    JSON.stringify({ id: randomBytes(8).toString('hex'), directory: 'data', port: 0, password }),
  );
  const replica = await startEmbeddedPostgres({ folder: folders.replica, settings, log });
  const replicaUrl = replica.connectionString;
  return {
    primaryUrl,
    replicaUrl,
    pauseReplay: () => query(replicaUrl, 'select pg_wal_replay_pause()'),
    resumeReplay: () => query(replicaUrl, 'select pg_wal_replay_resume()'),
    promote: () => query(replicaUrl, 'select pg_promote()'),
    stop: async () => {
      await replica.stop();
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
