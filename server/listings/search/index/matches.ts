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
import { currency } from '#contract/platform/money.ts';
import { byCount, type Cells, type FacetCount } from './columns.ts';
import type { LaptopTable } from './laptop-table.ts';
import { areCorrected, countFirstWords, resolveWords, type SearchedWord } from './searched-words.ts';
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

/** Adds a bit to the rows that do not have all words. */
function rejectWords(
  mismatches: Uint32Array,
  bit: number,
  table: LaptopTable,
  words: readonly SearchedWord[],
) {
  const counts = countFirstWords(table, words);
  for (let row = 0; row < mismatches.length; row += 1) {
    if (counts[row] !== words.length) mismatches[row] = (mismatches[row] ?? 0) | bit;
  }
}

/** Adds a bit to the rows whose price is not between two, in cents. */
function rejectPrices(mismatches: Uint32Array, bit: number, prices: Cells, low: number, high: number) {
  for (let row = 0; row < mismatches.length; row += 1) {
    const price = prices[row] ?? 0;
    if (price < low || price > high) mismatches[row] = (mismatches[row] ?? 0) | bit;
  }
}

/**
 * Adds the highest bit to removed rows, and sorts the rows by their bits, those with the same bits ascending.
 * @returns them, and where those with each combination of bits end
 */
function sortRows(mismatches: Uint32Array, removed: Cells, removedBit: number) {
  const counts = new Uint32Array(removedBit * 2);
  for (let row = 0; row < mismatches.length; row += 1) {
    const bits = (mismatches[row] ?? 0) | ((removed[row] ?? 0) * removedBit);
    mismatches[row] = bits;
    counts[bits] = (counts[bits] ?? 0) + 1;
  }
  let end = 0;
  const ends = counts.map((count) => {
    end += count;
    return end;
  });
  const sorted = new Uint32Array(mismatches.length);
  for (let row = mismatches.length - 1; row >= 0; row -= 1) {
    const bits = mismatches[row] ?? 0;
    const left = (counts[bits] ?? 0) - 1;
    counts[bits] = left;
    sorted[(ends[bits - 1] ?? 0) + left] = row;
  }
  return { sorted, ends };
}

/**
 * Finds the rows that match a search. Each row has a bit for each active filter that it does not match, and one more, the highest, if it
 * is removed: rows without bits match, and those with a single one are counted for that filter.
 * @param words those of `query.q`
 */
