import type { SearchFilters, SortOrder } from '#contract/search.ts';
import { Columns } from './columns.ts';
import { countFacets, type FacetCounts } from './facet-counts.ts';
import { type Page, type PageRequest, pageByColumn, pageByNumber } from './page.ts';
import type { LaptopRow } from './row.ts';
import { resolveWords, type SearchedWord } from './searched-words.ts';
import { type FilterName, Selection } from './selection.ts';
import { type Suggestion, suggest } from './suggest.ts';
import { splitWords } from './words.ts';

/** The smallest capacity, in rows. */
const MINIMUM_ROWS = 1024;

export interface SearchRequest extends PageRequest {
  filters: SearchFilters;
}

export interface IndexResult extends Page {
  /** The exact number of matching laptops. */
  total: number;
  facets: FacetCounts;
  /** The words that were searched instead of the typed ones. */
  corrected?: string;
  /** When nothing matches: the filters without which something would, with the number of matches. */
  loosen: { filter: FilterName; total: number }[];
}

/** An index of all laptops for sale in memory. All operations are synchronous. */
export interface LaptopIndex {
  /** Adds or replaces a laptop by its number. Fastest in ascending order of numbers. */
  upsert(laptop: LaptopRow): void;
  /** Removes the laptop with a number, if there is one. */
  remove(number: number): void;
  /** Ends the loading, during which memory is reserved in advance. */
  trim(): void;
  /** The number of laptops. */
  count(): number;
  /** The size in bytes. Objects and strings of dictionaries are estimated. */
  size(): number;
  search(request: SearchRequest): IndexResult;
  /** Suggests up to 8 searches for typed words. */
  suggest(typed: string): Suggestion[];
}

function toPage(
  columns: Columns,
  selection: Selection,
  request: PageRequest,
  words: readonly SearchedWord[],
): Page {
  const orders: Record<SortOrder, () => Page> = {
    newest: () => pageByNumber(columns, [selection.rows], request),
    price: () => pageByColumn(columns, selection.rows, request, columns.prices, true),
    '-price': () => pageByColumn(columns, selection.rows, request, columns.prices, false),
    saving: () => pageByColumn(columns, selection.rows, request, columns.savings, false),
    relevance: () => pageByNumber(columns, selection.byTitle(words), request),
  };
  return orders[request.sort]();
}

function search(columns: Columns, request: SearchRequest): IndexResult {
  const { filters } = request;
  const searched = resolveWords(columns, [...new Set(splitWords(filters.q))]);
  using selection = new Selection(columns, filters, searched);
  const total = columns.bitmaps.count(selection.rows);
  const loosen =
    total > 0
      ? []
      : selection.filters
          .map((filter) => ({ filter, total: columns.bitmaps.count(selection.without(filter)) }))
          .filter((without) => without.total > 0);
  return {
    total,
    ...toPage(columns, selection, request, searched.words ?? []),
    facets: countFacets(columns, filters, selection),
    ...(searched.corrected && { corrected: (searched.words ?? []).map(({ text }) => text).join(' ') }),
    loosen,
  };
}

/** Creates an empty index. */
export function createLaptopIndex(): LaptopIndex {
  const capacityFor = (rows: number) => Math.max(Math.ceil(rows * 1.04), MINIMUM_ROWS);
  let columns = new Columns(MINIMUM_ROWS);
  let isLoading = true;
  const count = () => columns.rows - columns.removed;
  const copy = (rows: number) => {
    columns = columns.copy(capacityFor(rows));
  };
  return {
    upsert(laptop) {
      if (columns.rows === columns.bitmaps.capacity) copy(count() * (isLoading ? 2 : 1.2));
      columns.upsert(laptop);
    },
    remove(number) {
      columns.remove(number);
      if (columns.removed > Math.max(columns.rows / 4, MINIMUM_ROWS)) copy(count());
    },
    trim() {
      isLoading = false;
      if (columns.bitmaps.capacity > capacityFor(count() * 1.1)) copy(count());
      else columns.trim();
    },
    count,
    size: () => columns.bytes,
    search: (request) => search(columns, request),
    suggest: (typed) => suggest(columns, typed),
  };
}
