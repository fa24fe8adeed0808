import { type ChildProcess, spawn } from 'node:child_process';
import { root } from './paths.ts';

/** Milliseconds between the request to end a program and the kill of its process group. */
const GRACE_PERIOD = 30_000;

const children = new Set<ChildProcess>();
let interrupted = false;

/** Whether this process has received a signal to end. */
export const wasInterrupted = () => interrupted;

/** Forwards signals to end this process to all running programs. */
export function forwardSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      interrupted = true;
      // Playwright ends its web server on SIGINT only.
      for (const child of children) child.kill('SIGINT');
    });
  }
}

interface RunOptions {
  /** Whether to collect the output instead of printing it. */
  quiet: boolean;
  env?: NodeJS.ProcessEnv;
  /** Ends the program, and kills its process group if it does not end by itself. */
  signal?: AbortSignal;
}

/**
 * Runs a Node program to its end, without a time limit.
 * @param args the path of the program and its arguments
 * @returns its exit code, null if a signal ended it, and its output if `quiet`
 */
export function run(
  args: string[],
  { quiet, env, signal }: RunOptions,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      // A process group of its own, so that the programs it leaves behind can be killed as well.
      detached: true,
    });
    children.add(child);
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    let killTimer: NodeJS.Timeout | undefined;
    const end = () => {
      child.kill('SIGINT');
      killTimer = setTimeout(() => killGroup(child), GRACE_PERIOD);
    };
    signal?.addEventListener('abort', end, { once: true });
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(killTimer);
      signal?.removeEventListener('abort', end);
      // A worker in an endless loop does not notice that its runner has ended.
      if (signal?.aborted) killGroup(child);
      children.delete(child);
      resolve({ code, output });
    });
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: the whole group has ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
