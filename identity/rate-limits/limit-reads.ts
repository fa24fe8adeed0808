import type { FastifyInstance } from 'fastify';
import { createRangeQueues } from '#rate-limits/range-queues.ts';
import { WorkNotStarted } from '#rate-limits/work-queue.ts';
import { Refusal } from '../refusals.ts';

/** Reads of a range of addresses at once: fewer than half of the connections to the database (`database/pool.ts`). */
const CONCURRENCY = 3;

/** All connections that the shop lets an address have. */
const MAXIMUM_WAITING = 500;

/** In seconds. */
const RETRY_AFTER = 5;

/**
 * Limits the reads of each range of addresses to a scope: all routes that are added afterwards. In a range, people take turns by their
 * tokens.
 */
export function limitReads(scope: FastifyInstance): void {
  const ranges = createRangeQueues({ concurrency: CONCURRENCY, maximum: MAXIMUM_WAITING });
  scope.addHook('onRoute', (route) => {
    if (route.method !== 'GET' && route.method !== 'HEAD') return;
    const { handler } = route;
    route.handler = async (request, reply) => {
      const { ip, headers } = request;
      try {
        return await ranges.run({ ip, owner: headers.authorization ?? '' }, async () =>
          handler.call(scope, request, reply),
        );
      } catch (error) {
        if (!(error instanceof WorkNotStarted)) throw error;
        throw new Refusal(
          'too_many_requests',
          'There were many requests from your network at once. Please try again in a few seconds.',
          null,
          { retryAfter: RETRY_AFTER },
        );
      }
    };
  });
}
