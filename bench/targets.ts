import type { Catalogue } from './catalogue.ts';
import { ROUNDS, type Target } from './measure.ts';
import { searchPaths } from './search-paths.ts';

/** A server that is measured. */
interface Server {
  pid: number;
  origin: string;
}

/** Request headers of a browser that change the response. */
export const browserHeaders = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br, zstd' };

/** Number of buyer and laptop pairs per round; rounds use different pairs. */
const PAIRS_PER_ROUND = 200_000;

/** Number of different searches per round, more than are answered in one. */
const SEARCHES_PER_ROUND = 6_000;

/** The measured targets by name. */
export type Targets = ReturnType<typeof createTargets>;

/** Creates the targets, each with its baseline. */
export function createTargets(
  { shop, bareBytes, bareQuery }: Record<'shop' | 'bareBytes' | 'bareQuery', Server>,
  paths: Record<'list' | 'home', string>,
  { pages, laptops }: Catalogue,
  buyerTokens: string[],
) {
  const createTarget = (
    name: string,
    { pid, origin }: Server,
    work: (round: number) => ReturnType<Target['task']>['work'],
    { baseline = null, headers = {} }: { baseline?: Target | null; headers?: Record<string, string> } = {},
  ): Target => ({
    name,
    pid,
    baseline,
    task: (round) => ({ origin, headers, work: work(round) }),
  });
  const page = (path: string) => () => ({ kind: 'pages' as const, paths: [path] });
  const allPages = () => ({ kind: 'pages' as const, paths: pages });
  const searches = searchPaths(SEARCHES_PER_ROUND * (ROUNDS + 1));
  const someSearches = (round: number) => ({
    kind: 'pages' as const,
    paths: searches.slice(round * SEARCHES_PER_ROUND, (round + 1) * SEARCHES_PER_ROUND),
  });

  const bareList = createTarget('bare node:http, the bytes of that list', bareBytes, page(paths.list));
  const bareHome = createTarget('bare node:http, the bytes of the home page', bareBytes, page(paths.home));
  const bareRead = createTarget('bare node:http + pg, one query', bareQuery, allPages);
  return {
    bareList,
    list: createTarget('list, unchanged', shop, page(paths.list), { baseline: bareList }),
    bareHome,
    home: createTarget('home page, cached', shop, page(paths.home), {
      baseline: bareHome,
      headers: browserHeaders,
    }),
    bareRead,
    everyList: createTarget('list, every page another', shop, allPages, { baseline: bareRead }),
    everySearch: createTarget('search with counts, every query another', shop, someSearches, {
      baseline: bareRead,
    }),
    bookings: {
      ...createTarget('booking (POST), with the emails that are sent meanwhile', shop, (round) => ({
        kind: 'bookings' as const,
        tokens: buyerTokens,
        laptops,
        from: round * PAIRS_PER_ROUND,
      })),
      // The longest path of the server: after 2 s, V8 still optimizes it.
      warmUpSeconds: 6,
    },
  } satisfies Record<string, Target>;
}
