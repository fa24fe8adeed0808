import { type Handler, handle, type Job, type Queue } from './queue.ts';
import { every, type Timer } from './timer.ts';

/** Collects background work while the app is built. Nothing runs before `start`. */
export interface Work {
  /** Declares what handles a job. It may run more than once for one job and must then change nothing. */
  handle<Data extends object>(job: Job<Data>, run: (data: Data) => Promise<void>): void;
  /** Declares a task that every process runs periodically, see {@link every}. */
  every(
    intervalMs: number,
    run: (signal: AbortSignal) => Promise<void>,
    onError: (error: unknown) => void,
  ): void;
  start(): Promise<RunningWork>;
}

export interface RunningWork {
  /** Stops timers and queue. Resolves when jobs and tasks under way have ended, after 5 s at most. */
  stop(): Promise<void>;
}

export function createWork(queue: Pick<Queue, 'start' | 'stop'>): Work {
  const handlers: Handler[] = [];
  const tasks: (() => Timer)[] = [];
  return {
    handle: (job, run) => {
      handlers.push(handle(job, run));
    },
    every: (intervalMs, run, onError) => {
      tasks.push(() => every(intervalMs, run, onError));
    },
    start: async () => {
      await queue.start(handlers);
      const timers = tasks.map((begin) => begin());
      return {
        stop: async () => {
          await Promise.all([...timers.map((timer) => timer.stop()), queue.stop()]);
        },
      };
    },
  };
}
