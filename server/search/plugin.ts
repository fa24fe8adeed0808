import type { FastifyInstance } from 'fastify';
import type { ResponseCache } from '../catalogue/steps.ts';
import type { PublicReader } from '../database/replica.ts';
import { type Api, registerCalls } from '../http/api.ts';
import type { TimeBudget } from '../http/time-budget.ts';
import type { Metrics } from '../operations/metrics.ts';
import { followLaptops } from './follow-laptops.ts';
import type { LaptopIndex } from './index/laptop-index.ts';
import { searchRoutes } from './routes.ts';
import { createSearchQueue } from './search-queue.ts';

export interface SearchOptions {
  api: Api;
  publicReader: PublicReader;
  origin: string;
  /** Empty. The plugin loads it and keeps it up to date. */
  laptopIndex: LaptopIndex;
  cache: Pick<ResponseCache, 'forgetNotified'>;
  /** For connections to PostgreSQL itself, which read laptops and listen to their changes. */
  directUrl: string;
  /** A replica from which the index is loaded; null to load it from the primary. */
  replicaUrl: string | null;
  timeBudget: TimeBudget;
  metrics: Metrics;
}

/** Search and suggestions, from an index in memory that follows the database. */
export async function searchPlugin(app: FastifyInstance, options: SearchOptions): Promise<void> {
  const { api, publicReader, origin, directUrl, replicaUrl, cache, timeBudget, laptopIndex: index } = options;
  const follower = followLaptops({ primaryUrl: directUrl, replicaUrl }, index, {
    // A response that was created from the older index, after the change, is stale as well.
    onUpdate: cache.forgetNotified,
    onError: (error) => app.log.warn({ err: error }, 'the search index cannot be updated'),
    onDeaf: (sentence) => app.log.error(sentence),
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
  await registerCalls(app, api, (serve) => searchRoutes(serve, { publicReader, origin, index, queue }));
}
