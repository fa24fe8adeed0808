import type { FastifyInstance } from 'fastify';
import type { Notifications } from '#server/platform/database/notification-listener.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { type Api, registerCalls } from '#server/platform/http/api.ts';
import type { ResponseCache } from '#server/platform/http/response-cache.ts';
import type { TimeBudget } from '#server/platform/http/time-budget.ts';
import { followLaptops } from './follow-laptops.ts';
import type { LaptopIndex } from './index/laptop-index.ts';
import { searchRoutes } from './routes.ts';
import type { SearchIndexFigures } from './rules.ts';
import { createSearchQueue } from './search-queue.ts';

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
    onError: (error) => app.log.warn({ err: error }, 'the search index cannot be updated'),
  });
  app.addHook('onClose', () => follower.stop());
  const queue = createSearchQueue({ ready: follower.loaded, budget: timeBudget });
  options.metrics.watchSearchIndex({
    isLoaded: index.isLoaded,
    laptops: index.count,
    bytes: index.size,
    ageMs: follower.ageMs,
    loadMs: follower.loadMs,
    waiting: queue.waiting,
  });
  await registerCalls(app, api, (serve) => searchRoutes(serve, { database, origin, index, queue }));
}
