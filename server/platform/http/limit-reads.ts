import { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { largestRange } from '#contract/platform/ip-prefixes.ts';
import { MAXIMUM_OF_ADDRESS } from './limit-connections.ts';
import { type Limiter, unlimited } from './limits.ts';
import { Refusal } from './refusal.ts';
import { createUnsharedQueue, WorkNotStarted, type WorkQueueOptions } from './work-queue.ts';

/** Of one range of addresses. */
const room: WorkQueueOptions = {
  // Fewer than half of the connections to the database.
  concurrency: 8,
  // All connections of an address: those that are refused would ask again at once, and each refusal takes time of the thread as well.
  maximum: MAXIMUM_OF_ADDRESS,
  maximumOfOwner: MAXIMUM_OF_ADDRESS,
  maximumWaitMs: 4_000,
};

const RETRY_MS = 5_000;

/** Runs a read when its turn comes. @throws Refusal `too_many_requests` when too many reads of its range wait, or it has waited too long */
export type LimitRead = <Result>(request: FastifyRequest, read: () => Promise<Result>) => Promise<Result>;

/**
 * Limits the reads of each range of addresses. Each range has a queue of its own, so that reads that wait for a remote service hold
 * up no other range. In a range, people take turns by their tokens.
 */
export function createReadLimit(limiter: Limiter): LimitRead {
  if (limiter === unlimited) return (_request, read) => read();
  const ranges = new Map<string, { queue: ReturnType<typeof createUnsharedQueue>; reads: number }>();
  return async (request, read) => {
    // A call in process belongs to a rendering, which has waited in a queue and may be for several visitors.
    if (!(request.raw instanceof IncomingMessage)) return read();
    const name = largestRange(request.ip);
    const range = ranges.get(name) ?? { queue: createUnsharedQueue(room), reads: 0 };
    ranges.set(name, range);
    range.reads += 1;
    try {
      return await range.queue.run({ owner: request.headers.authorization ?? '' }, read);
    } catch (error) {
      if (!(error instanceof WorkNotStarted)) throw error;
      throw new Refusal(
        'too_many_requests',
        'There were many requests from your network at once. Please try again in a few seconds.',
        { retryAt: new Date(Date.now() + RETRY_MS) },
      );
    } finally {
      range.reads -= 1;
      if (range.reads === 0) ranges.delete(name);
    }
  };
}
