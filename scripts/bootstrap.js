// Plain JavaScript without dependencies: this runs on whatever Node ≥ 18 the machine has, before anything is
// installed. It installs and builds what is missing, then runs the target on the Node 24 of the lock file.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPages, demandLinux, install, nodeProgram, setUpAlone } from './prepare.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The shop in little memory: its requests leave little behind, so the young generation need not grow to a hundred
 * megabytes, nor the old one to several times of what is alive, as they would on a machine with much of it; and the
 * C library must neither keep a heap for each thread nor, in bytes, raise by itself the size from which it gives
 * memory back: the compressors' large pieces would hold the small ones apart for ever.
 */
const thrift = {
  options: ['--max-semi-space-size=8', '--max-old-space-size=1024'],
  environment: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' },
};

/** What each npm script runs, and whether it needs the built pages. */
const targets = {
  start: { ...thrift, program: ['server/main.ts'], pages: true },
  dev: { program: ['server/main.ts', '--dev'], pages: false },
  admin: { program: ['server/admin.ts'], pages: false },
  backup: { program: ['server/backup/main.ts', 'backup'], pages: false },
  restore: { program: ['server/backup/main.ts', 'restore'], pages: false },
  bench: { program: ['bench/main.ts'], pages: true },
  torture: { program: ['tests/torture/main.ts'], pages: true },
  screenshots: { program: ['tests/screenshots/main.ts'], pages: true },
  test: { program: ['scripts/test.ts'], pages: false },
  check: { program: ['scripts/test.ts', '--checks'], pages: false },
  build: { program: undefined, pages: true },
};

/** Runs a TypeScript program of ours to its end; resolves to its exit code. */
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
        // What was compiled at one start is read at the next: it takes less time, and the part of Node that makes
        // JavaScript of TypeScript, 20 MB of memory, is not even loaded.
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
        ...environment,
        ...process.env,
        PATH: [dirname(node), process.env.PATH].join(delimiter),
      },
      // The pipe tells the program when this process is gone, also when it was killed outright.
      stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
      // In a group of its own: Ctrl-C reaches it once, through here, instead of from the terminal and npm as well.
      detached: true,
    },
  );
  let lastForwarded = 0;
  const forward = (signal) => {
    // npm passes on the Ctrl-C that the terminal has sent here already; a second one from a person comes later.
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
    demandLinux();
    await setUpAlone(root, async () => {
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
