import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import * as contract from '#contract/listings/search.ts';
import type { Notifications } from '#server/platform/database/notification-listener.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { type Api, registerCalls } from '#server/platform/http/api.ts';
import { declareCacheDependencies } from '#server/platform/http/cache-dependencies.ts';
import { encodeCursor, keyedPageRequest, unknownCursor } from '#server/platform/http/paging.ts';
import type { ResponseCache } from '#server/platform/http/response-cache.ts';
import { SerializedJson } from '#server/platform/http/serve.ts';
import type { TimeBudget } from '#server/platform/http/time-budget.ts';
import { withoutRepetitions } from '#server/platform/jobs/repetitions.ts';
import { foundLaptopsByNumber, laptopDependencies, SEARCH_TAG } from '../catalogue/steps.ts';
import { followLaptops } from './follow-laptops.ts';
import type { LaptopIndex } from './index/laptop-index.ts';
import type { SearchIndexFigures } from './rules.ts';
import { createSearchQueue } from './search-queue.ts';
import { findSimilar } from './similar.ts';
import { suggestLaptops } from './suggest-laptops.ts';

/** The laptops of a page without a `limit`. */
const DEFAULT_LIMIT = 24;

/** The position of the last laptop of a page, in an order. */
const Position = z.object({ sort: z.enum(contract.sortOrders), key: z.int(), number: z.int() });

export interface SearchOptions {
  api: Api;
  database: Database;
  origin: string;
  /** Empty. The plugin loads it and keeps it up to date. */
  laptopIndex: LaptopIndex;
  cache: Pick<ResponseCache, 'forgetNotified'>;
  notifications: Notifications;
  timeBudget: TimeBudget;
  metrics: { watchSearchIndex(figures: SearchIndexFigures): void };
}

/** Search and suggestions, from an index in memory that follows the database. */
export async function searchPlugin(app: FastifyInstance, options: SearchOptions): Promise<void> {
  const { api, database, origin, notifications, cache, timeBudget, laptopIndex: index } = options;
  const follower = followLaptops({ database, notifications }, index, {
    // A response that was created from the older index, after the change, is stale as well.
    onUpdate: cache.forgetNotified,
    onError: withoutRepetitions((error) =>
      app.log.warn({ err: error }, 'the search index cannot be updated'),
    ),
  });
  app.addHook('onClose', () => follower.stop());
  const queue = createSearchQueue({ ready: follower.loaded, budget: timeBudget });
  options.metrics.watchSearchIndex({ ...index, ...follower, ...queue });
  await registerCalls(app, api, (serve) => {
    serve(contract.searchLaptops, async ({ query, request }) => {
      const { sort, cursor, limit = DEFAULT_LIMIT, ...filters } = query;
      const { after } = keyedPageRequest({ cursor, limit }, Position);
      const answer = await queue.run(request.ip, async () => {
        const { numbers, next, closest, ...result } = index.search({ filters, sort, limit, after });
        if (after !== null && after.sort !== result.sort) throw unknownCursor();
        const found = await foundLaptopsByNumber(
          database,
          [...numbers, ...closest.map(({ number }) => number)],
          origin,
        );
        const ofNumber = (number: number) => found.get(number) ?? [];
        return {
          ...result,
          laptops: numbers.flatMap(ofNumber),
          closest: closest.flatMap(({ number, ...lacking }) =>
            [ofNumber(number)].flat().map((laptop) => ({ laptop, ...lacking })),
          ),
          next: next === null ? null : encodeCursor({ sort: result.sort, ...next }),
        };
      });
      // Not inside, because the queue runs searches of other requests.
      const shown = [...answer.laptops, ...answer.closest.map(({ laptop }) => laptop)];
      declareCacheDependencies(laptopDependencies(shown, [SEARCH_TAG]));
      // What `serve` does with other answers would take a fifth of a search's time.
      return new SerializedJson(JSON.stringify(answer));
    });

    serve(contract.listSimilar, async ({ params, request }) => {
      const { laptops, dependencies } = await queue.run(request.ip, () =>
        findSimilar({ reader: database, origin, index }, params._id),
      );
      declareCacheDependencies(dependencies);
      return laptops;
    });

    serve(contract.suggestSearches, ({ query, request }) =>
      queue.run(request.ip, () => suggestLaptops({ reader: database, origin, index }, query.q)),
    );
  });
}
