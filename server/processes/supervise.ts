import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { answerRequestsForMetrics } from './metrics.ts';

/** A process that lived at least this long, in milliseconds, is replaced at once. */
const SETTLED_AFTER_MS = 10_000;

/** In milliseconds. The first delay before a process is replaced that ended soon after its start; doubled each time. */
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

/** The supervisor's processes. */
export interface Processes {
  /** Ends all processes with SIGTERM, and resolves when they have ended. Each has its own time limit. */
  stop(): Promise<void>;
}

/**
 * Starts several processes of this program which listen on the same port, and replaces each one that ends.
 *
 * The kernel gives a new connection to a process that is waiting for one. With Node's own distribution (round robin) it
 * could go to a process that is stopped or busy, and wait there while others are idle.
 * @param environments the environment variables of each process, in addition to those of this one
 * @param log told about processes that end
 * @param shutdown aborts the start
 * @throws Error when a process ends before all of them listen; the reason of `shutdown`
 */
export async function superviseProcesses(
  environments: readonly Record<string, string>[],
  log: (line: string) => void,
  shutdown: AbortSignal,
): Promise<Processes> {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ execArgv: withoutWatchOfParent(process.execArgv) });
  answerRequestsForMetrics();
  const stopping = new AbortController();
  const workers = new Set<Worker>();
  const opened = Promise.withResolvers<void>();
  let missing = environments.length;

  function start(environment: Record<string, string>, nextDelay: number): void {
    const startedAt = Date.now();
    const worker = cluster.fork(environment);
    const { pid } = worker.process;
    workers.add(worker);
    let hasListened = false;
    worker.once('listening', () => {
      hasListened = true;
      missing -= 1;
      if (missing === 0) opened.resolve();
    });
    // A message that a process no longer reads; its exit is handled below.
    worker.on('error', (error) => log(`Process ${pid}: ${error.message}`));
    worker.once('exit', (code, signal) => {
      workers.delete(worker);
      if (stopping.signal.aborted) return;
      if (hasListened) missing += 1;
      const reason = signal === null ? `exit code ${code}` : signal;
      opened.reject(new Error(`a process ended before all of them were open (${reason}).`));
      const isSettled = Date.now() - startedAt >= SETTLED_AFTER_MS;
      const wait = isSettled ? 0 : nextDelay;
      log(
        `Process ${pid} ended (${reason}) and is replaced${wait === 0 ? '' : ` in ${wait / 1000} seconds, because it ended soon after its start`}.`,
      );
      delay(wait, undefined, { signal: stopping.signal }).then(
        () => start(environment, isSettled ? FIRST_DELAY_MS : Math.min(2 * wait, LONGEST_DELAY_MS)),
        () => undefined, // Stopping: nothing is replaced.
      );
    });
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.all(
      [...workers].map(async (worker) => {
        const ended = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        await ended;
      }),
    );
  }

  for (const environment of environments) start(environment, FIRST_DELAY_MS);
  const aborted = () => opened.reject(shutdown.reason);
  shutdown.addEventListener('abort', aborted, { once: true });
  try {
    await opened.promise;
  } catch (error) {
    await stop();
    throw error;
  } finally {
    shutdown.removeEventListener('abort', aborted);
  }
  return { stop };
}

/**
 * Removes the module that ends this process with its parent: it reads a file descriptor that the supervisor's processes use
 * for their messages. They end with the supervisor, because that connection ends.
 */
function withoutWatchOfParent(options: readonly string[]): string[] {
  const kept: string[] = [];
  for (const option of options) {
    if (!option.endsWith('/end-with-parent.js')) kept.push(option);
    else if (kept.at(-1) === '--import') kept.pop();
  }
  return kept;
}
