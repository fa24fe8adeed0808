import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCommand, spawnProgram, startServer } from '#tests/harness/operations/server-process.ts';
import { freeShopPort, PORTS_OF_SHOP } from '#tests/harness/operations/shop-ports.ts';

/** The data folder of the tests whose shop need not be new: the first start creates the database. */
let sharedFolder: string;
/** The data folder of the current test. */
let folder: string;
let port: number;
const running = new Set<ChildProcess>();

async function createFolder(): Promise<string> {
  const created = await mkdtemp(join(tmpdir(), 'coomercio-start-'));
  // As root, PostgreSQL runs as another user, which needs access.
  await chmod(created, 0o755);
  return created;
}

beforeAll(async () => {
  sharedFolder = await createFolder();
});
afterAll(() => rm(sharedFolder, { recursive: true, force: true }));

beforeEach(async () => {
  folder = sharedFolder;
  port = await freeShopPort();
});
afterEach(async () => {
  for (const child of running) await end(child, 'SIGTERM');
  if (folder !== sharedFolder) await rm(folder, { recursive: true, force: true });
});

const environment = () => ({ PORT: String(port), COOMERCIO_DATA: join(folder, 'data'), DEMO: '0' });

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
  return child.exitCode;
}

/** Starts the shop and waits until it says that it is open. */
async function startShop(): Promise<ChildProcess> {
  const { child } = await startServer(environment());
  running.add(child);
  return child;
}

const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;

/** Sends the first part of a request. @returns a function that sends the rest, and the response */
async function sendHalfRequest() {
  const socket = connect(port, '127.0.0.1');
  const answer = text(socket);
  const body = JSON.stringify({ price: 1 });
  socket.write(
    `POST /api/payments HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 3)}`,
  );
  await once(socket, 'connect');
  // After a response on another connection, the server has read the first part.
  await status('/api/brands');
  return { finish: () => socket.write(body.slice(3)), answer };
}

test('SIGTERM completes open requests and ends all processes', async () => {
  const child = await startShop();
  const request = await sendHalfRequest();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await expect.poll(() => status('/api/brands').catch(() => 'closed')).toBe('closed');
  request.finish();
  expect(await request.answer).toMatch(/^HTTP\/1\.1 401 /);
  const [code] = await ended;
  expect(code).toBe(0);
  for (let offset = 0; offset < PORTS_OF_SHOP; offset += 1) {
    await expect(fetch(`http://127.0.0.1:${port + offset}/`)).rejects.toThrow('fetch failed');
  }
});

/** Lists the ids of processes whose command line contains this test's folder. */
async function findProcesses(): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return ids.filter((_id, index) => lines[index]?.includes(folder));
}

const exists = (path: string) =>
  access(join(folder, 'data', path)).then(
    () => true,
    () => false,
  );

// Phases of a start, in order, each with the signal to send and how the phase is detected. All precede the message that
// the shop is open.
const phases: readonly (readonly [phase: string, NodeJS.Signals, hasBegun: () => Promise<boolean>])[] = [
  ['the database starts', 'SIGINT', () => exists('postgres/data/postmaster.pid')],
  ['the stand-ins start', 'SIGTERM', () => exists('sandbox')],
  [
    'the demo data are loaded',
    'SIGHUP',
    () =>
      status('/healthz')
        .then((code) => code === 200)
        .catch(() => false),
  ],
];

test('a signal during the start exits with code 0, without error output and without processes left', async () => {
  folder = await createFolder();
  for (const [phase, signal, hasBegun] of phases) {
    const { child, output } = spawnProgram('server/main.ts', [], { ...environment(), DEMO: '1' });
    running.add(child);
    const ended = once(child, 'close');
    await expect.poll(hasBegun, { interval: 5, timeout: 60_000, message: phase }).toBe(true);
    child.kill(signal);
    expect(await ended, phase).toEqual([0, null]);
    expect(await findProcesses(), phase).toEqual([]);
    expect(output.stderr, phase).toBe('');
    expect(output.stdout, phase).not.toContain('Coomercio is open at');
  }
});

test('starts again after kill -9 with the same data; only the owner can read the generated secret', async () => {
  const first = await startShop();
  expect((await stat(join(folder, 'data', 'secret'))).mode & 0o777).toBe(0o600);
  const settings = async () => (await fetch(`http://127.0.0.1:${port}/api/settings`)).json();
  const brands = async () => (await fetch(`http://127.0.0.1:${port}/api/brands`)).json();
  const before = [await settings(), await brands()];
  await end(first, 'SIGKILL');
  await startShop();
  expect([await settings(), await brands()]).toEqual(before);
});

test('two processes can start concurrently on one database', async () => {
  folder = await createFolder();
  const first = startShop();
  const firstPort = port;
  port = await freeShopPort();
  const second = startShop();
  await Promise.all([first, second]);
  expect(await status('/api/brands')).toBe(200);
  port = firstPort;
  expect(await status('/api/brands')).toBe(200);
});

test('contradictory settings end the start with a message and no stack trace', async () => {
  const { code, stderr } = await runCommand('server/main.ts', [], {
    ...environment(),
    STRIPE_SECRET_KEY: 'sk_test_1',
  });
  expect(code).toBe(1);
  expect(stderr).toContain('STRIPE_PUBLISHABLE_KEY');
  expect(stderr).not.toContain('    at ');
});

test('an unknown argument ends the start with its usage and no stack trace', async () => {
  expect(await runCommand('server/main.ts', ['--foo'], environment())).toMatchObject({
    code: 2,
    stderr: 'Usage: npm run start, without arguments. Its settings are environment variables.\n',
  });
});

test('a port in use ends the start with a message', async () => {
  await startShop();
  const { code, stderr } = await runCommand('server/main.ts', [], {
    ...environment(),
    SANDBOX_PORT: String(await freeShopPort()),
  });
  expect(code).toBe(1);
  expect(stderr).toContain(String(port));
  // The process that ended shares the database with the one that runs.
  expect(await status('/api/brands')).toBe(200);
});

test('the admin command accepts registered users only', async () => {
  const { code, stderr } = await runCommand(
    'server/operations/commands/admin.ts',
    ['grant', 'nobody@people.example'],
    environment(),
  );
  expect(code).toBe(1);
  expect(stderr).toContain('Nobody is registered with nobody@people.example');
});
