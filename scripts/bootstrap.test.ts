import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const platformNode = `node-${process.platform}-${process.arch}`;

let project: string;
let children: ChildProcess[];

/** A temporary project in a path with spaces, whose server prints the signals that it receives. */
beforeEach(async () => {
  children = [];
  project = join(await realpath(await mkdtemp(join(tmpdir(), 'coomercio bootstrap-'))), 'the shop');
  await cp(join(root, 'scripts'), join(project, 'scripts'), { recursive: true });
  await mkdir(join(project, 'node_modules'));
  await symlink(join(root, 'node_modules', platformNode), join(project, 'node_modules', platformNode));
  await mkdir(join(project, 'server'));
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'shop', type: 'module' }));
  await writePackages({ '': { name: 'shop' } }, {});
  await writeFile(
    join(project, 'server/main.ts'),
    `process.on('SIGTERM', () => {
      process.stdout.write('SIGTERM ');
      setTimeout(() => process.exit(0), 200);
    });
    setInterval((): void => {}, 60_000);
    process.stdout.write('pid=' + process.pid + ' ' + process.version + ' ' + process.argv.slice(2) + '\\n');`,
  );
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(join(project, '..'), { recursive: true, force: true });
});

async function writePackages(named: object, installed: object): Promise<void> {
  const lock = (packages: object) => JSON.stringify({ name: 'shop', lockfileVersion: 3, packages });
  await writeFile(join(project, 'package-lock.json'), lock(named));
  await writeFile(join(project, 'node_modules/.package-lock.json'), lock(installed));
}

function bootstrap(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(project, 'scripts/bootstrap.js'), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  const waiting: { text: string; resolve: () => void }[] = [];
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
    for (const { text, resolve } of waiting) if (output.includes(text)) resolve();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return {
    child,
    ended: once(child, 'close').then(([code]) => code),
    output: () => output,
    prints: (text: string) =>
      new Promise<void>((resolve) => (output.includes(text) ? resolve() : waiting.push({ text, resolve }))),
  };
}

const lockFile = () =>
  join(tmpdir(), `coomercio-${createHash('sha256').update(project).digest('hex').slice(0, 16)}.lock`);

