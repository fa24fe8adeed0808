import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** The event loop utilization from which the process counts as busy. */
const BUSY_UTILIZATION = 0.75;

/** How often a waiting batch checks whether the process is still busy, in milliseconds. */
const CHECK_INTERVAL_MS = 20;

/** The longest wait of a batch, in milliseconds. */
const MAXIMUM_WAIT_MS = 1_000;

/** How long full batches may follow each other until they do not wait any more, in milliseconds. */
const MAXIMUM_BACKLOG_MS = 60_000;

export interface DeferOptions {
  /** The number of jobs in a full batch: more jobs probably wait. */
  batchSize: number;
  /** Ends the waiting. */
  signal: AbortSignal;
  maximumWaitMs?: number;
  maximumBacklogMs?: number;
}

/**
 * Delays full batches of jobs while the event loop is busy, so that a backlog of jobs does not slow requests (decision 46). A batch
 * that is not full runs at once. After a minute of full batches they run at once as well, so that a busy process still reduces
 * its backlog.
 * @param run runs a batch of one worker
 */
export function deferBatches<Job, Result>(
  run: (jobs: Job[]) => Promise<Result>,
  { batchSize, signal, maximumWaitMs = MAXIMUM_WAIT_MS, maximumBacklogMs = MAXIMUM_BACKLOG_MS }: DeferOptions,
): (jobs: Job[]) => Promise<Result> {
  let lastBatchEnd = performance.eventLoopUtilization();
  let firstFullBatchAt: number | null = null;

  const isBusySince = (since: ReturnType<typeof performance.eventLoopUtilization>) =>
    performance.eventLoopUtilization(since).utilization >= BUSY_UTILIZATION;

  async function wait(): Promise<void> {
    if (!isBusySince(lastBatchEnd)) return;
    // The last batch may be long ago: the next checks count only what is done meanwhile.
    const start = performance.eventLoopUtilization();
    const deadline = performance.now() + maximumWaitMs;
    while (!signal.aborted && performance.now() < deadline) {
      await pause(CHECK_INTERVAL_MS);
      if (!isBusySince(start)) return;
    }
  }

  return async (jobs) => {
    if (jobs.length < batchSize) firstFullBatchAt = null;
    else {
      firstFullBatchAt ??= performance.now();
      if (performance.now() - firstFullBatchAt < maximumBacklogMs) await wait();
    }
    try {
      return await run(jobs);
    } finally {
      lastBatchEnd = performance.eventLoopUtilization();
    }
  };
}
