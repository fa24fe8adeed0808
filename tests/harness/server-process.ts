import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A server in a process of its own, as a command starts it. */
export interface Running {
  child: ChildProcess;
  origin: string;
  /** All that it has written to standard output and standard error so far. */
  output(): { stdout: string; stderr: string };
  /** Asks it to end, and waits until it has. @returns its exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Runs a program of ours with nothing of this process's environment but the path. */
function run(program: string, args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(root, program), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said.stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said.stderr += chunk;
  });
  return { child, said };
}

/** Runs a command to its end, or until something has happened: then it is killed outright. */
export async function runToEnd(
  program: string,
  args: string[],
  environment: Record<string, string>,
  until?: Promise<void>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { child, said } = run(program, args, environment);
  until?.then(() => child.kill('SIGKILL'));
  await once(child, 'close');
  return { code: child.exitCode, ...said };
}

/**
 * Starts the shop and waits until it says that it is open.
 * @throws with what it said when it ends instead
 */
export async function startServer(environment: Record<string, string> & { PORT: string }): Promise<Running> {
  const { child, said } = run('server/main.ts', [], environment);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => {
      if (said.stdout.includes('Coomercio is open at')) resolve();
    });
    child.once('close', (code) => reject(new Error(`It ended with ${code}: ${said.stdout}${said.stderr}`)));
  });
  return {
    child,
    origin: `http://127.0.0.1:${environment.PORT}`,
    output: () => ({ ...said }),
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
