import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../server/platform/database/embedded/start.ts';

interface Outcome {
  code: number | null;
  output: string;
}

interface Packaged {
  /** Starts a command of the package. */
  spawn(args: string[], environment?: Record<string, string>): { stop(): void; ended: Promise<Outcome> };
  /** Runs a command to its end. */
  run(args: string[], environment?: Record<string, string>): Promise<Outcome>;
}

/**
 * Prepares to run an unpacked package with nothing on its PATH.
 * @param home the folder in which its commands run, made if it is missing
 * @param settings the shop's environment variables
 */
export async function openPackage(
  folder: string,
  home: string,
  settings: Record<string, string>,
): Promise<Packaged> {
  await mkdir(home, { recursive: true });
  const start: Packaged['spawn'] = (args, environment = settings) => {
    const child = spawn(join(folder, 'bin/node'), [join(folder, 'bin/coomercio.js'), ...args], {
      cwd: home,
      env: { PATH: '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    return {
      stop: () => void child.kill('SIGTERM'),
      ended: once(child, 'close').then(([code]: (number | null)[]) => ({ code: code ?? null, output })),
    };
  };
  return { spawn: start, run: (args, environment) => start(args, environment).ended };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}

/** The settings of a live shop whose card processor and mail server do not answer. */
export function liveSettings(databaseUrl: string, dataFolder: string): Record<string, string> {
  return {
    PUBLIC_ORIGIN: 'http://127.0.0.1',
    DATABASE_URL: databaseUrl,
    COOMERCIO_DATA: dataFolder,
    SMTP_URL: 'smtp://127.0.0.1:1',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_API_URL: 'http://127.0.0.1:1',
  };
}

function expectCode(expected: number, what: string, { code, output }: Outcome): void {
  if (code !== expected) throw new Error(`${what} ended with ${code} instead of ${expected}.\n${output}`);
}

/** Fetches a page and one of its scripts. @throws Error unless both answer 200 */
async function visit(origin: string): Promise<void> {
  const page = await fetch(`${origin}/`);
  const html = await page.text();
  const script = /"(\/assets\/[^"]+\.js)"/.exec(html)?.[1];
  if (page.status !== 200 || script === undefined) throw new Error(`The home page answered ${page.status}.`);
  const asset = await fetch(`${origin}${script}`);
  await asset.arrayBuffer();
  if (asset.status !== 200) throw new Error(`${script} answered ${asset.status}.`);
}

/** Makes an image with the package's own libraries, which have native parts. */
export function makeImage(folder: string): void {
  const program = `import sharp from 'sharp';
    await import('libheif-js/wasm-bundle.js');
    const create = { width: 8, height: 8, channels: 3, background: 'red' };
    for (const format of ['webp', 'avif']) await sharp({ create }).toFormat(format).toBuffer();`;
  execFileSync(join(folder, 'bin/node'), ['--input-type=module', '--eval', program], { cwd: folder });
}

/** Makes a backup of the running shop, and tries commands with nothing to do. */
async function runCommands(packaged: Packaged, backup: string): Promise<void> {
  expectCode(1, 'admin', await packaged.run(['admin', 'grant', 'nobody@shop.example']));
  expectCode(2, 'verify-certificate', await packaged.run(['verify-certificate']));
  expectCode(0, 'backup', await packaged.run(['backup', backup]));
}

/**
 * Starts an unpacked package on a free port, visits it and stops it.
 * @param settings see {@link liveSettings}
 * @param whileOpen what to do before it is stopped
 * @throws Error with the output of the command that failed
 */
export async function exercisePackage(
  folder: string,
  home: string,
  settings: Record<string, string>,
  whileOpen: (packaged: Packaged) => Promise<void>,
): Promise<Packaged> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const ownPort = { PORT: String(port), PUBLIC_ORIGIN: origin };
  const packaged = await openPackage(folder, home, { ...settings, ...ownPort });
  const server = packaged.spawn(['start']);
  try {
    const ready = packaged.spawn(['ready', '--timeout', '120']);
    const isOpen = await Promise.race([ready.ended.then(() => true), server.ended.then(() => false)]);
    if (isOpen) expectCode(0, 'ready', await ready.ended);
    else {
      ready.stop();
      expectCode(0, 'start', await server.ended);
    }
    await visit(origin);
    await whileOpen(packaged);
  } finally {
    server.stop();
    await server.ended;
  }
  expectCode(0, 'start', await server.ended);
  return packaged;
}

/** Unpacks a package into an empty folder and exercises it with a PostgreSQL of its own. */
export async function tryPackage(
  archive: string,
  name: string,
  print: (line: string) => void,
): Promise<void> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'coomercio-package-')));
  const postgres = await startEmbeddedPostgres({ folder: join(home, 'postgres'), log: print });
  try {
    execFileSync('tar', ['-xzf', archive, '-C', home]);
    const folder = join(home, name);
    makeImage(folder);
    print('Its image libraries work.');
    const backup = join(home, 'shop.tar');
    const settings = liveSettings(postgres.connectionString, join(home, 'data'));
    const migrating = await openPackage(folder, join(home, 'migrating'), settings);
    expectCode(0, 'migrate', await migrating.run(['migrate']));
    print('It migrated an empty database.');
    // With several processes, each is started by the first one and not by the package's entry.
    const more = { MIGRATE: '0', PROCESSES: '2' };
    const packaged = await exercisePackage(folder, home, { ...settings, ...more }, (open) =>
      runCommands(open, backup),
    );
    print('The shop started, served a page, ran commands, made a backup, and stopped with SIGTERM.');
    expectCode(0, 'restore', await packaged.run(['restore', backup, '--replace']));
    print('It restored the backup.');
  } finally {
    await postgres.stop();
    await rm(home, { recursive: true, force: true });
  }
}
