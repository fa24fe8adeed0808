// Part of the bootstrap: plain JavaScript that any Node ≥ 18 runs.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const stampOfInstall = 'node_modules/.coomercio-stamp';
const stampOfPages = 'build/.coomercio-stamp';
const inputsOfPages = ['web', 'contract', 'package-lock.json', 'vite.config.ts', 'react-router.config.ts'];

const say = (line) => process.stdout.write(`${line}\n`);

/**
 * What runs PostgreSQL, and tells one process from another by `/proc`, is there on Linux alone.
 *
 * @throws {Error} with one sentence anywhere else
 */
export function demandLinux() {
  if (process.platform === 'linux') return;
  throw new Error(
    `Coomercio runs on Linux (x64 or arm64), this is ${process.platform} on ${process.arch}: take a Linux machine, a container or WSL.`,
  );
}

/**
 * The Node that the lock file names, or this one where it is new enough to run TypeScript as it stands.
 *
 * @param {string} root
 */
export function nodeProgram(root) {
  const pinned = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new Error(
    `Coomercio brings its own Node for Linux on x64 and arm64; here (${process.platform} ${process.arch}) it needs Node 24, this is ${process.version}.`,
  );
}

/**
 * Installs what the lock file names, unless that has been done.
 *
 * @param {string} root
 * @throws {Error} with one sentence that says what failed
 */
export async function install(root) {
  const stamp = hashOf(root, ['package-lock.json'], `${process.platform}-${process.arch}`);
  if (readStamp(root, stampOfInstall) === stamp) return;
  if (isInstalled(root)) {
    writeFileSync(join(root, stampOfInstall), stamp);
    return;
  }
  say('Installing what package-lock.json names (once; up to half a minute when npm has it in its cache) …');
  const started = Date.now();
  const still = setInterval(() => say(`… still installing, ${seconds(started)}`), 15_000);
  const [program, first] = npmCommand();
  const ended = await run(
    program,
    // Development packages build the pages, whatever NODE_ENV or the user's npm settings leave out.
    [
      ...first,
      'ci',
      '--include=dev',
      '--include=optional',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ],
    root,
    process.env,
  ).finally(() => clearInterval(still));
  if (ended.code !== 0) throw new Error(installProblem(ended.output));
  writeFileSync(join(root, stampOfInstall), stamp);
  say(`Installed in ${seconds(started)}.`);
}

/**
 * Builds the pages for production, unless nothing that goes into them has changed.
 *
 * @param {string} root
 * @throws {Error} with what the build said
 */
export async function buildPages(root) {
  const stamp = hashOf(root, inputsOfPages, '');
  if (readStamp(root, stampOfPages) === stamp) return;
  const started = Date.now();
  const node = nodeProgram(root);
  const ended = await run(node, [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'], root, {
    ...process.env,
    NODE_ENV: 'production',
    PATH: [dirname(node), process.env.PATH].join(delimiter),
  });
  if (ended.code !== 0) throw new Error(`${ended.output.trim()}\nThe pages could not be built.`);
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(join(root, stampOfPages), stamp);
  say(`Built the pages in ${seconds(started)}.`);
}

/**
 * Runs `action` while no other process prepares the same folder.
 *
 * @param {string} root
 * @param {() => Promise<void>} action
 */
export async function setUpAlone(root, action) {
  const lock = join(
    tmpdir(),
    `coomercio-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.lock`,
  );
  const own = `${process.pid} ${startTime(process.pid)}`;
  let told = false;
  while (!take(lock, own)) {
    if (!told) say('Another process is preparing this folder: waiting for it.');
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    await action();
  } finally {
    process.off('exit', release);
    release();
  }
}

function take(lock, own) {
  try {
    writeFileSync(lock, own, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const holder = readIfPresent(lock);
  if (holder === undefined) return false;
  const [pid, started] = holder.split(' ');
  // Empty: its maker is between creating and writing.
  if (holder === '' || startTime(Number(pid)) === started) return false;
  // The holder died. Moving the lock aside decides between two that noticed; whoever moved a fresh one puts it back.
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    if (readFileSync(aside, 'utf8') !== holder) linkSync(aside, lock);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
  rmSync(aside, { force: true });
  return false;
}

/** Tells a process from a later one that was given the same id; empty when it does not run. */
function startTime(pid) {
  const stat = readIfPresent(`/proc/${pid}/stat`) ?? '';
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Runs a program quietly; ending this process early ends it too. */
function run(program, args, cwd, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
      const handler = () => {
        child.kill(signal);
        process.exit(signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 129);
      };
      process.once(signal, handler);
      return () => process.off(signal, handler);
    });
    let output = '';
    const hear = (chunk) => {
      output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    child.once('error', (error) => reject(new Error(`${program} could not be started: ${error.message}.`)));
    child.once('close', (code) => {
      for (const remove of handlers) remove();
      resolve({ code, output });
    });
  });
}

/** Whether somebody has run `npm ci` or `npm install` already: every package there, in the lock file's version. */
function isInstalled(root) {
  const text = readIfPresent(join(root, 'node_modules/.package-lock.json'));
  if (text === undefined) return false;
  const present = JSON.parse(text).packages;
  const named = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(named).every(([path, { version, optional, os, cpu, libc }]) => {
    if (path === '' || (path in present && present[path].version === version)) return true;
    if (path in present || optional !== true) return false;
    // What is optional and absent is missed only when it was made for a machine like this one.
    return !(
      [os].flat().includes(process.platform) &&
      [cpu ?? process.arch].flat().includes(process.arch) &&
      !libc?.includes('musl')
    );
  });
}

function npmCommand() {
  const path = process.env.npm_execpath;
  return path?.endsWith('npm-cli.js') && existsSync(path) ? [process.execPath, [path]] : ['npm', []];
}

/** One sentence about what stopped npm, after its own words. */
function installProblem(output) {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('at '));
  const code =
    /^(?:code|errno) (E[A-Z0-9]+)$/.exec(lines.find((line) => /^code /.test(line)) ?? '')?.[1] ?? '';
  const reasons = [
    [
      /^(ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET|ENOTCACHED)/,
      'the package registry could not be reached; connect this machine to it and start again',
    ],
    [/^(EACCES|EPERM|EROFS)/, 'this folder may not be written to by the user who starts'],
    [/^ENOSPC/, 'the disk is full'],
    [/^EUSAGE/, 'package.json and package-lock.json do not agree; run npm install and npm run lockfile'],
    [/^(E40[0-9]|ETARGET)/, 'the package registry does not give out a package that package-lock.json names'],
    [/^EINTEGRITY/, 'a package is not the one that package-lock.json names'],
  ];
  const reason = reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'npm ci stopped';
  return [...lines.slice(0, 12), `Installing failed: ${reason}${code ? ` (${code})` : ''}.`].join('\n');
}

function hashOf(root, paths, salt) {
  const hash = createHash('sha256').update(salt);
  for (const path of paths.flatMap((each) => filesBelow(root, each))) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

function filesBelow(root, path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  try {
    return readdirSync(full)
      .sort()
      .flatMap((name) => filesBelow(root, join(path, name)));
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    throw error;
  }
}

const readStamp = (root, path) => readIfPresent(join(root, path));

function readIfPresent(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
    throw error;
  }
}

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;
