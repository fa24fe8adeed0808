import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findClusterProcesses, readPostmaster, readStartTime } from './process-table.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';

// Creating a database cluster is slow on a busy machine.

let folder: string;
let running: EmbeddedPostgres[];
let children: ChildProcess[];
const messages: string[] = [];

async function createFolder(): Promise<string> {
  const created = await mkdtemp(join(tmpdir(), `coomercio-tests-${process.pid}-with space-`));
  await chmod(created, 0o755);
  return created;
}

beforeEach(() => {
  running = [];
  children = [];
  messages.length = 0;
});

async function stopServers(): Promise<void> {
  for (const child of children) child.kill('SIGKILL');
  for (const server of running) await server.stop();
}
afterEach(stopServers);

async function start(where = folder): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    folder: where,
    settings: { fsync: 'off' },
    log: (message) => messages.push(message),
  });
  running.push(server);
  return server;
}

/** Starts the database from another process, which can be killed. */
async function startInChildProcess(): Promise<ChildProcess> {
  const code = `import { startEmbeddedPostgres } from '#server/platform/database/embedded/start.ts';
    await startEmbeddedPostgres({ folder: ${JSON.stringify(folder)}, log: () => {} });
    process.stdout.write('ready');
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: new URL('../../../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function queryValue(server: EmbeddedPostgres, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    const result = await client.query({ text: sql, rowMode: 'array' });
    return result.rows[0]?.[0];
  } finally {
    await client.end();
  }
}

async function postmasterOf(where = folder): Promise<number> {
  const { directory } = JSON.parse(await readFile(join(where, 'cluster.json'), 'utf8'));
  const state = await readPostmaster(directory === 'data' ? join(where, 'data') : directory);
  return state?.pid ?? 0;
}

describe('in a new folder', () => {
  beforeEach(async () => {
    folder = await createFolder();
  });
  // Before the `afterEach` above, which runs last.
  afterEach(async () => {
    await stopServers();
    await rm(folder, { recursive: true, force: true });
  });

  test('two processes that start concurrently share one server, which ends with the last of them', async () => {
    const [child, server] = await Promise.all([startInChildProcess(), start()]);
    const shared = await postmasterOf();
    await server.stop();
    expect(await readStartTime(shared)).toBeDefined();

    child.kill('SIGKILL');
    await once(child, 'exit');
    const last = await start();
    await last.stop();
    expect(await readStartTime(shared)).toBeUndefined();
  });

  test.runIf(process.getuid?.() === 0)(
    'root can start it in a folder that the unprivileged user cannot enter',
    async () => {
      await chmod(folder, 0o700);
      const where = join(folder, 'shop');
      const createdFolders: string[] = [];
      const readDirectory = async () => {
        const { directory } = JSON.parse(await readFile(join(where, 'cluster.json'), 'utf8'));
        createdFolders.push(dirname(directory));
        return directory;
      };
      try {
        const server = await start(where);
        expect(await readDirectory()).toMatch(/^\/var\/lib\/coomercio\/clusters\/[0-9a-f]{16}\/data$/);
        expect(await queryValue(server, 'select 1')).toBe(1);

        const abandoned = await postmasterOf(where);
        await rm(where, { recursive: true });
        await start(where);
        await readDirectory();
        expect(await readStartTime(abandoned)).toBeUndefined();
      } finally {
        for (const each of running) await each.stop();
        for (const each of createdFolders) await rm(each, { recursive: true });
      }
    },
  );
});

describe('in a folder with data', () => {
  beforeAll(async () => {
    folder = await createFolder();
    const created = await startEmbeddedPostgres({ folder, log: () => undefined });
    await created.stop();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('keeps its data, port and password over a restart', async () => {
    const first = await start();
    await queryValue(first, `create table kept_over_restart as select 'Prüfung' as word`);
    const process = await postmasterOf();
    await first.stop();
    expect(await readStartTime(process)).toBeUndefined();

    const second = await start();
    expect(second.connectionString).toBe(first.connectionString);
    expect(await queryValue(second, 'select upper(word) from kept_over_restart')).toBe('PRÜFUNG');
  });

  test('runs PostgreSQL 18 in UTF-8, listens on 127.0.0.1 and on no other address, and requires the password', async () => {
    const server = await start();
    expect(Number(await queryValue(server, 'show server_version_num'))).toBeGreaterThanOrEqual(180000);
    expect(await queryValue(server, 'show server_encoding')).toBe('UTF8');
    expect(await queryValue(server, 'show listen_addresses')).toBe('127.0.0.1');
    expect((await stat(join(folder, 'cluster.json'))).mode & 0o777).toBe(0o600);
    const wrongPassword = {
      ...server,
      connectionString: server.connectionString.replace(/:[0-9a-f]+@/, ':guess@'),
    };
    await expect(queryValue(wrongPassword, 'select 1')).rejects.toThrow(/password authentication failed/);
  });

  test('refuses data of another major version with a clear message', async () => {
    const path = join(folder, 'data', 'PG_VERSION');
    const version = await readFile(path);
    await writeFile(path, '15\n');
    await expect(start()).rejects.toThrow(/written by PostgreSQL 15, this is 18/);
    await writeFile(path, version);
  });

  test('joins the server that a killed process left running', async () => {
    const child = await startInChildProcess();
    const before = await postmasterOf();
    child.kill('SIGKILL');
    await once(child, 'exit');

    const server = await start();
    expect(await postmasterOf()).toBe(before);
    expect(await queryValue(server, 'select 1')).toBe(1);
    await server.stop();
    expect(await readStartTime(before)).toBeUndefined();
  });

  test('starts after the server itself was killed', async () => {
    const child = await startInChildProcess();
    const before = await postmasterOf();
    process.kill(before, 'SIGKILL');
    child.kill('SIGKILL');
    await expect.poll(() => readStartTime(before)).toBeUndefined();
    const server = await start();
    expect(await postmasterOf()).not.toBe(before);
    expect(await queryValue(server, 'select 1')).toBe(1);
  });

  test('restarts a killed server at the same port with all committed data', async () => {
    const server = await start();
    await queryValue(server, `create table kept as select 'committed' as word`);
    const before = await postmasterOf();
    process.kill(before, 'SIGKILL');
    await expect
      .poll(() => queryValue(server, 'select word from kept').catch(() => 'away'))
      .toBe('committed');
    expect(await postmasterOf()).not.toBe(before);
    await expect.poll(() => messages).toContain('PostgreSQL had ended unexpectedly and runs again.');
  });

  test('restarts a killed server whose process id another program has got meanwhile', async () => {
    const server = await start();
    const path = join(folder, 'data', 'postmaster.pid');
    const lockFile = await readFile(path, 'utf8');
    process.kill(await postmasterOf(), 'SIGKILL');
    await writeFile(path, lockFile.replace(/^\d+/, String(process.pid)));
    await expect.poll(() => queryValue(server, 'select 1').catch(() => 'away')).toBe(1);
    expect(await postmasterOf()).not.toBe(process.pid);
  });

  test('ignores a postmaster.pid whose process id belongs to another program', async () => {
    const first = await start();
    const lockFile = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8');
    await first.stop();
    await writeFile(join(folder, 'data', 'postmaster.pid'), lockFile.replace(/^\d+/, String(process.pid)));
    expect(await queryValue(await start(), 'select 1')).toBe(1);
  });

  test('uses another port when its own is in use', async () => {
    const first = await start();
    await first.stop();
    const port = Number(new URL(first.connectionString).port);
    const otherServer = createServer().listen(port, '127.0.0.1');
    await once(otherServer, 'listening');
    try {
      const second = await start();
      expect(Number(new URL(second.connectionString).port)).not.toBe(port);
      expect(await queryValue(second, 'select 1')).toBe(1);
    } finally {
      otherServer.close();
    }
  });

  test('connects by a Unix socket that no other user can reach', async () => {
    const server = await start();
    expect(await queryValue(server, 'select inet_server_addr()')).toBeNull();
    const directory = new URL(server.connectionString).searchParams.get('host') ?? '';
    expect((await stat(directory)).mode & 0o077).toBe(0);
  });

  test('runs in its own session, so that Ctrl-C at the terminal does not reach it', async () => {
    await start();
    const pid = await postmasterOf();
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ');
    expect(fields?.[3]).toBe(String(pid));
  });
});

test('connects by TCP when the path of the folder is too long for a Unix socket', async () => {
  const parent = await createFolder();
  const long = join(parent, 'a'.repeat(100));
  try {
    const server = await start(long);
    expect(await queryValue(server, 'select inet_server_addr()::text')).toBe('127.0.0.1/32');
    await server.stop();
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
});

test('finds processes whose programs are in a path with spaces', async () => {
  const child = spawn(
    process.execPath,
    ['--eval', 'setTimeout(() => {}, 60_000)', '--', 'cluster_name=coomercio-here'],
    {
      argv0: '/somebody/their shop/bin/postgres',
    },
  );
  children.push(child);
  await once(child, 'spawn');
  expect(await findClusterProcesses('coomercio-here')).toEqual([child.pid]);
  expect(await findClusterProcesses('coomercio-there')).toEqual([]);
});
