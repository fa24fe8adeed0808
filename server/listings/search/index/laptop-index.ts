import { byFacet } from '#contract/listings/facets.ts';
import type { FilterName, SearchFilters } from '#contract/listings/search.ts';
import { LaptopTable } from './laptop-table.ts';
import { type FacetCounts, type LoosenedFilters, Matches } from './matches.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import type { LaptopRow } from './row.ts';
import { hasWord, resolveWords } from './searched-words.ts';
import { suggest } from './suggest.ts';
import { wordsOf } from './words.ts';

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

function search(table: LaptopTable, request: SearchRequest): IndexResult {
  const { filters } = request;
  const searched = resolveWords(table, wordsOf(filters.q));
  const words = searched.words ?? [];
  const matches = new Matches(table, filters, searched);
  const total = matches.rows.length;
  const loosen = total > 0 ? [] : matches.loosenOne();
  return {
    total,
    ...toPage(table, matches.rows, request, words),
    facets: byFacet((name) => matches.countFacet(name)),
    ...(searched.corrected && { corrected: words.map(({ text }) => text).join(' ') }),
    loosen,
    loosenTogether: total > 0 || loosen.length > 0 ? [] : matches.loosenSeveral(),
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
    hasWord: (text: string) => hasWord(table, text),
    /** The number of laptops. */
    count: () => table.count,
    /** The size in bytes. Objects and strings are estimated. */
    size: () => table.bytes,
    search: (request: SearchRequest) => search(table, request),
    /** Finds the newest matching laptops without counting anything. @returns their numbers */
    newest: (filters: SearchFilters, limit: number): number[] => {
      const { rows } = new Matches(table, filters, resolveWords(table, wordsOf(filters.q)));
      return toPage(table, rows, { sort: 'newest', limit, after: null }, []).numbers;
    },
    /** Suggests up to 8 searches for typed words, and laptops that match them. */
    suggest: (typed: string) => suggest(table, typed),
  };
}
