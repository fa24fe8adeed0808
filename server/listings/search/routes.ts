import * as z from 'zod/mini';
import * as contract from '#contract/listings/search.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { declareCacheDependencies } from '#server/platform/http/cache-dependencies.ts';
import { encodeCursor, keyedPageRequest } from '#server/platform/http/paging.ts';
import { SerializedJson, type Serve } from '#server/platform/http/serve.ts';
import { foundLaptopsByNumber, laptopDependencies, SEARCH_TAG } from '../catalogue/steps.ts';
import type { LaptopIndex } from './index/laptop-index.ts';
import type { SearchQueue } from './search-queue.ts';
import { findSimilar } from './similar.ts';
import { suggestLaptops } from './suggest-laptops.ts';

/** The laptops of a page without a `limit`. */
const DEFAULT_LIMIT = 24;

export interface SearchDependencies {
  database: Database;
  origin: string;
  index: LaptopIndex;
  queue: SearchQueue;
}

/** The position of the last laptop of a page. */
const Position = z.object({ key: z.int(), number: z.int() });

/** Routes for searching laptops. */
export function searchRoutes(serve: Serve, { database, origin, index, queue }: SearchDependencies): void {
  serve(contract.searchLaptops, async ({ query, request }) => {
    const { sort, cursor, limit = DEFAULT_LIMIT, ...filters } = query;
    const { after } = keyedPageRequest({ cursor, limit }, Position);
    const answer = await queue.run(request.ip, async () => {
      const { numbers, next, closest, ...result } = index.search({ filters, sort, limit, after });
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
        next: next === null ? null : encodeCursor(next),
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
}
