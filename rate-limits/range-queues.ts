import { largestRange } from '#contract/platform/ip-prefixes.ts';
import { createUnsharedQueue } from './work-queue.ts';

/** How long work waits for its turn, in milliseconds. */
const MAXIMUM_WAIT_MS = 4_000;

/**
 * Runs work in a queue for each range of IP addresses, so that work that waits for a remote service holds up no other range. In a range,
 * owners take turns.
 * @param options.concurrency how much of a range runs at once
 * @param options.maximum how much of a range waits. Work that is refused is asked for again at once, and each refusal takes time of the
 *   thread as well, so this is better as many as an address has connections
 */
export function createRangeQueues({ concurrency, maximum }: { concurrency: number; maximum: number }) {
  const room = { concurrency, maximum, maximumOfOwner: maximum, maximumWaitMs: MAXIMUM_WAIT_MS };
  const ranges = new Map<string, { queue: ReturnType<typeof createUnsharedQueue>; requests: number }>();
  return {
    /** @throws WorkNotStarted when too much of the range waits, or this has waited too long */
    async run<Result>(
      { ip, owner }: { ip: string; owner: string },
      work: () => Promise<Result>,
    ): Promise<Result> {
      const name = largestRange(ip);
      const range = ranges.get(name) ?? { queue: createUnsharedQueue(room), requests: 0 };
      ranges.set(name, range);
      range.requests += 1;
      try {
        return await range.queue.run({ owner }, work);
      } finally {
        range.requests -= 1;
        if (range.requests === 0) ranges.delete(name);
      }
    },
  };
}
