import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { modeOf } from '../../../scripts/package-archive.ts';
import type { PackageFile } from '../../../scripts/package-contents.ts';
import { root } from '../../../scripts/paths.ts';

/** How many files are copied at the same time. */
const CONCURRENT_COPIES = 32;

/** Copies the contents of the package to an empty folder, as unpacking it does. */
export async function layOut(files: readonly PackageFile[], folder: string): Promise<void> {
  const folders = new Set(files.map(({ path }) => dirname(join(folder, path))));
  for (const each of folders) await mkdir(each, { recursive: true });
  const copy = async (file: PackageFile) => {
    const path = join(folder, file.path);
    if ('text' in file.content) await writeFile(path, file.content.text);
    else await copyFile(join(root, file.content.from), path);
    await chmod(path, modeOf(file));
  };
  const remaining = files.values();
  const copyRemaining = async () => {
    for (const file of remaining) await copy(file);
  };
  await Promise.all(Array.from({ length: CONCURRENT_COPIES }, copyRemaining));
}

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

/**
 * Migrates an empty database with an unpacked package, starts it on a free port, visits it, makes a backup, stops it and restores
 * the backup.
 * @param settings see {@link liveSettings}
 * @throws Error with the output of the command that failed
 */
export async function exercisePackage(
  folder: string,
  home: string,
  settings: Record<string, string>,
): Promise<void> {
  const port = await freePorts(1);
  const origin = `http://127.0.0.1:${port}`;
  const packaged = await openPackage(folder, home, {
    ...settings,
    PORT: String(port),
    PUBLIC_ORIGIN: origin,
    MIGRATE: '0',
    // Each is started by the first one, and not by the package's entry.
    PROCESSES: '2',
  });
  const backup = join(home, 'shop.tar');
  expectCode(0, 'migrate', await packaged.run(['migrate']));
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
    expectCode(1, 'admin', await packaged.run(['admin', 'grant', 'nobody@shop.example']));
    expectCode(2, 'verify-certificate', await packaged.run(['verify-certificate']));
    expectCode(0, 'backup', await packaged.run(['backup', backup]));
  } finally {
    server.stop();
    await server.ended;
  }
  expectCode(0, 'start', await server.ended);
  expectCode(0, 'restore', await packaged.run(['restore', backup, '--replace']));
}
