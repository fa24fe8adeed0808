import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { embeddedConnections, warnAboutConnections } from '#server/operations/processes/connection-count.ts';
import { runCommand, type ServerProcess, startServer } from '#tests/harness/operations/server-process.ts';
import { freeShopPort } from '#tests/harness/operations/shop-ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { withConnection } from './sample-data.ts';

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-processes-'));
  database = await createTestDatabase({ template: 'template0' });
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const environment = (port: number) => ({
  PORT: String(port),
  COOMERCIO_DATA: folder,
  DATABASE_URL: database.url,
  DEMO: '0',
});

/** Finds the running processes that a supervisor has started and that serve requests. */
async function findChildren(supervisor: number): Promise<number[]> {
  const ids = await readFile(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8');
  const running = await Promise.all(
    ids
      .split(' ')
      .filter((id) => id !== '')
      .map(async (id) => {
        const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
        return command.includes('server/main.ts') ? [Number(id)] : [];
      }),
  );
  return running.flat();
}

const isRunning = async (pid: number) =>
  (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z')).split(') ')[1]?.startsWith('Z') === false;

/** Requests on a connection of its own. */
const request = (url: string) =>
  fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(10_000) });

test('npm run migrate leaves the database of another version as it is, and ends', async () => {
  await withConnection(database, (client) =>
    client.query(`create table kysely_migration as select '9999-later' as name`),
  );
  const migration = await runCommand(
    'server/operations/commands/admin.ts',
    ['migrate'],
    environment(await freeShopPort()),
  );
  expect(migration).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^The database could not be migrated: The database has migrations of another version .* to an empty place\.\n$/,
    ),
  });
  await withConnection(database, (client) => client.query('drop table kysely_migration'));
});

test('MIGRATE=0 leaves the schema to npm run migrate', async () => {
  const [port] = [await freeShopPort()];
  const early = await runCommand('server/main.ts', [], { ...environment(port), MIGRATE: '0' });
  expect(early.code).toBe(1);
  expect(early.stderr).toContain('run the command migrate, then start again.');
  const migration = await runCommand('server/operations/commands/admin.ts', ['migrate'], environment(port));
  expect(migration).toMatchObject({ code: 0, stderr: '' });
  const server = await startServer({ ...environment(port), MIGRATE: '0' });
  expect((await request(`${server.origin}/readyz`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
});

describe('several processes on one port', () => {
  let server: ServerProcess;
  let supervisor: number;
  beforeAll(async () => {
    server = await startServer({ ...environment(await freeShopPort()), PROCESSES: '2' });
    supervisor = server.child.pid ?? 0;
  });
  afterAll(() => server.stop());

  const answers = async (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => (await request(`${server.origin}/api/brands`)).status),
    );

  test('a stopped process keeps no request of the others waiting, and the metrics are those of all', async () => {
    for (const pid of await findChildren(supervisor)) {
      process.kill(pid, 'SIGSTOP');
      try {
        expect(new Set(await answers(40))).toEqual(new Set([200]));
      } finally {
        process.kill(pid, 'SIGCONT');
      }
    }
    const metrics = await (await request(`${server.origin}/metrics`)).text();
    const answered = /^coomercio_request_duration_seconds_count\{.*\/api\/brands.*\} (\d+)$/m.exec(metrics);
    expect(Number(answered?.[1])).toBe(80);
    expect(metrics).toContain('coomercio_payments{outcome="paid",reason=""} 0');
  });

  test('a killed process is replaced, and the other one answers meanwhile', async () => {
    const [killed = 0, other] = await findChildren(supervisor);
    process.kill(killed, 'SIGKILL');
    await vi.waitUntil(() => server.output().stdout.includes(`Process ${killed} ended (SIGKILL)`), {
      timeout: 60_000,
    });
    expect(new Set(await answers(20))).toEqual(new Set([200]));
    await vi.waitUntil(
      async () => {
        const children = await findChildren(supervisor);
        return children.length === 2 && children.includes(other ?? 0) && !children.includes(killed);
      },
      { timeout: 60_000 },
    );
  });

  test('SIGTERM ends all of them', async () => {
    const children = await findChildren(supervisor);
    expect(await server.stop()).toBe(0);
    expect(await Promise.all(children.map(isRunning))).toEqual(children.map(() => false));
  });
});

test('processes end with their supervisor, even when it is killed', async () => {
  const server = await startServer({ ...environment(await freeShopPort()), PROCESSES: '2', ROLE: 'web' });
  const children = await findChildren(server.child.pid ?? 0);
  expect(children).toHaveLength(2);
  await server.stop('SIGKILL');
  await vi.waitUntil(async () => !(await Promise.all(children.map(isRunning))).includes(true), {
    timeout: 60_000,
  });
});

test('a worker reports its health and serves no pages', async () => {
  const server = await startServer({ ...environment(await freeShopPort()), ROLE: 'worker' });
  try {
    expect((await request(`${server.origin}/readyz`)).status).toBe(200);
    expect((await request(`${server.origin}/`)).status).toBe(404);
  } finally {
    await server.stop();
  }
});

describe('the connections of all processes', () => {
  const config = {
    databaseConnections: 20,
    identity: { kind: 'own' },
    role: 'all',
    backupDestination: null,
  } as const;
  const withBackups = { ...config, backupDestination: {} } as const;

  test('are compared with the limit of the database at the start', async () => {
    const warn = vi.fn();
    await warnAboutConnections({ ...config, processes: 64 }, database.url, warn);
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^64 processes with up to 36 connections each may need 2304, and the database/)],
    ]);
    await warnAboutConnections({ ...config, processes: 1 }, database.url, warn);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('include those of a backup in a process that makes backups', async () => {
    const warn = vi.fn();
    await warnAboutConnections({ ...withBackups, processes: 64 }, database.url, warn);
    await warnAboutConnections({ ...withBackups, processes: 64, role: 'web' }, database.url, warn);
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^64 processes with up to 36 connections each, and 5 for a backup, may need 2309, and the database/,
        ),
      ],
      [expect.stringMatching(/^64 processes with up to 36 connections each may need 2304, and the database/)],
    ]);
  });

  test('fit into the embedded PostgreSQL', () => {
    expect(embeddedConnections({ ...config, processes: 1 })).toBe(100);
    expect(embeddedConnections({ ...config, processes: 8 })).toBe(8 * 36 + 20);
    expect(embeddedConnections({ ...withBackups, processes: 8 })).toBe(8 * 36 + 5 + 20);
  });
});
