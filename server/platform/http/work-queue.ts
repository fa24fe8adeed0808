import { createFairQueue, type QueuedTask } from './fair-queue.ts';

/** A request for work. */
export interface WorkRequest extends Pick<QueuedTask, 'owner' | 'subject'> {
  /** Requests with the same key that overlap in time share one run. */
  readonly key: string;
  /** Aborted when the requester has left. Work that no other requester waits for is then not started. */
  readonly signal: AbortSignal;
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

/**
 * Runs work with bounded concurrency. Requests wait in a fair queue, with room for `maximum` of them.
 * @param options.maximumWaitMs how long a request waits for its start; null: without a limit
 */
export function createWorkQueue<Result>({
  concurrency,
  maximumWaitMs,
  ...room
}: {
  concurrency: number;
  maximum: number;
  maximumOfOwner: number;
  maximumWaitMs: number | null;
}) {
  const waiting = createFairQueue<WaitingRequest<Result>>(room);
  const running = new Map<string, Promise<Result>>();

  function dispatch(): void {
    while (running.size < concurrency) {
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
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      // Of a run that has begun, only the result counts.
      const cancel = (reason: unknown) => {
        waiting.remove(task);
        reject(reason);
      };
      const displace = () => cancel(new WorkNotStarted());
      const leave = () => cancel(signal.reason);
      const task = { ...request, work, displace, begin: resolve };
      const timer = maximumWaitMs === null ? undefined : setTimeout(displace, maximumWaitMs);
      signal.addEventListener('abort', leave);
      const begun = running.get(key);
      if (begun !== undefined) resolve(begun);
      else if (waiting.add(task)) dispatch();
      else displace();
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
      }
    },
  };
}
