import { byFacet, facetNames } from '#contract/listings/facets.ts';
import {
  CLOSEST_LAPTOPS,
  type FilterName,
  MAXIMUM_LOOSENED,
  type SearchFilters,
  type SearchResult,
  type SortOrder,
  withUnderstood,
} from '#contract/listings/search.ts';
import type { LaptopTable } from './laptop-table.ts';
import { firstRows } from './page.ts';
import { byMissing, type RowSet } from './row-set.ts';
import { resolveWords, rowsWith, type SearchedWord } from './searched-words.ts';
import { understand } from './understand.ts';
import { searchedWords } from './words.ts';

/**
 * Finds the rows that match a search. Each active filter is the set of rows that it accepts.
 * @param words those of `query.q`
 */
export function findMatches(table: LaptopTable, query: SearchFilters, words: readonly SearchedWord[]) {
  const { live, prices } = table;
  const low = (query.min_price ?? 0) * 100;
  const high = (query.max_price ?? Number.POSITIVE_INFINITY) * 100;
  /** The rows that each active filter accepts. */
  const accepted = new Map<FilterName, RowSet>();
  for (const name of facetNames) {
    const chosen = query[name];
    if (chosen.length > 0) accepted.set(name, table.facets[name].accepting(chosen, table.rows));
  }
  const withEach = words.map((word) => ({ text: word.text, ...rowsWith(table, word.words) }));
  if (words.length > 0) accepted.set('q', live.and(...withEach.map(({ any }) => any)));
  const isPriceGiven = query.min_price !== undefined || query.max_price !== undefined;
  if (isPriceGiven) accepted.set('price', prices.between(low, high, table.rows));
  const [names, sets] = [[...accepted.keys()], [...accepted.values()]];
  /** The rows that match all filters but one. */
  const allBut = (except?: RowSet) => live.and(...sets.filter((set) => set !== except));
  const all = allBut();
  /** The filters that a row does not match, as bits by their position. */
  const lackedBy = (row: number) => {
    let bits = 0;
    for (let at = 0; at < sets.length; at += 1) bits |= sets[at]?.has(row) ? 0 : 1 << at;
    return bits;
  };
  const namesOf = (bits: number) => names.filter((_, at) => ((bits >>> at) & 1) === 1);

  return {
    /** The matching rows. */
    all,

    /** For each word the rows that have it. */
    withEach,

    /** Counts the values of each facet among the laptops that match all other filters. */
    countFacets() {
      const half = table.count / 2;
      // Of more than half of all rows, the others are counted.
      const toCount = (set: RowSet) => {
        const areOthers = set.size > half;
        const [, others = set] = areOthers ? byMissing(live, [set]) : [];
        return { rows: others.toRows(), areOthers };
      };
      const allToCount = toCount(all);
      return byFacet((name) => {
        const set = accepted.get(name);
        const counted = set === undefined ? allToCount : toCount(allBut(set));
        return table.facets[name].count(counted, query[name].map(String));
      });
    },

    /**
     * The filters whose removal alone gives matches; if there are none, the smallest sets of filters whose removal together does: what
     * rows lack, those that lack least first. No set contains another.
     */
    loosen(): SearchResult['loosen'] {
      const alone = Array.from(accepted, ([name, set]) => ({ filters: [name], total: allBut(set).size }));
      if (alone.some(({ total }) => total > 0)) return alone.filter(({ total }) => total > 0);
      const found: { bits: number; total: number }[] = [];
      // Removing every filter is no useful suggestion.
      for (const rows of byMissing(live, sets).slice(2, -1)) {
        if (found.length >= MAXIMUM_LOOSENED) break;
        const totals = new Map<number, number>();
        for (const row of rows.toRows()) {
          const bits = lackedBy(row);
          totals.set(bits, (totals.get(bits) ?? 0) + 1);
        }
        const smallest = Array.from(totals, ([bits, total]) => ({ bits, total }))
          .filter(({ bits }) => !found.some((one) => (bits & one.bits) === one.bits))
          .sort((one, other) => other.total - one.total || one.bits - other.bits);
        found.push(...smallest);
      }
      return found.slice(0, MAXIMUM_LOOSENED).map(({ bits, total }) => ({ total, filters: namesOf(bits) }));
    },

    /**
     * The laptops that lack the fewest filters and words, without those that lack all; of those that lack as many, the nearest in price,
     * then the newest. Any price is near another.
     */
    closest() {
      const filtersAndWords = [
        ...sets.filter((_, at) => names[at] !== 'q'),
        ...withEach.map(({ any }) => any),
      ];
      const distances = isPriceGiven ? new Uint32Array(table.rows) : null;
      const closest: { row: number; number: number }[] = [];
      for (const found of byMissing(live, filtersAndWords).slice(0, isPriceGiven ? undefined : -1)) {
        if (closest.length >= CLOSEST_LAPTOPS) break;
        if (distances !== null) {
          for (const row of found.toRows()) {
            const price = prices.get(row);
            distances[row] = Math.max(low - price, price - high, 0);
          }
        }
        const limit = CLOSEST_LAPTOPS - closest.length;
        closest.push(...firstRows(table, found, { keys: distances, sign: 1, limit, after: null }).first);
      }
      return closest.map(({ row, number }) => ({
        number,
        filters: namesOf(lackedBy(row)).filter((name) => name !== 'q'),
        words: withEach.filter(({ any }) => !any.has(row)).map(({ text }) => text),
      }));
    },
  };
}

type Query = SearchFilters & { sort?: SortOrder | undefined };

/** Reads words of a search as filters. */
export function readFilters(table: LaptopTable, query: Query) {
  const understanding = understand(table, query);
  const { sort, ...filters } = withUnderstood(query, understanding);
  return { understanding, sort, filters };
}

/** Reads words of a search as filters, and finds the laptops that match these and the other words. */
export function readSearch(table: LaptopTable, query: Query) {
  const { filters, ...read } = readFilters(table, query);
  const typed = searchedWords(filters.q);
  const words = resolveWords(table, typed);
  return { ...read, typed, words, matches: findMatches(table, filters, words) };
}
