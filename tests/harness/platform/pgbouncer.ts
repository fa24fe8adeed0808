import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './ports.ts';

/** Debian's PgBouncer. */
const PROGRAM = '/usr/sbin/pgbouncer';

/** Whether this machine has PgBouncer, and the user which it runs as in place of root. */
export const hasPgBouncer = existsSync(PROGRAM);

/** The `application_name` of PgBouncer's connections to the server. */
export const POOLED_NAME = 'pgbouncer';

/** A PgBouncer in transaction mode. */
export interface PgBouncer {
  /** The URL of a database of the server behind it. */
  urlOf(database: string): string;
  stop(): Promise<void>;
}

/**
 * Starts PgBouncer in transaction mode in front of a PostgreSQL server.
 * @param serverUrl with a password, or without when the server trusts this machine
 * @param options.serverConnections the connections that all clients of a database share
 * @param options.limitsStatements whether statements have the time limit of docs/operations.md
 * @throws Error with its output when it does not start
 */
export async function startPgBouncer(
  serverUrl: string,
  {
    serverConnections = 10,
    limitsStatements = true,
  }: { serverConnections?: number; limitsStatements?: boolean } = {},
): Promise<PgBouncer> {
  const server = new URL(serverUrl);
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-pgbouncer-'));
  const port = await freePorts(1);
  const user = decodeURIComponent(server.username);
  const password = decodeURIComponent(server.password);
  const connectQuery = limitsStatements
    ? `connect_query='set statement_timeout = 15000; set idle_in_transaction_session_timeout = 15000; set application_name = ${POOLED_NAME}'`
    : '';
  await writeFile(join(folder, 'users.txt'), `"${user}" "${password}"\n`);
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${server.hostname} port=${server.port} ${connectQuery}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
max_client_conn = 500
default_pool_size = ${serverConnections}
server_lifetime = 3600
`,
  );
  const isRoot = process.getuid?.() === 0;
  // It refuses to run as root. `nobody` is user 65534 on Debian.
  if (isRoot) {
    await chmod(folder, 0o755);
    await chown(folder, 65_534, 65_534);
  }
  const child: ChildProcess = spawn(PROGRAM, [join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot && { uid: 65_534, gid: 65_534 }),
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`PgBouncer exited with ${code}: ${output}`)));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (output.includes('process up')) resolve();
    });
  });
  return {
    urlOf: (database) =>
      Object.assign(new URL(serverUrl), { port: String(port), pathname: `/${database}` }).href,
    stop: async () => {
      const ended = once(child, 'close');
      child.kill('SIGQUIT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
