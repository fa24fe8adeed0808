import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Stripe from 'stripe';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { type SandboxOptions, startSandbox } from './start.ts';

let folder: string;
let lines: string[];
/** Resolves with the next line that contains `text`. */
let awaitLine: (text: string) => Promise<string>;
let log: (line: string) => void;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-sandbox-'));
  lines = [];
  const listeners = new Set<(line: string) => void>();
  log = (line) => {
    lines.push(line);
    for (const listener of listeners) listener(line);
  };
  awaitLine = (text) =>
    new Promise((resolve) => listeners.add((line) => (line.includes(text) ? resolve(line) : undefined)));
});
afterEach(() => rm(folder, { recursive: true }));

const options = (changes: Partial<SandboxOptions> = {}): SandboxOptions => ({
  dataFolder: folder,
  host: '127.0.0.1',
  ports: { cards: 0, google: 0, mail: 0, smtp: 0, carriers: 0 },
  which: { cards: false, google: false, mail: true, carriers: false },
  webhookUrl: 'http://127.0.0.1:9/webhook',
  carrierWebhookUrl: 'http://127.0.0.1:9/webhook',
  shopOrigins: ['http://localhost:3000'],
  log,
  ...changes,
});

async function start(changes: Partial<SandboxOptions> = {}) {
  const sandbox = await startSandbox(options(changes));
  onTestFinished(() => sandbox.stop());
  return sandbox;
}

async function openConnection(url: string | undefined): Promise<Socket> {
  const { hostname, port } = new URL(url ?? '');
  const socket = connect(Number(port), hostname).on('error', () => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Returns the id and process group of each stand-in process that a process has started. */
async function standInProcesses(parentPid = process.pid): Promise<{ pid: number; group: number }[]> {
  const found = [];
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    const status = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [, parent, group] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    if (command.includes('sandbox/main.ts') && Number(parent) === parentPid) {
      found.push({ pid: Number(name), group: Number(group) });
    }
  }
  return found;
}

it('runs all three stand-ins and stops them, also with an open connection', async () => {
  const sandbox = await start({ which: { cards: true, google: true, mail: true, carriers: true } });
  const { cards, google, mail } = sandbox;
  const { hostname, port } = new URL(cards?.apiUrl ?? '');
  const stripe = new Stripe(cards?.secretKey ?? '', { host: hostname, port: Number(port), protocol: 'http' });
  expect(await stripe.paymentIntents.create({ amount: 54_999, currency: 'usd' })).toMatchObject({
    amount: 54_999,
  });
  expect((await fetch(cards?.scriptUrl ?? '')).headers.get('content-type')).toContain('javascript');
  const metadata = await fetch(`${google?.issuer}/.well-known/openid-configuration`);
  expect(await metadata.json()).toMatchObject({ issuer: google?.issuer });
  expect((await fetch(mail?.inboxUrl ?? '')).status).toBe(200);
  const connection = await openConnection(mail?.smtpUrl);
  const closed = once(connection.resume(), 'close');
  await sandbox.stop();
  await closed;
  expect(await standInProcesses()).toEqual([]);
  expect(lines).toEqual([]);
});

it('starts only the requested stand-ins', async () => {
  expect(Object.keys(await start())).toEqual(['mail', 'stop']);
});

it('keeps its keys after a restart, readable only by their owner', async () => {
  const which = { cards: true, google: true, mail: false, carriers: false };
  const keysOf = async () => {
    const { cards, google, stop } = await startSandbox(options({ which }));
    await stop();
    return [
      cards?.secretKey,
      cards?.publishableKey,
      cards?.webhookSecret,
      google?.clientId,
      google?.clientSecret,
    ];
  };
  const first = await keysOf();
  expect(first.join()).toMatch(
    /^sk_test_\w+,pk_test_\w+,whsec_\w+,\w+\.apps\.googleusercontent\.com,GOCSPX-\w+$/,
  );
  expect(await keysOf()).toEqual(first);
  expect((await stat(join(folder, 'keys.json'))).mode & 0o777).toBe(0o600);
});

it('names the port that is in use, and leaves no process running', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const address = blocker.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    await expect(
      startSandbox(options({ ports: { cards: 0, google: 0, mail: port, smtp: 0, carriers: 0 } })),
    ).rejects.toThrow(
      `The stand-in for the mail server does not start: port ${port} is in use by another program.`,
    );
    await expect.poll(() => standInProcesses()).toEqual([]);
  } finally {
    blocker.close();
  }
});

it('waits for a port that is released', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const address = blocker.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const waits = awaitLine(`The stand-in for the mail server waits for port ${port}.`);
  const starting = start({ ports: { cards: 0, google: 0, mail: port, smtp: 0, carriers: 0 } });
  await waits;
  blocker.close();
  expect((await starting).mail?.inboxUrl).toBe(`http://127.0.0.1:${port}`);
});

it('runs in its own process group, and says when it ends by itself', async () => {
  await start();
  const [child] = await standInProcesses();
  expect(child?.group).toBe(child?.pid);
  const ended = awaitLine('ended unexpectedly');
  process.kill(child?.pid ?? 0, 'SIGKILL');
  expect(await ended).toBe('The stand-ins ended unexpectedly (SIGKILL). Start the shop again.');
});

it('ends with the shop, even after SIGKILL', async () => {
  const shop: ChildProcess = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { startSandbox } from ${JSON.stringify(new URL('./start.ts', import.meta.url).href)};
       const options = ${JSON.stringify(options())};
       const sandbox = await startSandbox({ ...options, log: (line) => process.stderr.write(line) });
       process.stdout.write(JSON.stringify(sandbox) + '\\n');
       setInterval(() => undefined, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (shop.stdout === null) throw new Error('The shop has no output.');
  const [line] = await once(createInterface({ input: shop.stdout }), 'line');
  const { mail } = z.object({ mail: z.object({ smtpUrl: z.string() }) }).parse(JSON.parse(String(line)));
  const [standIns] = await standInProcesses(shop.pid);
  if (standIns === undefined) throw new Error('The shop has started no stand-ins.');
  const connection = await openConnection(mail.smtpUrl);
  // `close` follows both an orderly end and a reset.
  const closed = new Promise((resolve) => connection.resume().once('close', resolve));
  shop.kill('SIGKILL');
  await closed;
  await expect(openConnection(mail.smtpUrl)).rejects.toThrow();
  await expect.poll(() => existsSync(`/proc/${standIns.pid}`)).toBe(false);
});
