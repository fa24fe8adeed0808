import type { FastifyBaseLogger } from 'fastify';
import { MINUTE_MS } from '#contract/platform/durations.ts';
import { type Handler, handle, type Job, type Queue } from './queue.ts';
import { withoutRepetitions } from './repetitions.ts';

/** How often upkeep runs that nobody waits for, such as the removal of expired rows. */
const SWEEP_INTERVAL_MS = 10 * MINUTE_MS;

const STOP_TIMEOUT_MS = 5_000;

/** @param signal is aborted when the timer stops */
type Task = (signal: AbortSignal) => Promise<unknown>;

/**
 * Runs a task periodically, first after one interval. Runs never overlap.
 * @param onError called when a run fails, unless it was aborted; later runs still start
 */
export function every(milliseconds: number, task: Task, onError: (error: unknown) => void) {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let isBusy = false;
  const interval = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    running = task(stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(error);
      })
      .finally(() => {
        isBusy = false;
      });
  }, milliseconds);
  return {
    /** Stops the timer and aborts the current run. Resolves when it has ended, after 5 s at most. */
    stop: async (): Promise<void> => {
      clearInterval(interval);
      stopping.abort();
      const timeout = Promise.withResolvers<void>();
      const timer = setTimeout(timeout.resolve, STOP_TIMEOUT_MS);
      await Promise.race([running, timeout.promise]);
      clearTimeout(timer);
    },
  };
}

/** Background work that is collected while the app is built. Nothing runs before `start`. */
export type Work = ReturnType<typeof createWork>;
export type RunningWork = Awaited<ReturnType<Work['start']>>;

/** @param log told when a task fails */
export function createWork(
  queue: Pick<Queue, 'start' | 'stop'>,
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
) {
  const handlers: Handler[] = [];
  const tasks: Parameters<typeof every>[] = [];
  return {
    /** Declares what handles a job. It may run more than once for one job and must then change nothing. */
    handle: <Data extends object>(job: Job<Data>, run: (data: Data, jobId: string) => unknown): void => {
      handlers.push(handle(job, run));
    },
    /**
     * Declares a task that each process with background work runs periodically, see {@link every}.
     * @param failure what the log says when it fails, once a minute for each cause
     * @param onFailure called each time
     */
    every: (milliseconds: number, failure: string, task: Task, onFailure?: () => void): void => {
      const report = withoutRepetitions((error: unknown) => log.error({ err: error }, failure));
      tasks.push([
        milliseconds,
        task,
        (error) => {
          report(error);
          onFailure?.();
        },
      ]);
    },
    /**
     * Declares a periodic task whose failure is only a warning: the next run makes up for it.
     * @param failure what the log says when it fails
     */
    sweep: (failure: string, task: Task, milliseconds = SWEEP_INTERVAL_MS): void => {
      const report = withoutRepetitions((error: unknown) => log.warn({ err: error }, failure));
      tasks.push([milliseconds, task, report]);
    },
    /**
     * Starts the queue and the periodic tasks.
     * @param runsTasks false in a process that only serves requests; its queue only enqueues jobs
     * @param intervalMs how often all tasks run, for tests; each has its own interval otherwise
     */
    start: async ({ runsTasks = true, intervalMs }: { runsTasks?: boolean; intervalMs?: number } = {}) => {
      await queue.start(handlers);
      const timers = runsTasks
        ? tasks.map(([milliseconds, ...task]) => every(intervalMs ?? milliseconds, ...task))
        : [];
      return {
        /** Runs each periodic task once, one after another, without waiting for its interval. @returns the failures */
        runTasks: async (): Promise<unknown[]> => {
          const failures: unknown[] = [];
          for (const [, task] of tasks) {
            await task(new AbortController().signal).catch((error: unknown) => failures.push(error));
          }
          return failures;
        },
        /** Stops timers and queue. Resolves when jobs and tasks under way have ended, after 5 s at most. */
        stop: async (): Promise<void> => {
          await Promise.all([...timers.map((timer) => timer.stop()), queue.stop()]);
        },
      };
    },
  };
}
