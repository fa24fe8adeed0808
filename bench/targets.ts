import type { Client } from 'pg';
import { type Catalogue, changeLaptopsRepeatedly } from './catalogue.ts';
import type { Target } from './measure.ts';
import { searchPaths } from './search-paths.ts';

/** A server that is measured. */
export interface Server {
  pid: number;
  origin: string;
}

/** The measured paths with their queries. */
export type Paths = Record<
  'firstPage' | 'deepPage' | 'brands' | 'home' | 'blog' | 'laptop' | 'search',
  string
>;

/** Request headers of a browser that change the response. */
export const browserHeaders = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br, zstd' };

/** Where the minimal server has the compressed bytes of a path. */
export const compressedPath = (path: string): string => `${path}&compressed`;

/** Interval of the changes in the target with a changing catalogue, in milliseconds. */
export const CHANGE_MILLISECONDS = 10;

/** Number of buyer and laptop pairs per round; rounds use different pairs. */
const PAIRS_PER_ROUND = 400_000;

/** Number of different searches per round, more than are answered in one. */
const SEARCHES_PER_ROUND = 12_000;

/** Every page of the category, one after the other. */
export const categoryTarget = (
  { pid, origin }: Server,
  paths: string[],
  baseline: Target | null = null,
): Target => ({
  name: 'category, every page another',
  pid,
  baseline,
  task: () => ({ origin, headers: {}, status: 200, work: { kind: 'pages', paths } }),
});

/** The measured targets by name. */
export type Targets = ReturnType<typeof createTargets>;

/**
 * Creates the targets, each with its baseline.
 * @param firstPageTag the entity tag of the first page
 * @param signedIn.messagePages the first pages of conversations, each with the token of its buyer
 */
export function createTargets(
  servers: { shop: Server; bareBytes: Server; bareQuery: Server },
  paths: Paths,
  firstPageTag: string,
  { pages, laptops }: Catalogue,
  {
    buyerTokens,
    messagePages,
  }: { buyerTokens: string[]; messagePages: Record<'paths' | 'tokens', string[]> },
  client: Client,
) {
  const { shop, bareBytes, bareQuery } = servers;
  const createTarget = (
    name: string,
    { pid, origin }: Server,
    work: ReturnType<Target['task']>['work'],
    baseline: Target | null = null,
    headers: Record<string, string> = {},
  ): Target => ({ name, pid, baseline, task: () => ({ origin, headers, status: 200, work }) });
  const page = (path: string) => ({ kind: 'page' as const, path });
  const allPages = { kind: 'pages' as const, paths: pages };
  const firstPath = page(paths.firstPage);

  const bareFirstPage = createTarget('bare node:http, the bytes of that page', bareBytes, firstPath);
  const bareBrands = createTarget('bare node:http, the bytes of the brands', bareBytes, page(paths.brands));
  const bareOf = (name: string, path: string) =>
    createTarget(`bare node:http, the bytes of the ${name}`, bareBytes, page(path));
  const bareHome = bareOf('home page', paths.home);
  const bareBlog = bareOf('blog', paths.blog);
  const bareLaptop = bareOf('laptop’s page', paths.laptop);
  const bareSearch = bareOf('search page', paths.search);
  const bareCompressed = createTarget(
    'bare node:http, the compressed bytes of the first page',
    bareBytes,
    page(compressedPath(paths.firstPage)),
  );
  const bareRead = createTarget('bare node:http + pg, one query', bareQuery, allPages);
  const bareMessages = createTarget('bare node:http + pg, one query for 50 messages', bareQuery, {
    kind: 'pages',
    paths: messagePages.paths,
  });
  const changingName = `category, first page, a laptop changing every ${CHANGE_MILLISECONDS} ms`;
  const searches = searchPaths(SEARCHES_PER_ROUND * 4);
  const notModifiedName = 'category, first page, If-None-Match (304)';
  const notModified = createTarget(notModifiedName, shop, firstPath, bareFirstPage, {
    'if-none-match': firstPageTag,
  });
  return {
    bareFirstPage,
    firstPage: createTarget('category, first page, unchanged', shop, firstPath, bareFirstPage),
    deepPage: createTarget('category, deep page, unchanged', shop, page(paths.deepPage), bareFirstPage),
    notModifiedPage: {
      ...notModified,
      task: (round: number) => ({ ...notModified.task(round), status: 304 }),
    },
    bareRead,
    everyPage: categoryTarget(shop, pages, bareRead),
    changing: {
      ...createTarget(changingName, shop, firstPath, bareRead),
      startConcurrentWork: () => changeLaptopsRepeatedly(client, CHANGE_MILLISECONDS),
    },
    bareBrands,
    brands: createTarget('brands', shop, page(paths.brands), bareBrands),
    bareHome,
    bareCompressed,
    compressed: createTarget(
      'category, first page, compressed',
      shop,
      firstPath,
      bareCompressed,
      browserHeaders,
    ),
    home: createTarget('home page, kept', shop, page(paths.home), bareHome, browserHeaders),
    bareBlog,
    blog: createTarget('blog, kept', shop, page(paths.blog), bareBlog, browserHeaders),
    bareLaptop,
    laptop: createTarget('laptop’s page, kept', shop, page(paths.laptop), bareLaptop, browserHeaders),
    bareSearch,
    search: createTarget('search page, kept', shop, page(paths.search), bareSearch, browserHeaders),
    everySearch: {
      name: 'search with counts, every query another',
      pid: shop.pid,
      baseline: bareRead,
      task: (round: number) => {
        const paths = searches.slice(round * SEARCHES_PER_ROUND, (round + 1) * SEARCHES_PER_ROUND);
        return { origin: shop.origin, headers: {}, status: 200, work: { kind: 'pages' as const, paths } };
      },
    },
    bareMessages,
    messages: createTarget(
      'messages of a conversation, 50 of another one each',
      shop,
      { kind: 'pages', ...messagePages },
      bareMessages,
    ),
    bookings: {
      name: 'booking (POST), with the emails that are sent meanwhile',
      pid: shop.pid,
      baseline: null,
      // The longest path of the server: after 2 s, V8 still optimizes it.
      warmUpSeconds: 6,
      task: (round: number) => ({
        origin: shop.origin,
        headers: {},
        status: 200,
        work: { kind: 'bookings' as const, tokens: buyerTokens, laptops, from: round * PAIRS_PER_ROUND },
      }),
    },
  } satisfies Record<string, Target>;
}
