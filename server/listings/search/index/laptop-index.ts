import type { SearchFilters, SortOrder } from '#contract/listings/search.ts';
import { LaptopTable } from './laptop-table.ts';
import { findMatches, readFilters, readSearch } from './matches.ts';
import { newestOf, type PageRequest, toPage } from './page.ts';
import type { LaptopRow } from './row.ts';
import { resolveWords } from './searched-words.ts';
import { suggest } from './suggest.ts';
import { searchedWords } from './words.ts';

export interface SearchRequest extends Omit<PageRequest, 'sort'> {
  filters: SearchFilters;
  /** Default: an order that is read in the words, else by relevance if there are words, else newest first. */
  sort?: SortOrder | undefined;
}

function search(table: LaptopTable, { filters, sort: given, limit, after }: SearchRequest) {
  const { matches, typed, words, ...read } = readSearch(table, { ...filters, sort: given });
  const sort = read.sort ?? (filters.q === '' ? 'newest' : 'relevance');
  const total = matches.all.size;
  const searched = words.map(({ text }) => text).join(' ');
  const isCorrected = searched !== typed.join(' ') && words.every((word) => word.words.length > 0);
  return {
    ...read.understanding,
    sort,
    total,
    ...toPage(table, matches, { sort, limit, after }),
    facets: matches.countFacets(),
    ...(isCorrected && { corrected: searched }),
    loosen: total > 0 ? [] : matches.loosen(),
    closest: total > 0 ? [] : matches.closest(),
  };
}

/** An index of all laptops for sale in memory. All operations are synchronous. */
export type LaptopIndex = ReturnType<typeof createLaptopIndex>;

/** Creates an empty index. */
export function createLaptopIndex() {
  let table = new LaptopTable();
  let isLoaded = false;
  return {
    /** Adds or replaces a laptop by its number. */
    upsert: (laptop: LaptopRow): void => {
      table.remove(laptop.number);
      table.add(laptop);
    },
    /** Removes the laptop with a number, if there is one. */
    remove: (number: number) => table.remove(number),
    /** Replaces all laptops. */
    load: (loaded: LaptopTable) => {
      table = loaded;
      isLoaded = true;
    },
    /** Whether all laptops should be loaded again, because a quarter of the memory is of removed or changed ones. */
    isWasteful: () => table.isWasteful,
    /** Whether laptops have been loaded. */
    isLoaded: () => isLoaded,
    /** Whether a laptop has exactly this word, as `splitWords` returns it. */
    hasWord: (text: string) => table.has(table.vocabulary.get(text)),
    /** The number of laptops. */
    count: () => table.count,
    /** The size in bytes. Objects and strings are estimated. */
    size: () => table.bytes,
    search: (request: SearchRequest) => search(table, request),
    /** The numbers of the newest matching laptops. Nothing is counted. */
    newest: (filters: SearchFilters, limit: number): number[] =>
      newestOf(table, readSearch(table, filters).matches.all, limit),
    /** The filters that a search stands for, with words read as filters. */
    understand: (filters: SearchFilters): SearchFilters => readFilters(table, filters).filters,
    /** Suggests up to 8 searches for typed words, and laptops that match them. */
    suggest: (typed: string) => suggest(table, typed),
  };
}

/**
 * Creates a matcher for a few laptops, which answers as a search of the whole shop would, except that it corrects no misspelled
 * word and reads none as a filter. It evaluates a search for all laptops at once, as the index does.
 * @param laptops with distinct numbers, ascending
 * @param isKnown whether a laptop of the shop has exactly this word; else the last word of a search can be the beginning of one
 */
export function createLaptopMatcher(laptops: readonly LaptopRow[], isKnown: (word: string) => boolean) {
  const table = new LaptopTable();
  for (const laptop of laptops) table.add(laptop);
  return {
    /** @returns the numbers of the laptops that a search matches, ascending */
    match(filters: SearchFilters): number[] {
      // The answer must not depend on which similar words happen to be in the shop.
      const words = resolveWords(table, searchedWords(filters.q), { isKnown });
      return Array.from(findMatches(table, filters, words).all.toRows(), (row) => table.numbers.get(row));
    },
  };
}