export function findMatches(table: LaptopTable, query: SearchFilters, words: readonly SearchedWord[]) {
  const { min_price: low = 0, max_price: high = Number.POSITIVE_INFINITY } = query;
  /** The active filters, in the order of their bits. */
  const filters: FilterName[] = facetNames.filter((name) => query[name].length > 0);
  if (words.length > 0) filters.push('q');
  if (query.min_price !== undefined || query.max_price !== undefined) filters.push('price');
  const mismatches = new Uint32Array(table.rows);
  for (const [index, name] of filters.entries()) {
    const bit = 1 << index;
    if (name === 'q') rejectWords(mismatches, bit, table, words);
    else if (name === 'price') rejectPrices(mismatches, bit, table.prices.cells, low * 100, high * 100);
    else table.facets[name].reject(mismatches, bit, acceptedBy(name, query[name]));
  }
  const { sorted, ends } = sortRows(mismatches, table.removed.cells, 1 << filters.length);
  const rowsWith = (bits: number) => sorted.subarray(ends[bits - 1] ?? 0, ends[bits]);
  const rows = rowsWith(0);
  /** The rows that match all active filters but this one. */
  const rowsWithout = (filter: FilterName) =>
    filters.includes(filter) ? rowsWith(1 << filters.indexOf(filter)) : new Uint32Array();
  const filtersOf = (bits: number) => filters.filter((_, index) => ((bits >>> index) & 1) === 1);

  return {
    /** The matching rows, ascending. */
    rows,

    /** The bits of each row. */
    mismatches,

    /** Counts the values of a facet among the laptops that match all other filters. */
    countFacet(name: FacetName): FacetCount[] {
      const column = table.facets[name];
      const { maximum = MAXIMUM_VALUES, groups = {} } = facets[name];
      const chosen = query[name].map(String);
      const lists = [rows, rowsWithout(name)];
      const isEverything = lists.reduce((sum, { length }) => sum + length, 0) === table.count;
      const counts = isEverything ? Uint32Array.from(column.sizes) : column.count(lists);
      const countOf = (accepts: (value: string) => boolean) =>
        column.values.reduce((sum, each, code) => (accepts(each) ? sum + (counts[code] ?? 0) : sum), 0);
      const ofGroups = Object.entries(groups)
        .filter(([value, { isListed }]) => isListed || chosen.includes(value))
        .map(([value, { accepts }]) => ({ value, count: countOf((each) => each !== '' && accepts(each)) }))
        .filter(({ value, count }) => count > 0 || chosen.includes(value))
        .sort(byCount);
      // There can be many values, of which only the most frequent are sorted by name, too.
      const least = Math.max(counts.subarray(1).toSorted().at(-maximum) ?? 0, 1);
      const frequent = column.values
        .map((value, code) => ({ value, count: counts[code] ?? 0 }))
        .filter(({ value, count }) => value !== '' && count >= least)
        .sort(byCount)
        .slice(0, maximum)
        .filter(({ value }) => !Object.hasOwn(groups, value));
      const listed = [...ofGroups, ...frequent];
      const others = chosen.filter((value) => !listed.some((other) => other.value === value));
      return [...listed, ...others.map((value) => ({ value, count: countOf((each) => each === value) }))];
    },

    /** The filters whose removal alone gives further matches. */
    loosenOne: (): SearchResult['loosen'] =>
      filters
        .map((filter) => ({ filter, total: rowsWithout(filter).length }))
        .filter(({ total }) => total > 0),

    /**
     * The smallest sets of filters whose removal together gives matches, when no removal of one does. They are the fewest bits that
     * a row has; none contains another.
     */
    loosenSeveral(): SearchResult['loosenTogether'] {
      // Removing every filter is no useful suggestion.
      const combinations = Array.from({ length: (1 << filters.length) - 1 }, (_, bits) => bits)
        .map((bits) => ({ bits, total: rowsWith(bits).length, filters: filtersOf(bits) }))
        .filter(({ total }) => total > 0)
        .sort((one, other) => one.filters.length - other.filters.length || other.total - one.total);
      const found: typeof combinations = [];
      for (const combination of combinations) {
        if (found.length === MAXIMUM_LOOSENED) break;
        const { bits } = combination;
        if (!found.some((other) => (bits & other.bits) === other.bits)) found.push(combination);
      }
      return found.map(({ bits: _, ...combination }) => combination);
    },

    /** The laptops that lack the fewest filters and words; of those that lack as many, the nearest in price, then the newest. */
    closest() {
      const isRemoved = 1 << filters.length;
      // A difference of $1,000, of the highest price of $50,000, counts as much as half a filter.
      const scale = currency.mostCents / 100 / 50;
      const lacked = Array.from(ends, (_, bits) => filtersOf(bits).filter((name) => name !== 'q'));
      const lacking = Uint8Array.from(lacked, ({ length }) => length);
      /** For each word the rows that have it. */
      const having = words.map((word) => countFirstWords(table, [word]));
      const first: { row: number; number: number; distance: number }[] = [];
      for (let row = 0; row < mismatches.length; row += 1) {
        const bits = mismatches[row] ?? 0;
        if ((bits & isRemoved) !== 0) continue;
        const price = table.prices.get(row) / 100;
        const difference = Math.max(low - price, price - high, 0);
        // The difference counts less than a filter.
        let distance = (lacking[bits] ?? 0) + difference / (difference + scale);
        for (const has of having) distance += 1 - (has[row] ?? 0);
        const last = first[CLOSEST_LAPTOPS - 1];
        if (last !== undefined && distance > last.distance) continue;
        first.push({ row, number: table.numbers.get(row), distance });
        first.sort((one, other) => one.distance - other.distance || other.number - one.number);
        first.splice(CLOSEST_LAPTOPS);
      }
      return first.map(({ row, number }) => ({
        number,
        filters: lacked[mismatches[row] ?? 0] ?? [],
        words: words.filter((_, index) => having[index]?.[row] === 0).map(({ text }) => text),
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
