import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { type StandIns, StartMessage, StartResult } from '#sandbox/messages.ts';

const root = join(import.meta.dirname, '../..');

/** A forked process that has reported that it is ready. */
interface ForkedProcess {
  pid: number;
  kill(): Promise<void>;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/**
 * Forks a process with stand-ins, as the shop itself does, without this process's `execArgv`: the bootstrap's module
 * that watches a pipe would read their messages.
 */
export async function forkStandIns(order: StartMessage): Promise<ForkedProcess & { standIns: StandIns }> {
  const child = fork(join(root, 'sandbox/main.ts'), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`A stand-in ended (${signal ?? code}) before it had started.`);
  });
  child.send(StartMessage.parse(order));
  const [message] = await Promise.race([once(child, 'message'), ended]);
  // Later exits are expected.
  ended.catch(() => undefined);
  const report = StartResult.parse(message);
  if (report.kind === 'failed') throw new Error(report.sentence);
  return {
    pid: child.pid ?? 0,
    standIns: report.standIns,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  };
}

/**
 * Forks the shop's server as `npm start` does.
 * @param onLine gets each line that it writes
 * @throws Error with its output when it exits before it is open
 */
export async function forkServer(
  environment: Record<string, string>,
  onLine: (line: string) => void,
): Promise<ForkedProcess> {
  const child = fork(join(root, 'server/main.ts'), {
    cwd: root,
    execArgv: [],
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const opened = Promise.withResolvers<void>();
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      if (/^Coomercio (is open at|works in the background)/.test(line)) opened.resolve();
      output.push(line);
      onLine(line);
    });
  }
  child.once('exit', (code, signal) => {
    opened.reject(new Error(`The server ended (${signal ?? code}): ${output.slice(-5).join(' ')}`));
  });
  try {
    await opened.promise;
  } catch (error) {
    await end(child, 'SIGKILL');
    throw error;
  }
  return { pid: child.pid ?? 0, kill: () => end(child, 'SIGKILL'), stop: () => end(child, 'SIGTERM') };
}

const START_TIMEOUT_MS = 60_000;

/** Retries a start until it succeeds: services that it needs may be restarting as well. */
export async function retryStart<Started>(start: () => Promise<Started>): Promise<Started> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** Repeats a check until it holds; one that fails does not hold. @returns whether it held within the time */
export async function retryUntil(isTrue: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (await isTrue().catch(() => false)) return true;
    await pause(50);
  }
  return false;
}

/** Connects to a database once. @throws while it is unavailable */
export async function connectOnce(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 1_000 });
  try {
    await client.connect();
  } catch (error) {
    await pause(100);
    throw error;
  } finally {
    await client.end();
  }
}

/** Kills a process unless it has exited already. */
export function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
