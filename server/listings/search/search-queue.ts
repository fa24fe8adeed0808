import { largestRange } from '#contract/platform/ip-prefixes.ts';
import { createUnsharedQueue, WorkNotStarted } from '#rate-limits/work-queue.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { TimeBudget } from '#server/platform/http/time-budget.ts';

/** The share of the thread that all searches together may take. The rest of the shop runs on the same thread. */
const SHARE = 0.5;

/** Milliseconds for which searches may run without a pause. */
const SLICE_MS = 10;

/** What a search takes beside the index, in milliseconds: reading the rows and writing the response. */
const OVERHEAD_MS = 0.5;

/** The number of searches that read rows at the same time, so that connections to the database remain for other calls. */
const MAXIMUM_RUNNING = 8;

const MAXIMUM_WAITING = 300;
const MAXIMUM_WAITING_OF_ADDRESS = 30;

/** Milliseconds after which a waiting search is refused; below the time for which a page waits for its data. */
const MAXIMUM_WAIT_MS = 4_000;

const RETRY_MS = 5_000;

/**
 * Limits the time that searches take of the only thread. Each is charged to its address. All searches together pause for as
 * long as they have run. Waiting searches take turns by address.
 * @param options.ready resolves when searches can run; they wait for it
 * @param options.now the time in milliseconds, from any beginning
 */
export function createSearchQueue({
  ready,
  budget,
  now = () => performance.now(),
}: {
  ready: Promise<void>;
  budget: TimeBudget;
  now?: () => number;
}) {
  let isReady = false;
  /** The time from which searches have taken no more than their share. */
  let pausedUntil = 0;
  void ready.then(() => {
    isReady = true;
  });

  const queue = createUnsharedQueue({
    concurrency: MAXIMUM_RUNNING,
    maximum: MAXIMUM_WAITING,
    maximumOfOwner: MAXIMUM_WAITING_OF_ADDRESS,
    maximumWaitMs: MAXIMUM_WAIT_MS,
    pause: () => {
      if (!isReady) return ready;
      const pauseMs = pausedUntil - now();
      return pauseMs < SLICE_MS ? null : new Promise((resolve) => setTimeout(resolve, pauseMs));
    },
  });

  return {
    /**
     * Runs a search when its turn comes.
     * @param address the client's IP address
     * @param search does its work on the thread before its first `await`
     * @throws Refusal `too_many_requests` when the address has used its time; `busy` when too many searches wait
     */
    async run<Result>(address: string, search: () => Promise<Result>): Promise<Result> {
      budget.requireTime(address);
      try {
        return await queue.run({ owner: largestRange(address) }, () => {
          const begin = now();
          const result = search();
          const used = now() - begin;
          budget.charge(address, used + OVERHEAD_MS);
          pausedUntil = Math.max(pausedUntil, begin) + used / SHARE;
          return result;
        });
      } catch (error) {
        if (!(error instanceof WorkNotStarted)) throw error;
        const reason = isReady ? 'Many people are searching right now.' : 'The search is being prepared.';
        const retryAt = new Date(Date.now() + RETRY_MS);
        throw new Refusal('busy', `${reason} Please try again in a few seconds.`, { retryAt });
      }
    },
    /** The number of waiting searches. */
    waiting: queue.waiting,
  };
}
