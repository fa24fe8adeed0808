import cluster from 'node:cluster';
import { once } from 'node:events';
import { answerRequestsForMetrics } from './metrics.ts';

/** The delay before a process that has ended is replaced, in milliseconds: it may end again at once. */
const RESTART_DELAY_MS = 1_000;

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
  answerRequestsForMetrics();
  const opened = Promise.withResolvers<void>();
  let listening = 0;
  let isStopping = false;

  function start(environment: Record<string, string>): void {
    if (isStopping) return;
    const worker = cluster.fork(environment);
    const { pid } = worker.process;
    worker.once('listening', () => {
      listening += 1;
      if (listening === environments.length) opened.resolve();
    });
    // A message that a process no longer reads; its exit is handled below.
    worker.on('error', (error) => log(`Process ${pid}: ${error.message}`));
    worker.once('exit', (code, signal) => {
      if (isStopping) return;
      const reason = signal === null ? `exit code ${code}` : signal;
      opened.reject(new Error(`a process ended before all of them were open (${reason}).`));
      log(`Process ${pid} ended (${reason}) and is replaced.`);
      setTimeout(start, RESTART_DELAY_MS, environment);
    });
  }

  async function stop(): Promise<void> {
    isStopping = true;
    await Promise.all(
      Object.values(cluster.workers ?? {}).map(async (worker) => {
        if (worker === undefined) return;
        const ended = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        await ended;
      }),
    );
  }

  for (const environment of environments) start(environment);
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
