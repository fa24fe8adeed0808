import type { SearchQuery, SearchResult, Understanding } from '#contract/listings/search.ts';
import { type ChosenFilter, chosenFilters } from '../../laptops/filter-labels.ts';
import { toParameters } from './parse-search.ts';
import { searchUrl } from './search-url.ts';

/** What a results page shows of its URL. */
export interface SearchDescription {
  /** The title. */
  title: string;
  /** The heading: of many filters only the beginning, because all stand below it. */
  heading: string;
  chosen: ChosenFilter[];
  /** The clean parameters as text, without the cursor. */
  parameters: string;
  /** The path and parameters of the canonical URL: in a fixed order, without sorting and the cursor. */
  canonical: string;
  /** Whether search engines may index it: at most one chosen value, and no words. */
  indexed: boolean;
}

/** With more filters than this, the heading does not repeat them. */
const MAXIMUM_NAMED = 2;

/** The beginning of a title, such as `Dell laptops`. */
function startOf({ q, brand }: SearchQuery): string {
  if (q !== '') return `Results for “${q}”`;
  return brand.length === 0 ? 'Laptops' : `${brand.join(', ')} laptops`;
}

/** The title, such as `Dell laptops, 16 GB`. */
function titleOf(query: SearchQuery, chosen: readonly ChosenFilter[]): string {
  const { q } = query;
  const rest = chosen
    .filter(({ filter }) => filter !== 'q' && (filter !== 'brand' || q !== ''))
    .map(({ label }) => label);
  return [startOf(query), ...rest].join(', ');
}

export function describeSearch(query: SearchQuery): SearchDescription {
  const chosen = chosenFilters(query);
  const parameters = toParameters(query);
  const ordered = new URL(searchUrl(parameters), 'http://shop').searchParams;
  const unsorted = new URLSearchParams(ordered);
  unsorted.delete('sort');
  const title = titleOf(query, chosen);
  return {
    title,
    heading: chosen.length > MAXIMUM_NAMED ? startOf(query) : title,
    chosen,
    parameters: ordered.toString(),
    canonical: searchUrl(unsorted),
    indexed: chosen.length <= 1 && query.q === '',
  };
}

/** What a laptop lacks of the chosen filters and the words, for display. */
export const lackedLabels = (
  { filters, words }: Pick<SearchResult['closest'][number], 'filters' | 'words'>,
  chosen: readonly ChosenFilter[],
): string[] => [
  ...filters.flatMap((name) => {
    const labels = chosen.filter(({ filter }) => filter === name).map(({ label }) => label);
    return labels.length === 0 ? [] : labels.join(' or ');
  }),
  ...words.map((word) => `“${word}”`),
];

/** The words that were read as what a use needs, each with the URL of the search for the words themselves: in double quotes. */
export function literalSearches(query: SearchQuery, { understood }: Pick<Understanding, 'understood'>) {
  const isAmbiguous = ({ parameters }: Understanding['understood'][number]) =>
    parameters.some(({ name }) => !['min_price', 'max_price', 'place', 'sort'].includes(name));
  return understood
    .filter((phrase) => isAmbiguous(phrase) && query.q.includes(phrase.text))
    .map(({ text }) => {
      const q = query.q.replace(text, () => `"${text}"`);
      return { text, url: searchUrl(toParameters({ ...query, q })) };
    });
}
