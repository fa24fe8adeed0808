// Part of the bootstrap: plain JavaScript that Node 18 and later run.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { nodeProgram } from './platform.js';
import { hashOf, print, readIfPresent, runQuietly, secondsSince } from './setup-files.js';

const installStamp = 'node_modules/.coomercio-stamp';

/**
 * Installs the packages of the lock file, unless they are installed.
 *
 * @param {string} root
 * @throws {Error} with npm's output and one sentence that says what failed
 */
export async function install(root) {
  const stamp = hashOf(root, ['package-lock.json'], `${process.platform}-${process.arch}`);
  if (readIfPresent(join(root, installStamp)) === stamp) return;
  if (isInstalled(root)) {
    writeFileSync(join(root, installStamp), stamp);
    return;
  }
  print('Installing what package-lock.json names (once; up to half a minute when npm has it in its cache) …');
  const started = Date.now();
  const notices = setInterval(() => print(`… still installing, ${secondsSince(started)}`), 15_000);
  const [program, first] = npmCommand();
  const ended = await runQuietly(
    program,
    [
      ...first,
      'ci',
      // Development packages build the pages, so NODE_ENV and the user's npm settings must not leave them out.
      '--include=dev',
      '--include=optional',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ],
    root,
    process.env,
  ).finally(() => clearInterval(notices));
  if (ended.code !== 0) throw new Error(installProblem(ended.output));
  writeFileSync(join(root, installStamp), stamp);
  print(`Installed in ${secondsSince(started)}.`);
}

/** Whether each package of the lock file is installed in its version, for example by the user's own `npm ci`. */
function isInstalled(root) {
  const text = readIfPresent(join(root, 'node_modules/.package-lock.json'));
  if (text === undefined) return false;
  const installed = JSON.parse(text).packages;
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(locked).every(([path, { version, optional, os, cpu, libc }]) => {
    // The link to a workspace has no version.
    if (path === '' || (path in installed && installed[path].version === version)) return true;
    if (path in installed || optional !== true) return false;
    // npm leaves out optional packages for other machines.
    return !(
      [os].flat().includes(process.platform) &&
      [cpu ?? process.arch].flat().includes(process.arch) &&
      !libc?.includes('musl')
    );
  });
}

/** The running npm if this process is an npm script, otherwise the npm on the PATH. */
function npmCommand() {
  const path = process.env.npm_execpath;
  return path?.endsWith('npm-cli.js') && existsSync(path) ? [process.execPath, [path]] : ['npm', []];
}

/** npm's own messages, followed by one sentence that explains the error code. */
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

const buildStamp = 'build/.coomercio-stamp';
/** The files and folders on which the built pages depend. */
const buildInputs = ['web', 'contract', 'package-lock.json', 'vite.config.ts', 'react-router.config.ts'];

/**
 * Builds the pages for production, unless their inputs are unchanged since the last build.
 *
 * @param {string} root
 * @throws {Error} with the output of the build
 */
export async function buildPages(root) {
  const stamp = hashOf(root, buildInputs, '');
  if (readIfPresent(join(root, buildStamp)) === stamp) return;
  const started = Date.now();
  const node = nodeProgram(root);
  const ended = await runQuietly(
    node,
    [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'],
    root,
    {
      ...process.env,
      NODE_ENV: 'production',
      PATH: [dirname(node), process.env.PATH].join(delimiter),
    },
  );
  if (ended.code !== 0) throw new Error(`${ended.output.trim()}\nThe pages could not be built.`);
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(join(root, buildStamp), stamp);
  print(`Built the pages in ${secondsSince(started)}.`);
}
