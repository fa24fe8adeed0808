import { spawn } from 'node:child_process';
import { root } from './paths.ts';

/** The longest that a program may take, in milliseconds: far above what a slow machine needs, so that only what hangs is ended. */
const TIME_LIMIT_MS = 60 * 60_000;

interface RunOptions {
  /** Whether to collect the output instead of printing it. */
  quiet: boolean;
  env?: NodeJS.ProcessEnv;
}

/**
 * Runs a Node program to its end. It is killed with the programs that it started when it takes longer than an hour, and
 * receives SIGINT when this process is asked to end.
 * @param args the path of the program and its arguments
 * @returns its exit code, null if a signal ended it, and its output if `quiet`
 */
export function run(
  args: string[],
  { quiet, env }: RunOptions,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      // A process group of its own, so that a worker in an endless loop can be killed as well.
      detached: true,
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    // Playwright ends its web server on SIGINT only.
    const interrupt = () => child.kill('SIGINT');
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, interrupt);
    const limit = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, TIME_LIMIT_MS);
    const end = () => {
      clearTimeout(limit);
      for (const signal of signals) process.off(signal, interrupt);
    };
    child.once('error', (error) => {
      end();
      reject(error);
    });
    child.once('close', (code) => {
      end();
      resolve({ code, output });
    });
  });
}
