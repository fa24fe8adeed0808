import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { layOut } from '#tests/harness/operations/package.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { findProgram } from '#tests/harness/platform/programs.ts';
import { describePackage } from '../../scripts/package-contents.ts';

// deploy/Containerfile on a base that has the libraries which Node needs, and nothing else: no shell, no list of users.

const execute = promisify(execFile);

const podman = findProgram('podman');
const runtime = findProgram('runc');
const isRoot = process.getuid?.() === 0;
if (podman === null) console.warn('podman is not installed: the Containerfile is not tried.');
else if (!isRoot) console.warn('The Containerfile is tried by root only.');

const BASE = 'localhost/coomercio-base';
const IMAGE = 'localhost/coomercio';

describe.skipIf(podman === null || !isRoot)('the container', () => {
  let folder: string;
  let database: TestDatabase;

  /** Runs podman with a storage of its own, in folders: machines for tests often lack overlay file systems. */
  async function run(...args: string[]): Promise<string> {
    const storage = [
      '--root',
      join(folder, 'storage'),
      '--runroot',
      join(folder, 'run'),
      '--storage-driver',
      'vfs',
    ];
    const options = [...storage, ...(runtime === null ? [] : ['--runtime', runtime])];
    const { stdout, stderr } = await execute(podman ?? '', [...options, ...args], { timeout: 170_000 });
    return (args[0] === 'logs' ? stdout + stderr : stdout).trim();
  }

  const confined = [
    ...[
      '--network=host',
      '--read-only',
      '--cap-drop=all',
      '--security-opt=no-new-privileges',
      '--no-healthcheck',
    ],
    // Within the limits of a machine that may not raise its own.
    ...['--ulimit=nofile=4096:4096', '--ulimit=nproc=1000:1000'],
  ];

  async function buildBase(): Promise<void> {
    const base = join(folder, 'base');
    const node = await realpath(process.execPath);
    const { stdout } = await execute('ldd', [node]);
    // libresolv is needed by the image library.
    const libraries = [...stdout.matchAll(/(\/\S+\.so\S*)/g)].map(([, path = '']) => path);
    const folders = new Set(libraries.map((path) => dirname(path)));
    for (const path of [...libraries, join(dirname(libraries[0] ?? ''), 'libresolv.so.2')]) {
      await mkdir(join(base, dirname(path)), { recursive: true });
      await copyFile(path, join(base, path));
    }
    const copies = [...new Set([...folders].map((path) => path.split('/')[1] ?? ''))];
    const lines = ['FROM scratch', ...copies.map((name) => `COPY ${name} /${name}`)];
    await writeFile(join(base, 'Containerfile'), `${lines.join('\n')}\n`);
    await run('build', '--isolation', 'chroot', '--format', 'docker', '-t', BASE, base);
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coomercio-container-'));
    database = await createTestDatabase({ template: 'template0' });
    await buildBase();
    const context = join(folder, 'package');
    await layOut(describePackage().files, context);
    const file = ['-f', join(context, 'deploy/Containerfile'), '--build-arg', `BASE=${BASE}`];
    await run('build', '--isolation', 'chroot', '--format', 'docker', ...file, '-t', IMAGE, context);
  });
  afterAll(async () => {
    await run('rm', '--all', '--force');
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  test('runs as a user without rights, on a root file system that cannot be written', async () => {
    const program = `
      const { readdirSync, writeFileSync } = require('node:fs');
      const attempt = (act) => { try { return act(); } catch (error) { return error.code; } };
      const write = (path) => attempt(() => writeFileSync(path, '') ?? 'written');
      const create = { width: 8, height: 8, channels: 3, background: 'red' };
      require('sharp')({ create }).avif().toBuffer().then((image) => console.log(JSON.stringify({
        user: process.getuid(),
        programs: attempt(() => readdirSync('/bin')),
        root: write('/opt/coomercio/x'),
        data: write('/var/lib/coomercio/x'),
        temporary: write('/tmp/x'),
        image: image.length > 0,
      })));`;
    const output = await run(
      'run',
      '--rm',
      ...confined,
      '--entrypoint',
      '/opt/coomercio/bin/node',
      IMAGE,
      '-e',
      program,
    );
    expect(JSON.parse(output)).toEqual({
      user: 65532,
      programs: 'ENOENT',
      root: 'EROFS',
      data: 'written',
      temporary: 'written',
      image: true,
    });
  });

  test('starts, becomes healthy, serves pages, and stops within its time', async () => {
    const port = await freePorts(1);
    // The container does not see the folder of PostgreSQL's Unix socket.
    const databaseUrl = new URL(database.url);
    databaseUrl.searchParams.delete('host');
    const settings = {
      PORT: port,
      PUBLIC_ORIGIN: `http://127.0.0.1:${port}`,
      HOST: '127.0.0.1',
      DRAIN_SECONDS: 0,
      DATABASE_URL: databaseUrl.href,
      SMTP_URL: 'smtp://127.0.0.1:1',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_API_URL: 'http://127.0.0.1:1',
    };
    const environment = Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`);
    await run('run', '--detach', '--name', 'shop', ...confined, ...environment, IMAGE);
    // The command of its health check, which systemd runs on a whole machine.
    await run('exec', 'shop', 'bin/node', 'bin/coomercio.js', 'ready', '--timeout', '60').catch(
      async (error: unknown) => {
        // What a program prints goes to both.
        const state = await run('inspect', '--format', '{{json .State}}', 'shop');
        throw new Error(`${await run('logs', 'shop')}\n${state}`, { cause: error });
      },
    );
    const page = await fetch(`http://127.0.0.1:${port}/`);
    expect([page.status, (await page.text()).includes('</html>')]).toEqual([200, true]);
    await run('stop', '--time', '15', 'shop');
    expect(await run('inspect', '--format', '{{.State.ExitCode}}', 'shop')).toBe('0');
  });
});
