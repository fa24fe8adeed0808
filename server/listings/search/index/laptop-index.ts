import { byFacet } from '#contract/listings/facets.ts';
import type { SearchFilters, SearchResult, SortOrder } from '#contract/listings/search.ts';
import { LaptopTable } from './laptop-table.ts';
import { type ClosestLaptop, readFilters, readSearch } from './matches.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import type { LaptopRow } from './row.ts';
import { isPresent } from './searched-words.ts';
import { suggest } from './suggest.ts';

export interface SearchRequest extends Omit<PageRequest, 'sort'> {
  filters: SearchFilters;
  /** Default: an order that is read in the words, else by relevance if there are words, else newest first. */
  sort?: SortOrder | undefined;
}

/** A result of a search with the numbers of its laptops. */
export interface IndexResult extends Page, Omit<SearchResult, 'laptops' | 'closest' | keyof Page> {
  closest: ClosestLaptop[];
}

function search(table: LaptopTable, { filters, sort: given, limit, after }: SearchRequest): IndexResult {
  const read = readSearch(table, { ...filters, sort: given });
  const { matches, words } = read;
  const sort = read.sort ?? (filters.q === '' ? 'newest' : 'relevance');
  const total = matches.rows.length;
  const loosen = total > 0 ? [] : matches.loosenOne();
  return {
    ...read.understanding,
    sort,
    total,
    ...toPage(table, matches.rows, { sort, limit, after }, words),
    facets: byFacet((name) => matches.countFacet(name)),
    ...(read.corrected && { corrected: words.map(({ text }) => text).join(' ') }),
    loosen,
    loosenTogether: total > 0 || loosen.length > 0 ? [] : matches.loosenSeveral(),
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
    upsert: (laptop: LaptopRow) => table.upsert(laptop),
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
    hasWord: (text: string) => isPresent(table, table.vocabulary.get(text)),
    /** The number of laptops. */
    count: () => table.count,
    /** The size in bytes. Objects and strings are estimated. */
    size: () => table.bytes,
    search: (request: SearchRequest) => search(table, request),
    /** Finds the newest matching laptops without counting anything. @returns their numbers */
    newest: (filters: SearchFilters, limit: number): number[] => {
      const { matches } = readSearch(table, filters);
      return toPage(table, matches.rows, { sort: 'newest', limit, after: null }, []).numbers;
    },
    /** The filters that a search stands for, with words read as filters. */
    understand: (filters: SearchFilters): SearchFilters => readFilters(table, filters).filters,
    /** Suggests up to 8 searches for typed words, and laptops that match them. */
    suggest: (typed: string) => suggest(table, typed),
  };
}
