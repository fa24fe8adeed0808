import type { SearchQuery } from '#contract/listings/search.ts';
import { type ChosenFilter, chosenFilters } from '../../laptops/filter-labels.ts';
import { toParameters } from './parse-search.ts';
import { searchUrl } from './search-url.ts';

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
