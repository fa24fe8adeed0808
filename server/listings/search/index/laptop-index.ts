import type { SearchFilters, SortOrder } from '#contract/listings/search.ts';
import { Columns } from './columns.ts';
import { countFacets, type FacetCounts } from './facet-counts.ts';
import { type LoosenedFilters, loosenOne, loosenSeveral } from './loosen.ts';
import { type Page, type PageRequest, pageByColumn, pageByNumber } from './page.ts';
import type { LaptopRow } from './row.ts';
import { hasWord, resolveWords, type SearchedWord } from './searched-words.ts';
import { type FilterName, Selection } from './selection.ts';
import { type Suggestions, suggest } from './suggest.ts';
import { splitWords } from './words.ts';

/** The smallest capacity, in rows. */
const MINIMUM_ROWS = 1024;

/** A copy is due when there is room for fewer laptops: more than are read between two calls of `maintain`. */
const MINIMUM_ROOM = 4096;

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
  /** When nothing matches without any one filter either: filters without which something would. */
  loosenTogether: LoosenedFilters[];
}

/** An index of all laptops for sale in memory. All operations are synchronous. */
export interface LaptopIndex {
  /**
   * Adds or replaces a laptop by its number. Fastest in ascending order of numbers. Copies the index at once when it is full,
   * which {@link LaptopIndex.maintain} avoids.
   */
  upsert(laptop: LaptopRow): void;
  /** Removes the laptop with a number, if there is one. */
  remove(number: number): void;
  /** Removes all laptops, and begins the loading of about so many. */
  clear(expected?: number): void;
  /** Ends the loading, during which memory is reserved in advance. */
  trim(): void;
  /** Whether the loading has ended. Until then searches find only a part of the laptops. */
  isLoaded(): boolean;
  /** Whether a laptop has exactly this word, as {@link splitWords} returns it. */
  hasWord(text: string): boolean;
  /**
   * Copies the index when it is almost full, or when a quarter of its rows are of removed laptops. Searches can run between
   * two steps of about a millisecond; a change of a laptop ends the copying without effect.
   * @returns the steps; none when nothing is due
   */
  maintain(): Generator<void>;
  /** The number of laptops. */
  count(): number;
  /** The size in bytes. Objects and strings of dictionaries are estimated. */
  size(): number;
  search(request: SearchRequest): IndexResult;
  /** Finds the newest matching laptops without counting anything. @returns their numbers */
  newest(filters: SearchFilters, limit: number): number[];
  /** Suggests up to 8 searches for typed words, and laptops that match them. */
  suggest(typed: string): Suggestions;
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
  const loosen = total > 0 ? [] : loosenOne(selection);
  return {
    total,
    ...toPage(columns, selection, request, searched.words ?? []),
    facets: countFacets(columns, filters, selection),
    ...(searched.corrected && { corrected: (searched.words ?? []).map(({ text }) => text).join(' ') }),
    loosen,
    loosenTogether: total > 0 || loosen.length > 0 ? [] : loosenSeveral(selection),
  };
}

function newest(columns: Columns, filters: SearchFilters, limit: number): number[] {
  using selection = new Selection(columns, filters, resolveWords(columns, splitWords(filters.q)));
  return pageByNumber(columns, [selection.rows], { sort: 'newest', limit, after: null }).numbers;
}

/** Creates an empty index. */
export function createLaptopIndex(): LaptopIndex {
  const capacityFor = (rows: number) => Math.max(Math.ceil(rows * 1.04), MINIMUM_ROWS);
  /** The number of changes, by which a copy in steps finds that it is out of date. */
  let changes = 0;
  let columns = new Columns(MINIMUM_ROWS);
  let isLoading = true;
  const count = () => columns.rows - columns.removed;
  function* copy(rows: number): Generator<void> {
    const before = changes;
    const steps = columns.copy(capacityFor(rows));
    for (;;) {
      const step = steps.next();
      if (changes !== before) return;
      if (step.done === true) {
        columns = step.value;
        return;
      }
      yield;
    }
  }
  const copyAtOnce = (rows: number) => {
    for (const _ of copy(rows));
  };
  /** The number of rows for which there should be room, or null if there is. */
  function dueCapacity(): number | null {
    const { rows, removed, bitmaps } = columns;
    const grown = count() * (isLoading ? 2 : 1.2);
    if (rows > bitmaps.capacity - Math.min(MINIMUM_ROOM, bitmaps.capacity / 8)) return grown;
    return removed > Math.max(rows / 4, MINIMUM_ROWS) ? count() * 1.1 : null;
  }
  return {
    upsert(laptop) {
      changes += 1;
      if (columns.rows === columns.bitmaps.capacity) copyAtOnce(count() * (isLoading ? 2 : 1.2));
      columns.upsert(laptop);
    },
    remove(number) {
      changes += 1;
      columns.remove(number);
    },
    clear(expected = 0) {
      changes += 1;
      isLoading = true;
      columns = new Columns(Math.max(capacityFor(expected) + MINIMUM_ROOM, MINIMUM_ROWS));
    },
    trim() {
      isLoading = false;
      columns.trim();
    },
    *maintain() {
      const rows = dueCapacity();
      if (rows !== null) yield* copy(rows);
    },
    isLoaded: () => !isLoading,
    hasWord: (text) => hasWord(columns, text),
    count,
    size: () => columns.bytes,
    search: (request) => search(columns, request),
    newest: (filters, limit) => newest(columns, filters, limit),
    suggest: (typed) => suggest(columns, typed),
  };
}
