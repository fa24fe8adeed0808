import { type Handler, handle, type Job, type Queue } from './queue.ts';

/** How often plugins remove expired rows. */
export const SWEEP_INTERVAL_MS = 10 * 60_000;

const STOP_TIMEOUT_MS = 5_000;

/**
 * Runs a task periodically, first after one interval. Runs never overlap.
 * @param task its signal is aborted when the timer stops
 * @param onError called when a run fails, unless it was aborted; later runs still start
 */
export function every(
  milliseconds: number,
  task: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
) {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
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

export function createWork(queue: Pick<Queue, 'start' | 'stop'>) {
  const handlers: Handler[] = [];
  const tasks: Parameters<typeof every>[] = [];
  return {
    /** Declares what handles a job. It may run more than once for one job and must then change nothing. */
    handle: <Data extends object>(job: Job<Data>, run: (data: Data, jobId: string) => unknown): void => {
      handlers.push(handle(job, run));
    },
    /** Declares a task that each process with background work runs periodically, see {@link every}. */
    every: (...task: Parameters<typeof every>): void => {
      tasks.push(task);
    },
    /**
     * Starts the queue and the periodic tasks.
     * @param runsTasks false in a process that only serves requests; its queue only enqueues jobs
     */
    start: async ({ runsTasks = true }: { runsTasks?: boolean } = {}) => {
      await queue.start(handlers);
      const timers = runsTasks ? tasks.map((task) => every(...task)) : [];
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
