import { lazy } from 'react';
import { data, href, type MetaDescriptor, redirect, useSearchParams } from 'react-router';
import { listBrands, readBrand } from '#contract/listings/catalogue.ts';
import {
  type SearchQuery,
  type SearchResult,
  searchLaptops,
  withUnderstood,
} from '#contract/listings/search.ts';
import { type Client, Problem } from '#contract/platform/client.ts';
import { deferHydration } from '../../deferred-hydration.tsx';
import { formatCount } from '../../formats/counts.ts';
import { Definitions } from '../../laptops/chips.tsx';
import { useComparedLaptops } from '../../laptops/compared-laptops.ts';
import { definitionsHtml } from '../../laptops/definitions.server.tsx';
import { understoodFilters } from '../../laptops/filter-labels.ts';
import { useRecentlySeen } from '../../laptops/seen-laptops.ts';
import { toTileLaptop } from '../../laptops/tile-laptop.ts';
import { publicMeta, type Site } from '../../metadata/page-meta.ts';
import { serverContext } from '../../server-context.ts';
import { useSession } from '../../session/session.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { Route } from './+types/page.ts';
import { ChosenFilters } from './chosen-filters.tsx';
import { describeSearch, lackedLabels, literalSearches, type SearchDescription } from './describe-search.ts';
import { FilterButton } from './filter-button.tsx';
import { FILTER_FORM, FilterForm } from './filter-form.tsx';
import { filterGroups } from './filter-groups.ts';
import { parseSearch, toParameters } from './parse-search.ts';
import { Results } from './results.tsx';
import { ResultsHeader } from './results-header.tsx';
import { SAVE_PARAMETER, type SaveSearchProps } from './save-search-props.ts';
import { searchUrl } from './search-url.ts';
import { useSearchState } from './use-search-state.ts';

const RequireSignInForParameters = lazyPart(() =>
  import('../../layout/require-sign-in-for-parameters.tsx').then(
    (loaded) => loaded.RequireSignInForParameters,
  ),
);

/** A link of a visitor to the dialog that saves the search, over the login page. */
function SaveSearchLink({ parameters }: SaveSearchProps) {
  const [asked] = useSearchParams();
  return (
    <>
      {asked.has(SAVE_PARAMETER) && <RequireSignInForParameters parameters={[SAVE_PARAMETER]} />}
      <LinkButton
        to={`${href('/laptops')}?${parameters}&${SAVE_PARAMETER}=yes`}
        rel="nofollow"
        preventScrollReset
        variant="secondary"
        size="small"
      >
        Save this search
      </LinkButton>
    </>
  );
}

const SaveSearchOfUser = lazyPart(
  () => import('./save-search-dialog.tsx').then((loaded) => loaded.SaveSearchOfUser),
  SaveSearchLink,
);

function SaveSearch(props: SaveSearchProps) {
  return useSession().status === 'signed-in' ? (
    <SaveSearchOfUser key={props.parameters} {...props} />
  ) : (
    <SaveSearchLink {...props} />
  );
}

const RecentlySeenList = lazyPart(() =>
  import('../../laptops/recently-seen-list.tsx').then((loaded) => loaded.RecentlySeenList),
);
const CompareBar = lazyPart(() =>
  import('../../laptops/compare-bar.tsx').then((loaded) => loaded.CompareBar),
);

/** The recently seen laptops, and those chosen for comparison at the bottom of the window; nothing where there are none. */
function KeptLaptops() {
  const seen = useRecentlySeen();
  const compared = useComparedLaptops();
  return (
    <>
      {seen.length > 0 && <RecentlySeenList laptops={seen} />}
      {compared.length > 0 && <CompareBar laptops={compared} />}
    </>
  );
}

/**
 * The tags of a results page. The loader makes them, so that browsers need no code for them.
 * @param isFound false when the search failed
 */
function searchMeta(
  { title, canonical, indexed }: SearchDescription,
  site: Site,
  isFound: boolean,
): MetaDescriptor[] {
  return [
    ...publicMeta({
      title,
      description: `${title}: pre-owned, with photos, facts and a seller you can call. Filter by memory, storage, screen, price and place.`,
      path: canonical,
      site,
    }),
    ...(indexed && isFound ? [] : [{ name: 'robots', content: 'noindex, follow' }]),
  ];
}

const SearchFailure = lazy(() => import('./search-failure.tsx'));

/** Searches. A cursor that the server does not know, such as one of an older version, means the first page. */
async function search(client: Client, query: SearchQuery): Promise<SearchResult> {
  try {
    return await client.call(searchLaptops, { query });
  } catch (error) {
    if (!(error instanceof Problem && 'cursor' in error.errors)) throw error;
    const { cursor: _, ...first } = query;
    return client.call(searchLaptops, { query: first });
  }
}

