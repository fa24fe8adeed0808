import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What a step of `npm test` found. */
export interface Result {
  passed: number;
  failed: number;
  skipped?: number;
  /** Printed when something failed. */
  report?: string;
  /** Whether `passed` and `failed` are tests that a runner executed, rather than one check. */
  ranTests?: boolean;
}

/** The folder of package.json. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** The program of an installed package. */
export const installed = (path: string) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));

const running = new Set<ChildProcess>();
let signalled = false;

/** Whether Ctrl-C or a request to end came in. */
export const interrupted = () => signalled;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    signalled = true;
    // Playwright ends its web server on SIGINT only.
    for (const child of running) child.kill('SIGINT');
  });
}

/**
 * Runs a program to its end, for eight minutes at most; resolves to its exit code (`null` when it was ended) and,
 * when `quiet`, to what it printed.
 */
export function run(
  program: string,
  args: string[],
  options: { quiet: boolean; env?: NodeJS.ProcessEnv },
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...options.env },
      stdio: options.quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      timeout: 480_000,
      killSignal: 'SIGINT',
    });
    running.add(child);
    let output = '';
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('error', reject);
    child.once('close', (code) => {
      running.delete(child);
      resolve({ code, output });
    });
  });
}
