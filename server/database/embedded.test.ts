import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';
import { processesOf, readPostmaster, startTime } from './embedded-process.ts';

// Each test creates a database, which a busy machine takes its time for.
vi.setConfig({ testTimeout: 40_000 });

let folder: string;
let running: EmbeddedPostgres[];
let children: ChildProcess[];
const messages: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), `coomercio-tests-${process.pid}-with space-`));
  await chmod(folder, 0o755);
  running = [];
  children = [];
  messages.length = 0;
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const server of running) await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(where = folder): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    folder: where,
    settings: { fsync: 'off' },
    log: (message) => messages.push(message),
  });
  running.push(server);
  return server;
}

/** Starts the database in a process of its own, which can then be killed. */
async function startElsewhere(): Promise<ChildProcess> {
  const code = `import { startEmbeddedPostgres } from '#server/database/embedded.ts';
    await startEmbeddedPostgres({ folder: ${JSON.stringify(folder)}, log: () => {} });
    process.stdout.write('ready');
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: new URL('../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function ask(server: EmbeddedPostgres, sql: string): Promise<unknown> {
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

test('keeps its data, its address and its password over a restart', async () => {
  const first = await start();
  await ask(first, `create table kept as select 'Prüfung' as word`);
  const process = await postmasterOf();
  await first.stop();
  expect(await startTime(process)).toBeUndefined();

  const second = await start();
  expect(second.connectionString).toBe(first.connectionString);
  expect(await ask(second, 'select upper(word) from kept')).toBe('PRÜFUNG');
});

test('is PostgreSQL 18 in UTF-8, on this machine only, and asks for the password', async () => {
  const server = await start();
  expect(Number(await ask(server, 'show server_version_num'))).toBeGreaterThanOrEqual(180000);
  expect(await ask(server, 'show server_encoding')).toBe('UTF8');
  expect(await ask(server, 'show listen_addresses')).toBe('127.0.0.1');
  expect((await stat(join(folder, 'cluster.json'))).mode & 0o777).toBe(0o600);
  const stranger = { ...server, connectionString: server.connectionString.replace(/:[0-9a-f]+@/, ':guess@') };
  await expect(ask(stranger, 'select 1')).rejects.toThrow(/password authentication failed/);
});

test('joins the database that a killed process left running', async () => {
  const child = await startElsewhere();
  const before = await postmasterOf();
  child.kill('SIGKILL');
  await once(child, 'exit');

  const server = await start();
  expect(await postmasterOf()).toBe(before);
  expect(await ask(server, 'select 1')).toBe(1);
  await server.stop();
  expect(await startTime(before)).toBeUndefined();
});

test('starts again after the database itself was killed', async () => {
  const child = await startElsewhere();
  const before = await postmasterOf();
  process.kill(before, 'SIGKILL');
  child.kill('SIGKILL');
  const server = await start();
  expect(await postmasterOf()).not.toBe(before);
  expect(await ask(server, 'select 1')).toBe(1);
});

test('one that is killed while it is used runs again at the same address, with all that was committed', async () => {
  const server = await start();
  await ask(server, `create table kept as select 'committed' as word`);
  const before = await postmasterOf();
  process.kill(before, 'SIGKILL');
  await expect
    .poll(() => ask(server, 'select word from kept').catch(() => 'away'), { timeout: 15_000 })
    .toBe('committed');
  expect(await postmasterOf()).not.toBe(before);
  expect(messages).toContain('PostgreSQL had ended unexpectedly and runs again.');
});

test('is not misled by a lock file whose process id now belongs to another program', async () => {
  const first = await start();
  const lockFile = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8');
  await first.stop();
  await writeFile(join(folder, 'data', 'postmaster.pid'), lockFile.replace(/^\d+/, String(process.pid)));
  expect(await ask(await start(), 'select 1')).toBe(1);
});

test('moves to another port when its own has been taken', async () => {
  const first = await start();
  await first.stop();
  const taken = Number(new URL(first.connectionString).port);
  const thief = createServer().listen(taken, '127.0.0.1');
  await once(thief, 'listening');
  try {
    const second = await start();
    expect(Number(new URL(second.connectionString).port)).not.toBe(taken);
    expect(await ask(second, 'select 1')).toBe(1);
  } finally {
    thief.close();
  }
});

test('two processes that start at once share one server, which ends with the last of them', async () => {
  const [child, server] = await Promise.all([startElsewhere(), start()]);
  const shared = await postmasterOf();
  await server.stop();
  expect(await startTime(shared)).toBeDefined();

  child.kill('SIGKILL');
  await once(child, 'exit');
  const last = await start();
  await last.stop();
  expect(await startTime(shared)).toBeUndefined();
});

test('runs in a session of its own, so that Ctrl-C at the terminal passes it by', async () => {
  await start();
  const pid = await postmasterOf();
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ');
  expect(fields?.[3]).toBe(String(pid));
});

test('finds the processes of a database whose programs lie in a path with spaces', async () => {
  const child = spawn(
    process.execPath,
    ['--eval', 'setTimeout(() => {}, 60_000)', '--', 'cluster_name=coomercio-here'],
    {
      argv0: '/somebody/their shop/bin/postgres',
    },
  );
  children.push(child);
  await once(child, 'spawn');
  expect(await processesOf('coomercio-here')).toEqual([child.pid]);
  expect(await processesOf('coomercio-there')).toEqual([]);
});

test('says in one sentence that the data are from another PostgreSQL', async () => {
  const server = await start();
  await server.stop();
  await writeFile(join(folder, 'data', 'PG_VERSION'), '15\n');
  await expect(start()).rejects.toThrow(/written by PostgreSQL 15, this is 18/);
});

test.runIf(process.getuid?.() === 0)('root may keep the data below a closed home', async () => {
  await chmod(folder, 0o700);
  const where = join(folder, 'shop');
  const places: string[] = [];
  const place = async () => {
    const { directory } = JSON.parse(await readFile(join(where, 'cluster.json'), 'utf8'));
    places.push(dirname(directory));
    return directory;
  };
  try {
    const server = await start(where);
    expect(await place()).toMatch(/^\/var\/lib\/coomercio\/clusters\/[0-9a-f]{16}\/data$/);
    expect(await ask(server, 'select 1')).toBe(1);

    const abandoned = await postmasterOf(where);
    await rm(where, { recursive: true });
    await start(where);
    await place();
    expect(await startTime(abandoned)).toBeUndefined();
  } finally {
    for (const each of running) await each.stop();
    for (const each of places) await rm(each, { recursive: true });
  }
});
