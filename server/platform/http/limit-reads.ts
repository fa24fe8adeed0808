import { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { createRangeQueues } from '#rate-limits/range-queues.ts';
import { WorkNotStarted } from '#rate-limits/work-queue.ts';
import { MAXIMUM_OF_ADDRESS } from './limit-connections.ts';
import { type Limiter, unlimited } from './limits.ts';
import { Refusal } from './refusal.ts';

/** Reads of a range at once: fewer than half of the connections to the database. */
const CONCURRENCY = 8;

const RETRY_MS = 5_000;

/** Runs a read when its turn comes. @throws Refusal `too_many_requests` when too many reads of its range wait, or it has waited too long */
export type LimitRead = <Result>(request: FastifyRequest, read: () => Promise<Result>) => Promise<Result>;

/** Limits the reads of each range of addresses. In a range, people take turns by their tokens. */
export function createReadLimit(limiter: Limiter): LimitRead {
  if (limiter === unlimited) return (_request, read) => read();
  const ranges = createRangeQueues({ concurrency: CONCURRENCY, maximum: MAXIMUM_OF_ADDRESS });
  return async (request, read) => {
    // A call in process belongs to a rendering, which has waited in a queue and may be for several visitors.
    if (!(request.raw instanceof IncomingMessage)) return read();
    try {
      return await ranges.run({ ip: request.ip, owner: request.headers.authorization ?? '' }, read);
    } catch (error) {
      if (!(error instanceof WorkNotStarted)) throw error;
      throw new Refusal(
        'too_many_requests',
        'There were many requests from your network at once. Please try again in a few seconds.',
        { retryAt: new Date(Date.now() + RETRY_MS) },
      );
    }
  };
}
