import { type ChildProcess, spawn } from 'node:child_process';
import { root } from './paths.ts';

/** What a step of `npm test` found. */
export interface Result {
  passed: number;
  /** With the tests that were planned and did not run. */
  failed: number;
  skipped?: number;
  /** How many of the failed were planned and did not run to their end. */
  notRun?: number;
  /** How many tests a runner executed; left out where the step is one check. */
  executed?: number;
  /** Printed when something failed. */
  report?: string;
}

/** Milliseconds that a program has to end by itself once it was asked to. */
const GRACE = 30_000;

const running = new Set<ChildProcess>();
let signalled = false;

/** Whether Ctrl-C or a request to end came in. */
export const interrupted = () => signalled;

/** Passes a request to end this process on to the programs that run. */
export function forwardSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      signalled = true;
      // Playwright ends its web server on SIGINT only.
      for (const child of running) child.kill('SIGINT');
    });
  }
}

interface RunOptions {
  quiet: boolean;
  env?: NodeJS.ProcessEnv;
  /** Ends the program, with everything it has started where it does not end by itself. */
  signal?: AbortSignal;
}

/**
 * Runs a program to its end, however long it takes. Resolves to its exit code (`null` when a signal ended it) and,
 * when `quiet`, to what it printed.
 */
export function run(
  program: string,
  args: string[],
  { quiet, env, signal }: RunOptions,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      // In a process group of its own, so that what it leaves behind can be ended too.
      detached: true,
    });
    running.add(child);
    let output = '';
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    let force: NodeJS.Timeout | undefined;
    const end = () => {
      child.kill('SIGINT');
      force = setTimeout(() => killGroup(child), GRACE);
    };
    signal?.addEventListener('abort', end, { once: true });
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(force);
      signal?.removeEventListener('abort', end);
      // A worker in an endless loop does not notice that its runner is gone.
      if (signal?.aborted) killGroup(child);
      running.delete(child);
      resolve({ code, output });
    });
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // All of it has ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