/** The present names of chosen brands, without duplicates. */
async function presentBrands(client: Client, chosen: readonly string[]): Promise<string[]> {
  if (chosen.length === 0) return [];
  const listed = new Set((await client.call(listBrands, {})).map(({ category_Id }) => category_Id));
  const found = chosen.map(async (id) => {
    if (listed.has(id)) return id;
    try {
      return (await client.call(readBrand, { params: { id } })).category_Id;
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return id;
      throw error;
    }
  });
  return [...new Set(await Promise.all(found))];
}

/** The laptops of a later page, such as `25–48 of 59`; null on the first one. @param listed their number */
function rangeOf({ skipped, total }: Pick<SearchResult, 'skipped' | 'total'>, listed: number): string | null {
  if (skipped === 0) return null;
  const last = formatCount(skipped + listed);
  // Nothing is left of a page whose laptops were all sold.
  return `${listed === 0 ? last : `${formatCount(skipped + 1)}–${last}`} of ${formatCount(total)}`;
}

export const handle = deferHydration;

export async function loader({ url, context }: Route.LoaderArgs) {
  const site = context.get(serverContext);
  const { client, report } = site;
  const query = parseSearch(url.searchParams);
  const described = describeSearch(query);
  const { title, heading, chosen, parameters } = described;
  const description = { title, heading, chosen, parameters, literal: [], definitions: definitionsHtml };
  try {
    const chosenBrands = query.brand.map(String);
    const brand = await presentBrands(client, chosenBrands);
    if (brand.join('\n') !== chosenBrands.join('\n')) {
      throw redirect(searchUrl(toParameters({ ...query, brand })), 301);
    }
    const { facets, laptops, closest, ...rest } = await search(client, query);
    // The address keeps the typed words. Every change of a filter leads to the address of what was read in them.
    const read = withUnderstood(query, rest);
    const shown = understoodFilters(read, rest);
    const result = {
      ...rest,
      range: rangeOf(rest, laptops.length),
      laptops: laptops.map(toTileLaptop),
      closest: closest.map((one) => ({ laptop: toTileLaptop(one.laptop), lacks: lackedLabels(one, shown) })),
    };
    return data({
      ...description,
      chosen: shown,
      parameters: describeSearch(read).parameters,
      literal: literalSearches(query, rest),
      result,
      groups: filterGroups(facets),
      failure: null,
      meta: searchMeta(described, site, true),
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const isTooMany = error.status === 429;
    if (!isTooMany) report(error);
    const meta = searchMeta(described, site, false);
    const failed = { ...description, result: null, groups: [], failure: error.message, meta };
    const status = error.status === 0 ? 503 : error.status;
    // The same as the API's. Crawlers, too, come back later.
    const headers = status === 503 || isTooMany ? { 'retry-after': '5' } : {};
    return data(failed, { status, headers });
  }
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = ({ loaderData }): MetaDescriptor[] => loaderData?.meta ?? [];

export default function LaptopsPage({ loaderData }: Route.ComponentProps) {
  const { heading, groups, result, failure, chosen } = loaderData;
  const search = useSearchState(loaderData.parameters);
  return (
    <div className="page-width min-h-svh pt-6 pb-24 sm:pt-10">
      <h1 className="text-2xl sm:text-4xl">{heading}</h1>
      {result === null ? (
        <SearchFailure message={failure} />
      ) : (
        <div className="mt-4 lg:grid lg:grid-cols-[15rem_1fr] lg:gap-8">
          <div id="filters" className="max-lg:not-target:hidden max-lg:mb-8 lg:row-span-2">
            <FilterForm id={FILTER_FORM} groups={groups} search={search} />
          </div>
          <div className="min-w-0">
            <ResultsHeader total={result.total} title={loaderData.title} search={search} range={result.range}>
              <FilterButton groups={groups} search={search} total={result.total} chosen={chosen.length} />
            </ResultsHeader>
            <ChosenFilters chosen={chosen} search={search} literal={loaderData.literal}>
              <SaveSearch
                parameters={loaderData.parameters}
                words={chosen.flatMap(({ filter, label }) => (filter === 'sort' ? [] : label)).join(', ')}
                corrected={result.corrected}
              />
            </ChosenFilters>
            <Results result={result} search={search} chosen={chosen} />
          </div>
        </div>
      )}
      <Definitions html={loaderData.definitions} />
      <KeptLaptops />
    </div>
  );
}
