import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const root = join(import.meta.dirname, '../..');

/** How long a start may take, in milliseconds. */
const START_PATIENCE = 60_000;

/** What the shop says once its demo data are in. */
const OPEN = 'Coomercio is open at';

/** The shop in a process of its own, as `npm start` runs it. */
export interface RunningShop {
  /** Of the server itself. */
  pid: number;
  origin: string;
  /** From the command's start to the first answered home page, in seconds. */
  startSeconds: number;
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>;
}

/**
 * Starts the shop on its embedded PostgreSQL and its stand-ins, without rate limits.
 * @param options.demo whether it is filled with demo data; the start then ends when they are in
 * @throws when it ends or does not answer, with what it said
 */
export async function startShop(options: {
  port: number;
  dataFolder: string;
  secret: string;
  demo?: boolean;
}): Promise<RunningShop> {
  const started = performance.now();
  const origin = `http://127.0.0.1:${options.port}`;
  const child = spawn(
    process.execPath,
    // The pipe to this process, as the bootstrap opens one to the shop: all end in order whatever ends this one.
    ['--import', join(root, 'scripts/end-with-parent.js'), join(root, 'scripts/bootstrap.js'), 'start'],
    {
      cwd: root,
      detached: true,
      // Nothing of the surroundings: a DATABASE_URL of somebody's real shop must not reach it.
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: String(options.port),
        COOMERCIO_DATA: options.dataFolder,
        COOMERCIO_SECRET: options.secret,
        PUBLIC_ORIGIN: origin,
        DEMO: options.demo === true ? '1' : '0',
        // One address asks for everything here, far more often than people do.
        RATE_LIMITS: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
  );
  let said = '';
  const hear = (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-8_000);
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  if (child.pid === undefined) throw new Error('The shop could not be started.');
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  const isOpen = () => (options.demo === true ? Promise.resolve(said.includes(OPEN)) : answersHome(origin));
  while (!(await isOpen())) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The shop ended.\n${said}`);
    if (performance.now() - started > START_PATIENCE) {
      await stop();
      throw new Error(`The shop did not answer within ${START_PATIENCE / 1000} s.\n${said}`);
    }
    await pause(5);
  }
  const startSeconds = (performance.now() - started) / 1000;
  return { pid: onlyChildOf(child.pid), origin, startSeconds, stop };
}

/** The bootstrap's only process is the shop. */
function onlyChildOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}

async function answersHome(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/`);
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
