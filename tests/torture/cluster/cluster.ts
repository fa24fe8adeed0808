import { execFile, spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import * as z from 'zod';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { findProgram, type RunningProgram, startProgram } from '#tests/harness/platform/programs.ts';
import { killIfRunning } from '../processes.ts';
import { postgresFolder } from './programs.ts';

const run = promisify(execFile);

const PASSWORD = 'only on loopback';

const Members = z.array(z.object({ Member: z.string(), Role: z.string(), State: z.string() }));
type Member = z.infer<typeof Members>[number];

/** Three PostgreSQL servers under Patroni with synchronous replication, behind HAProxy. */
export interface Cluster extends AsyncDisposable {
  /** Creates a database. @returns its URL, which leads to the primary */
  createDatabase(name: string): Promise<string>;
  members(): Promise<Member[]>;
  /** Kills the primary and its Patroni with SIGKILL. @returns its name */
  killPrimary(): Promise<string>;
  /** Starts a killed member again, and waits until it replicates. */
  rejoin(member: string): Promise<void>;
  /** Freezes etcd, as a network that is cut off. @returns thaws it */
  freezeEtcd(): () => void;
}

/** Waits until a check passes. @throws Error with the description after `timeoutMs` milliseconds */
export async function waitUntil(
  description: string,
  timeoutMs: number,
  check: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`Not within ${timeoutMs / 1000} s: ${description}.`);
    await pause(250);
  }
}

function requireProgram(name: string): string {
  const path = findProgram(name);
  if (path === null) throw new Error(`${name} is not installed.`);
  return path;
}

/** The user and group of PostgreSQL, which refuses to run as root. */
function findPostgresUser(): { uid: number; gid: number } {
  const read = (option: string) =>
    Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout.trim());
  return { uid: read('-u'), gid: read('-g') };
}

/** The configuration of one member. Patroni expects YAML, of which JSON is a part. */
function patroniConfiguration(
  folder: string,
  member: string,
  { postgres, rest, etcd }: { postgres: number; rest: number; etcd: number },
) {
  const credentials = (username: string) => ({ username, password: PASSWORD });
  return JSON.stringify({
    scope: 'shop',
    name: member,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { hosts: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        // The shortest failover that loop_wait + 2 × retry_timeout ≤ ttl allows, in seconds.
        ttl: 10,
        loop_wait: 2,
        retry_timeout: 3,
        // A commit is confirmed when a standby has it, so a failover loses nothing that was confirmed.
        synchronous_mode: true,
        // Without etcd the primary goes on while it reaches all other members.
        failsafe_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 200, wal_log_hints: 'on', shared_buffers: '128MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
      pg_hba: [
        'host replication replication 127.0.0.1/32 scram-sha-256',
        'host all all 127.0.0.1/32 scram-sha-256',
      ],
    },
    postgresql: {
      listen: `127.0.0.1:${postgres}`,
      connect_address: `127.0.0.1:${postgres}`,
      data_dir: join(folder, member),
      bin_dir: postgresFolder,
      authentication: {
        superuser: credentials('postgres'),
        replication: credentials('replication'),
        rewind: credentials('rewind'),
      },
      parameters: { unix_socket_directories: folder },
    },
  });
}

