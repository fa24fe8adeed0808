import { formatDollars } from '#contract/money.ts';
import type { SearchQuery } from '#contract/search.ts';
import { facetNames, valueLabel } from './filter-groups.ts';
import { toParameters } from './parse-search.ts';
import { type FilterName, searchUrl } from './search-url.ts';

/** A chosen value, which can be removed on its own. */
export interface ChosenFilter {
  label: string;
  filter: FilterName;
  /** The value of a filter with several; null removes the whole filter. */
  value: string | null;
}

/** What a results page shows of its URL. */
export interface SearchDescription {
  /** The heading and the title. */
  title: string;
  chosen: ChosenFilter[];
  /** The clean parameters as text, without the cursor. */
  parameters: string;
  /** The path and parameters of the canonical URL: in a fixed order, without sorting and the cursor. */
  canonical: string;
  /** Whether search engines may index it: at most one chosen value, and no words. */
  indexed: boolean;
}

function priceLabel({ min_price: low, max_price: high }: SearchQuery): string | null {
  const dollars = (price: number) => formatDollars(price).replace(/\.00$/, '');
  if (low !== undefined && high !== undefined) return `${dollars(low)} to ${dollars(high)}`;
  if (low !== undefined) return `from ${dollars(low)}`;
  return high === undefined ? null : `up to ${dollars(high)}`;
}

function chosenFilters(query: SearchQuery): ChosenFilter[] {
  const facets = facetNames.flatMap((filter) => {
    const values = query[filter] ?? [];
    return (typeof values === 'string' ? [values] : values.map(String)).map((value) => ({
      filter,
      value,
      label: valueLabel(filter, value),
    }));
  });
  const price = priceLabel(query);
  return [
    ...(query.q === '' ? [] : [{ filter: 'q' as const, value: null, label: `“${query.q}”` }]),
    ...facets,
    ...(price === null ? [] : [{ filter: 'price' as const, value: null, label: price }]),
  ];
}

/** The title, such as `Dell laptops, 16 GB`. */
function titleOf({ q, brand }: SearchQuery, chosen: readonly ChosenFilter[]): string {
  const start =
    q === '' ? (brand.length === 0 ? 'Laptops' : `${brand.join(', ')} laptops`) : `Results for “${q}”`;
  const rest = chosen
    .filter(({ filter }) => filter !== 'q' && (filter !== 'brand' || q !== ''))
    .map(({ label }) => label);
  return [start, ...rest].join(', ');
}

export function describeSearch(query: SearchQuery): SearchDescription {
  const chosen = chosenFilters(query);
  const parameters = toParameters(query);
  const ordered = new URL(searchUrl(parameters), 'http://shop').searchParams;
  const unsorted = new URLSearchParams(ordered);
  unsorted.delete('sort');
  return {
    title: titleOf(query, chosen),
    chosen,
    parameters: ordered.toString(),
    canonical: searchUrl(unsorted),
    indexed: chosen.length <= 1 && query.q === '',
  };
}
