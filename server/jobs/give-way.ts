import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** A process whose event loop works for this share of the time between two batches of jobs is busy with something else. */
const BUSY_UTILIZATION = 0.75;

const CHECK_INTERVAL_MS = 20;

/** The longest wait before a batch, in milliseconds. */
const MAXIMUM_WAIT_MS = 1_000;

/**
 * Lets requests go before a backlog of jobs (decision 46): a full batch waits while the process is busy, which between two batches
 * of a worker it usually is with requests. A batch that is not full is run at once.
 * @param run runs a batch of jobs of one worker
 * @param options.batchSize the number of jobs in a full batch, behind which more jobs wait
 * @param options.maximumWaitMs the longest wait, in milliseconds
 */
export function giveWayToRequests<Job, Result>(
  run: (jobs: Job[]) => Promise<Result>,
  { batchSize, maximumWaitMs = MAXIMUM_WAIT_MS }: { batchSize: number; maximumWaitMs?: number },
): (jobs: Job[]) => Promise<Result> {
  let lastBatchEnd = performance.eventLoopUtilization();
  const isBusy = () => performance.eventLoopUtilization(lastBatchEnd).utilization >= BUSY_UTILIZATION;
  return async (jobs) => {
    const deadline = performance.now() + maximumWaitMs;
    while (jobs.length === batchSize && isBusy() && performance.now() < deadline)
      await pause(CHECK_INTERVAL_MS);
    try {
      return await run(jobs);
    } finally {
      lastBatchEnd = performance.eventLoopUtilization();
    }
  };
}
