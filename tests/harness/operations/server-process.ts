import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** A server in a separate process. */
export interface ServerProcess {
  child: ChildProcess;
  origin: string;
  /** Returns everything written to standard output and standard error so far. */
  output(): { stdout: string; stderr: string };
  /** Sends a signal and waits for the exit. @returns the exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Spawns a program of this repository. Only `PATH` is inherited from this process's environment. The cache of compiled
 * code is that of `npm start`: without it, most of a short program's time is compilation.
 */
export function spawnProgram(program: string, args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(root, program), ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output.stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output.stderr += chunk;
  });
  return { child, output };
}

/** Runs a command to its end. @param until kills the command with SIGKILL when it resolves */
export async function runCommand(
  program: string,
  args: string[],
  environment: Record<string, string>,
  until?: Promise<void>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { child, output } = spawnProgram(program, args, environment);
  until?.then(() => child.kill('SIGKILL'));
  await once(child, 'close');
  return { code: child.exitCode, ...output };
}

/**
 * Starts the shop's server and waits until it is open.
 * @throws Error with its output when it exits instead
 */
export async function startServer(
  environment: Record<string, string> & { PORT: string },
): Promise<ServerProcess> {
  const { child, output } = spawnProgram('server/main.ts', [], environment);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => {
      if (/^Coomercio (is open at|works in the background)/m.test(output.stdout)) resolve();
    });
    child.once('close', (code) =>
      reject(new Error(`The server exited with ${code}: ${output.stdout}${output.stderr}`)),
    );
  });
  return {
    child,
    origin: `http://127.0.0.1:${environment.PORT}`,
    output: () => ({ ...output }),
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'close');
        child.kill(signal);
        await ended;
      }
      return child.exitCode;
    },
  };
}
