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
  // The user to whom root lends PostgreSQL has to get in.
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
async function open(environment: Record<string, string> = {}): Promise<ChildProcess> {
  const child = run('server/main.ts', [], environment);
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('The child has no output.');
  const complaints = text(stderr);
  const opened = new Promise<void>((resolve, reject) => {
    stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (chunk.includes('Coomercio is open at')) resolve();
    });
    child.once('exit', async (code) => reject(new Error(`It ended with ${code}: ${await complaints}`)));
  });
  await opened;
  return child;
}

const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;

/** A request of which the server has only a part so far. */
async function halfSent() {
  const socket = connect(port, '127.0.0.1');
  const answer = text(socket);
  const body = JSON.stringify({ price: 1 });
  socket.write(
    `POST /api/payments HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 3)}`,
  );
  await once(socket, 'connect');
  // An answered request on another connection: by now the server has read the first part.
  await status('/api/brands');
  return { finish: () => socket.write(body.slice(3)), answer };
}

test('SIGTERM answers the request under way, ends everything within 10 s, and leaves nothing running', async () => {
  const child = await open();
  const request = await halfSent();
  const ended = once(child, 'exit');
  const asked = Date.now();
  child.kill('SIGTERM');
  await expect.poll(() => status('/api/brands').catch(() => 'closed')).toBe('closed');
  request.finish();
  expect(await request.answer).toMatch(/^HTTP\/1\.1 401 /);
  const [code] = await ended;
  expect(code).toBe(0);
  expect(Date.now() - asked).toBeLessThan(10_000);
  for (let offset = 0; offset < 5; offset += 1) {
    await expect(fetch(`http://127.0.0.1:${port + offset}/`)).rejects.toThrow('fetch failed');
  }
}, 60_000);

/** Ids of the processes that were started with something in this test's folder. */
async function atWork(): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => 'It has ended meanwhile.')),
  );
  return ids.filter((_id, index) => lines[index]?.includes(folder));
}

const exists = (path: string) =>
  access(join(folder, 'data', path)).then(
    () => true,
    () => false,
  );

// By what a start leaves to be seen, one after the other; at none of them has the shop said that it is open.
const moments: readonly (readonly [moment: string, NodeJS.Signals, hasCome: () => Promise<boolean>])[] = [
  ['the database starts', 'SIGINT', () => exists('postgres/data/postmaster.pid')],
  ['the stand-ins start', 'SIGTERM', () => exists('sandbox')],
  [
    'the shop is filled',
    'SIGHUP',
    () =>
      status('/healthz')
        .then((code) => code === 200)
        .catch(() => false),
  ],
];

test('a signal during the start ends it without a complaint, and leaves nothing running', async () => {
  for (const [moment, signal, hasCome] of moments) {
    const child = run('server/main.ts', [], { DEMO: '1' });
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error('The child has no output.');
    const [said, complaints, ended] = [text(stdout), text(stderr), once(child, 'exit')];
    await expect.poll(hasCome, { interval: 5, timeout: 30_000, message: moment }).toBe(true);
    child.kill(signal);
    expect(await ended, moment).toEqual([0, null]);
    expect(await atWork(), moment).toEqual([]);
    expect(await complaints, moment).toBe('');
    expect(await said, moment).not.toContain('Coomercio is open at');
  }
}, 120_000);

test('after kill -9 the next start just works, on the same data', async () => {
  const first = await open();
  const settings = async () => (await fetch(`http://127.0.0.1:${port}/api/settings`)).json();
  const brands = async () => (await fetch(`http://127.0.0.1:${port}/api/brands`)).json();
  const before = [await settings(), await brands()];
  await end(first, 'SIGKILL');
  await open();
  expect([await settings(), await brands()]).toEqual(before);
}, 60_000);

test('two processes may start at once on one database', async () => {
  const first = open();
  const elsewhere = port;
  port = await freePorts(5);
  const second = open();
  await Promise.all([first, second]);
  expect(await status('/api/brands')).toBe(200);
  port = elsewhere;
  expect(await status('/api/brands')).toBe(200);
}, 60_000);

test('the generated secret is for its owner only', async () => {
  await end(await open(), 'SIGTERM');
  expect((await stat(join(folder, 'data', 'secret'))).mode & 0o777).toBe(0o600);
}, 60_000);

test('a contradiction ends the start with its sentence', async () => {
  const child = run('server/main.ts', [], { STRIPE_SECRET_KEY: 'sk_test_1' });
  const said = child.stderr === null ? '' : text(child.stderr);
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
  expect(await said).toContain('STRIPE_PUBLISHABLE_KEY');
  expect(await said).not.toContain('    at ');
}, 30_000);

test('a port that is taken ends the start with a sentence', async () => {
  await open();
  const second = run('server/main.ts', [], {
    COOMERCIO_DATA: join(folder, 'other'),
    SANDBOX_PORT: String(await freePorts(4)),
  });
  const said = second.stderr === null ? '' : text(second.stderr);
  const [code] = await once(second, 'exit');
  expect(code).toBe(1);
  expect(await said).toContain(String(port));
}, 60_000);

test('the command line makes admins of registered people only', async () => {
  const child = run('server/admin.ts', ['grant', 'nobody@people.example']);
  const said = child.stderr === null ? '' : text(child.stderr);
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
  expect(await said).toContain('Nobody is registered with nobody@people.example');
}, 60_000);
