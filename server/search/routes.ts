import * as z from 'zod/mini';
import * as contract from '#contract/search.ts';
import { foundLaptops } from '../catalogue/steps.ts';
import type { Database } from '../database/tables.ts';
import { encodeCursor, keyedPageRequest } from '../http/paging.ts';
import { Refusal } from '../http/refusal.ts';
import type { Serve } from '../http/serve.ts';
import type { LaptopIndex } from './index/laptop-index.ts';

/** The laptops of a page without a `limit`. */
const DEFAULT_LIMIT = 24;

/** Milliseconds for which a search waits for the index after the start. */
const LOADING_TIMEOUT_MS = 10_000;

export interface SearchDependencies {
  database: Database;
  origin: string;
  index: LaptopIndex;
  /** Resolves when the index has been loaded. */
  loaded: Promise<void>;
}

/** The position of the last laptop of a page. */
const Position = z.object({ key: z.int(), number: z.int() });

/** Waits until the index is loaded. @throws Refusal when that takes too long */
async function whenLoaded(loaded: Promise<void>): Promise<void> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      timeout.reject(new Refusal('busy', 'The search is being prepared. Please try again in a few seconds.')),
    LOADING_TIMEOUT_MS,
  );
  try {
    await Promise.race([loaded, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Routes for searching laptops. */
export function searchRoutes(serve: Serve, { database, origin, index, loaded }: SearchDependencies): void {
  serve(contract.searchLaptops, async ({ query }) => {
    const { sort, cursor, limit = DEFAULT_LIMIT, ...filters } = query;
    const { after } = keyedPageRequest({ cursor, limit }, Position);
    await whenLoaded(loaded);
    const order = sort ?? (filters.q === '' ? 'newest' : 'relevance');
    const { numbers, next, ...result } = index.search({ filters, sort: order, limit, after });
    return {
      ...result,
      laptops: await foundLaptops(database, numbers, origin),
      next: next === null ? null : encodeCursor(next),
    };
  });

  serve(contract.suggestSearches, async ({ query }) => {
    await whenLoaded(loaded);
    return { suggestions: index.suggest(query.q) };
  });
}