function haproxyConfiguration(
  port: number,
  members: readonly { name: string; postgres: number; rest: number }[],
): string {
  const servers = members
    .map(({ name, postgres, rest }) => `  server ${name} 127.0.0.1:${postgres} check port ${rest}`)
    .join('\n');
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
${servers}
`;
}

/** Starts the cluster in a temporary folder and waits until a standby is synchronous. */
export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-cluster-'));
  const user = findPostgresUser();
  await chmod(folder, 0o755);
  await chown(folder, user.uid, user.gid);
  const first = await freePorts(10);
  const [etcd, etcdPeer, primary] = [first, first + 1, first + 2];
  const members = [1, 2, 3].map((number) => ({
    name: `n${number}`,
    postgres: first + 2 + 2 * number,
    rest: first + 3 + 2 * number,
  }));
  const asPostgres = (program: string, args: string[]): RunningProgram =>
    startProgram('/usr/sbin/runuser', ['-u', 'postgres', '--', requireProgram(program), ...args]);
  const running = new Map<string, RunningProgram>();
  const configurationOf = (member: string) => join(folder, `${member}.yml`);
  const startMember = (member: string) =>
    running.set(member, asPostgres('patroni', [configurationOf(member)]));

  const etcdFolder = join(folder, 'etcd');
  await mkdir(etcdFolder);
  await chown(etcdFolder, user.uid, user.gid);
  const etcdPeerUrl = `http://127.0.0.1:${etcdPeer}`;
  running.set(
    'etcd',
    asPostgres('etcd', [
      ...['--name', 'e1', '--data-dir', etcdFolder, '--initial-cluster', `e1=${etcdPeerUrl}`],
      ...['--listen-client-urls', `http://127.0.0.1:${etcd}`],
      ...['--advertise-client-urls', `http://127.0.0.1:${etcd}`],
      ...['--listen-peer-urls', etcdPeerUrl, '--initial-advertise-peer-urls', etcdPeerUrl],
    ]),
  );

  const listMembers = async (): Promise<Member[]> => {
    const { stdout } = await run(requireProgram('patronictl'), [
      ...['-c', configurationOf('n1'), 'list', '-f', 'json'],
    ]);
    return Members.parse(JSON.parse(stdout));
  };
  const isReplicating = ({ State }: Member) => State === 'streaming' || State === 'running';
  const primaryOf = (list: Member[]) => list.find(({ Role }) => Role === 'Leader')?.Member;

  const close = async () => {
    // HAProxy first, then the members, then what they use.
    for (const name of ['haproxy', 'n1', 'n2', 'n3', 'etcd']) {
      running.get(name)?.thaw();
      await running.get(name)?.[Symbol.asyncDispose]();
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (const { name, ...ports } of members) {
      await writeFile(configurationOf(name), patroniConfiguration(folder, name, { ...ports, etcd }));
      await chown(configurationOf(name), user.uid, user.gid);
      startMember(name);
      // The first one creates the cluster, which the others copy.
      if (name === 'n1') {
        await waitUntil(
          'a primary',
          60_000,
          async () => primaryOf(await listMembers().catch(() => [])) === 'n1',
        );
      }
    }
    await writeFile(join(folder, 'haproxy.cfg'), haproxyConfiguration(primary, members));
    running.set('haproxy', asPostgres('haproxy', ['-f', join(folder, 'haproxy.cfg'), '-db']));
    await waitUntil('a synchronous standby', 90_000, async () => {
      const list = await listMembers().catch(() => []);
      return (
        list.length === 3 && list.every(isReplicating) && list.some(({ Role }) => Role === 'Sync Standby')
      );
    });
  } catch (error) {
    await close();
    throw error;
  }

  const urlOf = (port: number, database: string) =>
    `postgresql://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;
  return {
    createDatabase: async (name) => {
      const client = new Client({ connectionString: urlOf(primary, 'postgres') });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return urlOf(primary, name);
    },
    members: listMembers,
    killPrimary: async () => {
      const member = primaryOf(await listMembers());
      if (member === undefined) throw new Error('The cluster has no primary.');
      const postmaster = Number(
        (await readFile(join(folder, member, 'postmaster.pid'), 'utf8')).split('\n')[0],
      );
      running.get(member)?.kill();
      killIfRunning(postmaster);
      return member;
    },
    rejoin: async (member) => {
      startMember(member);
      await waitUntil(`${member} replicates again`, 90_000, async () => {
        const list = await listMembers().catch(() => []);
        return (
          list.length === 3 && list.every(isReplicating) && list.some(({ Role }) => Role === 'Sync Standby')
        );
      });
    },
    freezeEtcd: () => {
      running.get('etcd')?.freeze();
      return () => running.get('etcd')?.thaw();
    },
    [Symbol.asyncDispose]: close,
  };
}
