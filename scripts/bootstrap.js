// Runs an npm script: installs packages and builds the pages if necessary, then runs the script's program on the Node 24
// of the lock file. Plain JavaScript without dependencies, because it runs before anything is installed, on Node 18 and
// later.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeProgram, requireSupportedSystem } from './platform.js';
import { buildPages, install } from './setup.js';
import { withSetupLock } from './setup-lock.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Settings that keep the server's memory small.
 * - `--max-semi-space-size=8` (MB): V8's default takes 100 MB more (decision 52).
 * - `--max-old-space-size=1024` (MB): the default grows with the machine's memory.
 * - `MALLOC_ARENA_MAX`: glibc has two arenas instead of several per processor.
 * - `MALLOC_MMAP_THRESHOLD_`, `MALLOC_TRIM_THRESHOLD_` (bytes): fixed, because glibc's dynamic thresholds grow with the
 *   compressors' buffers and then keep freed memory.
 */
const smallMemory = {
  options: ['--max-semi-space-size=8', '--max-old-space-size=1024'],
  environment: {
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
  },
};

/** The program of each npm script, and whether it needs the built pages. */
const targets = {
  start: { ...smallMemory, program: ['server/main.ts'], pages: true },
  dev: { program: ['server/main.ts', '--dev'], pages: false },
  admin: { program: ['server/operations/commands/admin.ts'], pages: false },
  migrate: { program: ['server/operations/commands/admin.ts', 'migrate'], pages: false },
  'verify-certificate': { program: ['server/certification/certificates/verify-command.ts'], pages: false },
  backup: { program: ['server/operations/commands/admin.ts', 'backup'], pages: false },
  restore: { program: ['server/operations/commands/admin.ts', 'restore'], pages: false },
  bench: { program: ['bench/main.ts'], pages: true },
  scale: { program: ['tests/torture/cluster/main.ts'], pages: true },
  torture: { program: ['tests/torture/main.ts'], pages: true },
  mutate: { program: ['tests/mutation/main.ts'], pages: false },
  screenshots: { program: ['tests/screenshots/main.ts'], pages: true },
  tables: { program: ['scripts/write-table-types.ts'], pages: false },
  'stripe:contract': {
    program: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'packages/card-sandbox/contract/vitest.config.ts',
    ],
    pages: false,
  },
  'inspect:vm': { program: ['tests/inspect-vm/main.ts'], pages: false },
  test: { program: ['scripts/test.ts'], pages: false },
  'test:all': { program: ['scripts/test.ts', '--all'], pages: false },
  check: { program: ['scripts/test.ts', '--checks'], pages: false },
  package: { program: ['scripts/package.ts'], pages: true },
  'deploy:try': {
    program: ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/deploy/vitest.config.ts'],
    pages: true,
  },
  build: { program: undefined, pages: true },
};

/** Runs a TypeScript program of this project to its end. @returns its exit code */
function runToEnd({ options = [], environment = {}, program }, args) {
  const node = nodeProgram(root);
  const child = spawn(
    node,
    [
      ...options,
      '--import',
      new URL('./end-with-parent.js', import.meta.url).href,
      join(root, program[0]),
      ...program.slice(1),
      ...args,
    ],
    {
      cwd: root,
      env: {
        // With compiled code in the cache, a start is faster and Node does not load its TypeScript stripper (20 MB).
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
        ...environment,
        ...process.env,
        PATH: [dirname(node), process.env.PATH].join(delimiter),
      },
      // The pipe closes when this process ends, even after SIGKILL: see end-with-parent.js.
      stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
      // A process group of its own: Ctrl-C reaches it once, forwarded from here, and not from the terminal and npm too.
      detached: true,
    },
  );
  let lastForwarded = 0;
  const forward = (signal) => {
    // npm repeats the Ctrl-C that the terminal has sent. A user's second Ctrl-C comes later than one second.
    if (Date.now() - lastForwarded < 1000) return;
    lastForwarded = Date.now();
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);

  const npm = process.env.npm_lifecycle_event === undefined ? undefined : process.ppid;
  const watch = setInterval(() => {
    if (npm !== undefined && process.ppid !== npm) forward('SIGTERM');
  }, 1000);

  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`${node} could not be started: ${error.message}.`);
      resolve(1);
    });
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  }).finally(() => clearInterval(watch));
}

async function main() {
  const [name = '', ...args] = process.argv.slice(2);
  const target = targets[name];
  if (target === undefined) {
    console.error(`Say one of: ${Object.keys(targets).join(', ')}.`);
    return 2;
  }
  try {
    requireSupportedSystem();
    await withSetupLock(root, async () => {
      await install(root);
      if (target.pages) await buildPages(root);
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
  return target.program ? runToEnd(target, args) : 0;
}

process.exit(await main());
