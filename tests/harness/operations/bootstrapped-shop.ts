import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const root = join(import.meta.dirname, '../../..');

/** Enough to fill a demo shop while other programs use the processor. */
const START_TIMEOUT_MS = 180_000;

/** The line that the shop prints after its demo data are loaded. */
const OPEN_LINE = 'Coomercio is open at';

/** A shop in separate processes, started as `npm start` does. */
export interface BootstrappedShop {
  /** The server's process id, not the bootstrap's. */
  pid: number;
  origin: string;
  /** Seconds from the start of the command to the first response of the home page. */
  startSeconds: number;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>;
}

/**
 * Starts the shop with its embedded PostgreSQL and its stand-ins, without rate limits.
 * @param options.demo whether to load demo data and wait for them
 * @throws Error with the output when the shop exits or does not respond within a minute
 */
export async function startBootstrappedShop(options: {
  port: number;
  dataFolder: string;
  secret: string;
  demo?: boolean;
}): Promise<BootstrappedShop> {
  const started = performance.now();
  const origin = `http://127.0.0.1:${options.port}`;
  const child = spawn(
    process.execPath,
    // The fourth pipe ends the shop in order when this process ends, for whatever reason.
    ['--import', join(root, 'scripts/end-with-parent.js'), join(root, 'scripts/bootstrap.js'), 'start'],
    {
      cwd: root,
      detached: true,
      // No inherited environment: the DATABASE_URL of a real shop must not reach it.
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: String(options.port),
        COOMERCIO_DATA: options.dataFolder,
        COOMERCIO_SECRET: options.secret,
        PUBLIC_ORIGIN: origin,
        DEMO: options.demo === true ? '1' : '0',
        // All requests come from one address.
        RATE_LIMITS: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
  );
  let output = '';
  const appendOutput = (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-8_000);
  };
  child.stdout?.on('data', appendOutput);
  child.stderr?.on('data', appendOutput);
  if (child.pid === undefined) throw new Error('The shop could not be started.');
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  const isOpen = () =>
    options.demo === true ? Promise.resolve(output.includes(OPEN_LINE)) : isHomePageServed(origin);
  while (!(await isOpen())) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The shop exited.\n${output}`);
    if (performance.now() - started > START_TIMEOUT_MS) {
      await stop();
      throw new Error(`The shop did not respond within ${START_TIMEOUT_MS / 1000} s.\n${output}`);
    }
    await pause(5);
  }
  const startSeconds = (performance.now() - started) / 1000;
  return { pid: onlyChildOf(child.pid), origin, startSeconds, stop };
}

/** Returns the only child process of a process. */
function onlyChildOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}

async function isHomePageServed(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/`);
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
