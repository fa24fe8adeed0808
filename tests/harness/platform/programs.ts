import { spawn } from 'node:child_process';
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
    } catch {
      // It is not in this folder, or cannot be executed.
    }
  }
  return null;
}

/** A program in the foreground, with all that it starts. */
export interface RunningProgram extends AsyncDisposable {
  /** Stops its processes without ending them, as a machine that hangs. */
  freeze(): void;
  thaw(): void;
  /** Ends its processes with SIGKILL, without waiting for them. */
  kill(): void;
}

/** Starts a program. Disposing of it sends SIGTERM to its process group, and SIGKILL after 10 s. */
export function startProgram(
  program: string,
  args: string[],
  environment: Record<string, string> = {},
): RunningProgram {
  const child = spawn(program, args, {
    env: { ...process.env, ...environment },
    stdio: 'ignore',
    // A process group of its own: npm does not end the programs that it starts.
    detached: true,
  });
  // 'close' would also wait for programs that have inherited its files.
  const ended = once(child, 'exit');
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, name);
    }
  };
  return {
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    kill: () => signal('SIGKILL'),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      signal('SIGTERM');
      const kill = setTimeout(() => signal('SIGKILL'), 10_000);
      await ended;
      clearTimeout(kill);
    },
  };
}
