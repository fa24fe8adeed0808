import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePorts } from '#tests/harness/ports.ts';

const root = join(import.meta.dirname, '../..');

let folder: string;
let port: number;
const running = new Set<ChildProcess>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-start-'));
  // As root, PostgreSQL runs as another user, which needs access.
  await chmod(folder, 0o755);
  port = await freePorts(5);
});

afterEach(async () => {
  for (const child of running) await end(child, 'SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

function run(program: string, args: string[] = [], environment: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [join(root, program), ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      COOMERCIO_DATA: join(folder, 'data'),
      DEMO: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
  return child.exitCode;
}

/** Starts the shop and waits until it says that it is open. */
async function startShop(environment: Record<string, string> = {}): Promise<ChildProcess> {
  const child = run('server/main.ts', [], environment);
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('The child has no output.');
  const errorOutput = text(stderr);
  const opened = new Promise<void>((resolve, reject) => {
    stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (chunk.includes('Coomercio is open at')) resolve();
    });
    child.once('exit', async (code) =>
      reject(new Error(`The server exited with ${code}: ${await errorOutput}`)),
    );
  });
  await opened;
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

test('SIGTERM completes open requests and ends all processes within 10 s', async () => {
  const child = await startShop();
  const request = await sendHalfRequest();
  const ended = once(child, 'exit');
  const signalled = Date.now();
  child.kill('SIGTERM');
  await expect.poll(() => status('/api/brands').catch(() => 'closed')).toBe('closed');
  request.finish();
  expect(await request.answer).toMatch(/^HTTP\/1\.1 401 /);
  const [code] = await ended;
  expect(code).toBe(0);
  expect(Date.now() - signalled).toBeLessThan(10_000);
  for (let offset = 0; offset < 5; offset += 1) {
    await expect(fetch(`http://127.0.0.1:${port + offset}/`)).rejects.toThrow('fetch failed');
  }
}, 60_000);

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
  for (const [phase, signal, hasBegun] of phases) {
    const child = run('server/main.ts', [], { DEMO: '1' });
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error('The child has no output.');
    const [output, errorOutput, ended] = [text(stdout), text(stderr), once(child, 'exit')];
    await expect.poll(hasBegun, { interval: 5, timeout: 30_000, message: phase }).toBe(true);
    child.kill(signal);
    expect(await ended, phase).toEqual([0, null]);
    expect(await findProcesses(), phase).toEqual([]);
    expect(await errorOutput, phase).toBe('');
    expect(await output, phase).not.toContain('Coomercio is open at');
  }
}, 120_000);

test('starts again after kill -9 with the same data', async () => {
  const first = await startShop();
  const settings = async () => (await fetch(`http://127.0.0.1:${port}/api/settings`)).json();
  const brands = async () => (await fetch(`http://127.0.0.1:${port}/api/brands`)).json();
  const before = [await settings(), await brands()];
  await end(first, 'SIGKILL');
  await startShop();
  expect([await settings(), await brands()]).toEqual(before);
}, 60_000);

test('two processes can start concurrently on one database', async () => {
  const first = startShop();
  const firstPort = port;
  port = await freePorts(5);
  const second = startShop();
  await Promise.all([first, second]);
  expect(await status('/api/brands')).toBe(200);
  port = firstPort;
  expect(await status('/api/brands')).toBe(200);
}, 60_000);

test('only the owner can read the generated secret', async () => {
  await end(await startShop(), 'SIGTERM');
  expect((await stat(join(folder, 'data', 'secret'))).mode & 0o777).toBe(0o600);
}, 60_000);

test('contradictory settings end the start with a message and no stack trace', async () => {
  const child = run('server/main.ts', [], { STRIPE_SECRET_KEY: 'sk_test_1' });
  const output = child.stderr === null ? '' : text(child.stderr);
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
  expect(await output).toContain('STRIPE_PUBLISHABLE_KEY');
  expect(await output).not.toContain('    at ');
}, 30_000);

test('a port in use ends the start with a message', async () => {
  await startShop();
  const second = run('server/main.ts', [], {
    COOMERCIO_DATA: join(folder, 'other'),
    SANDBOX_PORT: String(await freePorts(4)),
  });
  const output = second.stderr === null ? '' : text(second.stderr);
  const [code] = await once(second, 'exit');
  expect(code).toBe(1);
  expect(await output).toContain(String(port));
}, 60_000);

test('the admin command accepts registered users only', async () => {
  const child = run('server/admin.ts', ['grant', 'nobody@people.example']);
  const output = child.stderr === null ? '' : text(child.stderr);
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
  expect(await output).toContain('Nobody is registered with nobody@people.example');
}, 60_000);
