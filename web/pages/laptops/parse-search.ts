import * as z from 'zod/mini';
import { facetNames, facets, MAXIMUM_FILTER_VALUES } from '#contract/listings/facets.ts';
import { SearchQuery } from '#contract/listings/search.ts';

const { q, min_price, max_price, sort, cursor } = SearchQuery.shape;
const singleParameters = { q, min_price, max_price, sort, cursor };

const accepts = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success;

/**
 * Parses the parameters of a results page. Unlike the call, it ignores what it does not know: a link from elsewhere should
 * show laptops.
 */
export function parseSearch(parameters: URLSearchParams): SearchQuery {
  const accepted: Record<string, string | string[]> = {};
  for (const name of facetNames) {
    const values = parameters.getAll(name).filter((value) => accepts(facets[name].chosen, value));
    accepted[name] = [...new Set(values)].slice(0, MAXIMUM_FILTER_VALUES);
  }
  for (const [name, schema] of Object.entries(singleParameters)) {
    const value = parameters.getAll(name).find((given) => given !== '' && accepts(schema, given));
    if (value !== undefined) accepted[name] = value;
  }
  const query = SearchQuery.parse(accepted);
  // Words are what "relevance" compares.
  if (query.q === '' && query.sort === 'relevance') delete query.sort;
  const { min_price: low, max_price: high } = query;
  return low !== undefined && high !== undefined && low > high
    ? { ...query, min_price: high, max_price: low }
    : query;
}

/** The parameters of a parsed search, without the cursor. */
export function toParameters({ cursor: _, ...query }: SearchQuery): URLSearchParams {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, one === undefined ? '' : String(one)]),
  );
  return new URLSearchParams(entries);
}
