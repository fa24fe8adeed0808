import { createFairQueue, type QueuedTask } from './fair-queue.ts';

/** A request for work. */
export interface WorkRequest extends Pick<QueuedTask, 'owner' | 'subject'> {
  /** Requests with the same key that overlap in time share one run. */
  readonly key: string;
  /** Aborted when the requester has left. Work that no other requester waits for is then not started. */
  readonly signal?: AbortSignal;
}

/** Thrown when work was not started, because too many requests wait or this one has waited too long. */
export class WorkNotStarted extends Error {
  override readonly name = 'WorkNotStarted';
}

interface WaitingRequest<Result> extends WorkRequest, QueuedTask {
  work(): Promise<Result>;
  /** Called with the run that was started for this request or for another one with the same key. */
  begin(run: Promise<Result>): void;
}

export interface WorkQueueOptions {
  concurrency: number;
  /** How many requests wait: of all owners, and of one. */
  maximum: number;
  maximumOfOwner: number;
  /** How long a request waits for its start; null: without a limit. */
  maximumWaitMs: number | null;
  /** What work waits for although less than `concurrency` is running; null: nothing. */
  pause?: () => Promise<void> | null;
}

/** Runs work with bounded concurrency. Requests wait in a fair queue. */
export function createWorkQueue<Result>({
  concurrency,
  maximumWaitMs,
  pause = () => null,
  ...room
}: WorkQueueOptions) {
  const waiting = createFairQueue<WaitingRequest<Result>>(room);
  const running = new Map<string, Promise<Result>>();
  let isPaused = false;

  function dispatch(): void {
    while (!isPaused && running.size < concurrency && waiting.size > 0) {
      const pausing = pause();
      if (pausing !== null) {
        isPaused = true;
        void pausing.then(() => {
          isPaused = false;
          dispatch();
        });
        return;
      }
      const next = waiting.take();
      if (next === undefined) return;
      const run = Promise.try(next.work).finally(() => {
        running.delete(next.key);
        dispatch();
      });
      running.set(next.key, run);
      next.begin(run);
      for (const other of [...waiting].filter(({ key }) => key === next.key)) {
        waiting.remove(other);
        other.begin(run);
      }
    }
  }

  return {
    /**
     * Runs the work of a request when its turn comes.
     * @throws WorkNotStarted, the reason of the signal, and the errors of the work
     */
    async run(request: WorkRequest, work: () => Promise<Result>): Promise<Result> {
      const { key, signal } = request;
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      // Of a run that has begun, only the result counts.
      const cancel = (reason: unknown) => {
        waiting.remove(task);
        reject(reason);
      };
      const displace = () => cancel(new WorkNotStarted());
      const leave = () => cancel(signal?.reason);
      const task = { ...request, work, displace, begin: resolve };
      const timer = maximumWaitMs === null ? undefined : setTimeout(displace, maximumWaitMs);
      signal?.addEventListener('abort', leave);
      const begun = running.get(key);
      if (begun !== undefined) resolve(begun);
      else if (waiting.add(task)) dispatch();
      else displace();
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
      }
    },
    /** The number of waiting requests. */
    waiting: () => waiting.size,
  };
}

/** A work queue whose requests share nothing, and whose work has any result. */
export function createUnsharedQueue(options: WorkQueueOptions) {
  const { run, waiting } = createWorkQueue<void>(options);
  let number = 0;
  return {
    /** @throws what `run` of {@link createWorkQueue} throws */
    async run<Result>(request: Omit<WorkRequest, 'key'>, work: () => Promise<Result>): Promise<Result> {
      const { promise, resolve } = Promise.withResolvers<Result>();
      number += 1;
      await run({ ...request, key: String(number) }, async () => resolve(await work()));
      return promise;
    },
    waiting,
  };
}