test('runs the server on the Node of the lock file with the arguments', async () => {
  const { child, prints, output, ended } = bootstrap(['dev', '--flag']);
  await prints('pid=');
  expect(output()).toContain('v24.');
  expect(output()).toContain('--dev,--flag');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

/** Makes a bootstrap believe that it runs on another system. */
const on = (platform: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,Object.defineProperty(process,'platform',{value:'${platform}'})`,
});

test('refuses systems other than Linux and macOS with one sentence, before installing anything', async () => {
  await writePackages({ '': { name: 'shop' }, 'node_modules/zod': { version: '4.0.0' } }, {});
  const { ended, output } = bootstrap(['dev'], on('win32'));
  expect(await ended).toBe(1);
  expect(output()).toMatch(/^Coomercio runs on Linux \(x64 or arm64\), this is win32 on .*\.\n$/);
});

test('starts on macOS with the Node that is there, and ignores the lock of an ended process', async () => {
  // Stands in for the ps of macOS, which this machine may lack. It knows no process but its caller.
  await writeFile(
    join(project, 'ps'),
    `#!/bin/sh\ntest "$4" = "$PPID" && echo 'Mon Nov 23 10:00:00 2026'\nexit 0\n`,
    { mode: 0o755 },
  );
  await writeFile(lockFile(), `${process.pid} Mon-Nov-23-09:00:00-2026`);
  const path = `${project}:${process.env.PATH}`;
  const { child, prints, output, ended } = bootstrap(['dev'], { ...on('darwin'), PATH: path });
  await prints('pid=');
  expect(output()).toContain(process.version);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('forwards a repeated signal once and ends with the exit code of the server', async () => {
  const { child, prints, output, ended } = bootstrap(['dev']);
  await prints('pid=');
  child.kill('SIGTERM');
  await prints('SIGTERM');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(output().match(/SIGTERM/g)).toHaveLength(1);

  await writeFile(join(project, 'server/main.ts'), 'process.exit(3);');
  expect(await bootstrap(['dev']).ended).toBe(3);
});

test('ends the server with SIGTERM if the bootstrap is killed with SIGKILL', async () => {
  const { child, prints, output, ended } = bootstrap(['dev']);
  await prints('pid=');
  child.kill('SIGKILL');
  // The pipes close when the server, which shares them, has ended.
  await ended;
  expect(output()).toContain('SIGTERM');
});

test('waits while another process holds the setup lock, and ignores the lock of an ended process', async () => {
  const stat = await readFile(`/proc/${process.pid}/stat`, 'utf8');
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  await writeFile(lockFile(), `${process.pid} ${started}`);
  const second = bootstrap(['dev']);
  await second.prints('Another process is preparing this folder');
  expect(second.output()).not.toContain('pid=');
  await writeFile(lockFile(), `${process.pid} 1`);
  await second.prints('pid=');
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);
});

test('explains a failed installation in one sentence and starts nothing', async () => {
  const unreachable = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' };
  await writePackages(
    { '': { name: 'shop', dependencies: { zod: '4.0.0' } }, 'node_modules/zod': { version: '4.0.0' } },
    {},
  );
  await writeFile(
    join(project, 'package.json'),
    JSON.stringify({ name: 'shop', dependencies: { zod: '4.0.0' } }),
  );
  const { ended, output } = bootstrap(['dev'], { ...unreachable, npm_config_cache: join(project, 'cache') });
  expect(await ended).toBe(1);
  expect(output()).toMatch(/^Installing failed: the package registry could not be reached.*\.$/m);
  expect(output()).not.toContain('pid=');
});

test('does not install again after npm ci, which leaves out optional packages for other machines', async () => {
  const zod = { 'node_modules/zod': { version: '4.0.0' } };
  const foreign = { 'node_modules/other': { version: '1.0.0', optional: true, os: ['win32'], cpu: ['x64'] } };
  await writePackages({ '': { name: 'shop' }, ...zod, ...foreign }, zod);
  const { child, prints, output, ended } = bootstrap(['dev']);
  await prints('pid=');
  expect(output()).not.toContain('Installing');
  child.kill('SIGTERM');
  await ended;
});

test('installs if the link to a workspace is missing, although a link has no version', async () => {
  const link = { 'node_modules/@shop/part': { resolved: 'packages/part', link: true } };
  const part = { 'packages/part': { name: '@shop/part', version: '0.1.0' } };
  await writePackages({ '': { name: 'shop' }, ...link, ...part }, part);
  const { child, prints, output, ended } = bootstrap(['dev']);
  await prints('Installing what package-lock.json names');
  child.kill('SIGTERM');
  await ended;
  expect(output()).not.toContain('pid=');
});

test('adds optional packages that the registry lacks to the lock file, each for its own system', async () => {
  const optionalDependencies = {
    '@tool/cli-win32-arm64': '2.0.0',
    '@tool/cli-linux-x64-musl': '2.0.0',
    fsevents: '1.0.0',
  };
  const named = { '': { name: 'shop' }, 'node_modules/tool': { version: '2.0.0', optionalDependencies } };
  await writePackages({ ...named, 'node_modules/fsevents': { version: '1.0.0', os: ['darwin'] } }, {});
  const mend = spawn(process.execPath, [join(project, 'scripts/mend-lockfile.js')], { stdio: 'ignore' });
  expect(await once(mend, 'exit')).toEqual([0, null]);
  const { packages } = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'));
  expect(Object.keys(packages)).toHaveLength(5);
  expect(packages['node_modules/@tool/cli-win32-arm64']).toEqual({
    version: '2.0.0',
    optional: true,
    os: ['win32'],
    cpu: ['arm64'],
  });
  expect(packages['node_modules/@tool/cli-linux-x64-musl']).toMatchObject({ os: ['linux'], libc: ['musl'] });
});
