import { type FacetName, facetNames, facets } from '#contract/listings/facets.ts';
import {
  CLOSEST_LAPTOPS,
  type FilterName,
  MAXIMUM_LOOSENED,
  type SearchFilters,
  type SearchResult,
  type SortOrder,
  withUnderstood,
} from '#contract/listings/search.ts';
import { byCount, type FacetCount } from './columns.ts';
import type { LaptopTable } from './laptop-table.ts';
import { firstRows } from './page.ts';
import { countMissing, type RowSet } from './row-set.ts';
import { areCorrected, resolveWords, rowsWith, type SearchedWord } from './searched-words.ts';
import { understand } from './understand.ts';
import { searchedWords } from './words.ts';

const MAXIMUM_VALUES = 100;

/** Returns whether a value of a facet matches the chosen ones. */
function acceptedBy(name: FacetName, chosen: readonly (string | number)[]): (value: string) => boolean {
  const { groups = {} } = facets[name];
  const values = new Set(chosen.map(String));
  const accepts = [...values].flatMap((value) => groups[value]?.accepts ?? []);
  return (value) => values.has(value) || accepts.some((each) => each(value));
}

/**
 * Finds the rows that match a search. Each active filter is the set of rows that it accepts.
 * @param words those of `query.q`
 */
export function findMatches(table: LaptopTable, query: SearchFilters, words: readonly SearchedWord[]) {
  const { live, prices } = table;
  const low = (query.min_price ?? 0) * 100;
  const high = (query.max_price ?? Number.POSITIVE_INFINITY) * 100;
  const withEach = words.map((word) => ({ text: word.text, ...rowsWith(table, word.words) }));
  /** The rows that each active filter accepts. */
  const accepted = new Map<FilterName, RowSet>();
  for (const name of facetNames) {
    const accepts = acceptedBy(name, query[name]);
    if (query[name].length > 0) accepted.set(name, table.facets[name].accepting(accepts, table.rows));
  }
  const withAll = withEach.reduce((all, { any }) => all.and(any), live);
  if (words.length > 0) accepted.set('q', withAll);
  const isPriceGiven = query.min_price !== undefined || query.max_price !== undefined;
  if (isPriceGiven) accepted.set('price', prices.between(low, high, table.rows));
  const [names, sets] = [[...accepted.keys()], [...accepted.values()]];
  const lacking = countMissing(live, sets);
  const all = lacking(0);
  const almost = lacking(1);
  /** The filters that a row does not match, as bits by their position. */
  const lackedBy = (row: number) => {
    let bits = 0;
    for (let at = 0; at < sets.length; at += 1) bits |= sets[at]?.has(row) ? 0 : 1 << at;
    return bits;
  };
  const namesOf = (bits: number) => names.filter((_, at) => ((bits >>> at) & 1) === 1);
  const half = table.count / 2;
  /** Lists rows to count. Of more than half of all, the others are counted. */
  const toCount = (set: RowSet) => {
    const areOthers = set.size > half;
    return { rows: (areOthers ? live.and(set, false) : set).toRows(), areOthers };
  };
  const allToCount = toCount(all);
  const rows = allToCount.areOthers ? all.toRows() : allToCount.rows;

  return {
    /** The matching rows. */
    all,

    /** The same, ascending. */
    rows,

    /** For each word the rows that have it. */
    withEach,

    /** Counts the values of a facet among the laptops that match all other filters. */
    countFacet(name: FacetName): FacetCount[] {
      const column = table.facets[name];
      const { maximum = MAXIMUM_VALUES, groups = {} } = facets[name];
      const chosen = query[name].map(String);
      const set = accepted.get(name);
      if (set === undefined && rows.length === 0) return [];
      const counts = column.count(allToCount);
      const further = set && column.count(toCount(almost.and(set, false)));
      for (const [code, count] of further?.entries() ?? []) counts[code] = (counts[code] ?? 0) + count;
      // The first value is none.
      const ofValues = column.values.map((value, code) => ({ value, count: counts[code] ?? 0 })).slice(1);
      const countOf = (accepts: (value: string) => boolean) =>
        ofValues.reduce((sum, { value, count }) => (accepts(value) ? sum + count : sum), 0);
      const ofGroups = Object.entries(groups)
        .filter(([value, { isListed }]) => isListed || chosen.includes(value))
        .map(([value, { accepts }]) => ({ value, count: countOf(accepts) }))
        .filter(({ value, count }) => count > 0 || chosen.includes(value))
        .sort(byCount);
      // There can be many values, of which only the most frequent are sorted by name, too.
      const least = Math.max(counts.subarray(1).toSorted().at(-maximum) ?? 0, 1);
      const frequent = ofValues
        .filter(({ value, count }) => count >= least && !Object.hasOwn(groups, value))
        .sort(byCount)
        .slice(0, maximum);
      const listed = [...ofGroups, ...frequent];
      const others = chosen.filter((value) => !listed.some((other) => other.value === value));
      return [...listed, ...others.map((value) => ({ value, count: countOf((each) => each === value) }))];
    },

    /** The filters whose removal alone gives further matches. */
    loosenOne: (): SearchResult['loosen'] =>
      Array.from(accepted, ([filter, set]) => ({ filter, total: almost.and(set, false).size })).filter(
        ({ total }) => total > 0,
      ),

    /**
     * The smallest sets of filters whose removal together gives matches, when no removal of one does: what rows lack, those that lack
     * least first. No set contains another.
     */
    loosenSeveral(): SearchResult['loosenTogether'] {
      const found: { bits: number; total: number }[] = [];
      // Removing every filter is no useful suggestion.
      for (let count = 2; count < names.length && found.length < MAXIMUM_LOOSENED; count += 1) {
        const totals = new Map<number, number>();
        for (const row of lacking(count).toRows()) {
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

    /** The laptops that lack the fewest filters and words; of those that lack as many, the nearest in price, then the newest. */
    closest() {
      const filtersAndWords = [
        ...sets.filter((_, at) => names[at] !== 'q'),
        ...withEach.map(({ any }) => any),
      ];
      const missing = countMissing(live, filtersAndWords);
      const distances = isPriceGiven ? new Uint32Array(table.rows) : null;
      const closest: { row: number; number: number }[] = [];
      for (let count = 1; count <= filtersAndWords.length && closest.length < CLOSEST_LAPTOPS; count += 1) {
        const rows = missing(count).toRows();
        if (distances !== null) {
          for (let at = 0; at < rows.length; at += 1) {
            const price = prices.get(rows[at] ?? 0);
            distances[rows[at] ?? 0] = Math.max(low - price, price - high, 0);
          }
        }
        const limit = CLOSEST_LAPTOPS - closest.length;
        closest.push(...firstRows(table, rows, { keys: distances, sign: 1, limit, after: null }).first);
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
  return {
    ...read,
    words,
    corrected: areCorrected(words, typed),
    matches: findMatches(table, filters, words),
  };
}
