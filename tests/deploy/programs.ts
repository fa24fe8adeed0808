import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** The folders of Debian's programs; those for servers are not on every user's PATH. */
const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/bin'];

/** Returns the path of a program, or null when this machine lacks it. */
export function findProgram(name: string): string | null {
  for (const folder of folders) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {}
  }
  return null;
}

/** A program in the foreground. */
export interface RunningProgram extends AsyncDisposable {
  child: ChildProcess;
  output(): string;
}

/** Starts a program. Disposing of it sends SIGTERM, and SIGKILL after 10 s. */
export function startProgram(
  program: string,
  args: string[],
  environment: Record<string, string> = {},
): RunningProgram {
  const child = spawn(program, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'close');
  return {
    child,
    output: () => output,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const kill = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(kill);
    },
  };
}
