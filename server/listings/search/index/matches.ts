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

/** Adds a bit to the rows whose value is not between two. */
function reject(mismatches: Cells, bit: number, values: Cells, low: number, high: number) {
  for (let row = 0; row < mismatches.length; row += 1) {
    const value = values[row] ?? 0;
    mismatches[row] = (mismatches[row] ?? 0) | (value < low ? bit : 0) | (value > high ? bit : 0);
  }
}

/**
 * Adds the highest bit to removed rows, and sorts the rows by their bits, those with the same bits ascending.
 * @returns them, and where those with each combination of bits begin
 */
function sortRows(mismatches: Cells, removed: Cells, removedBit: number) {
  const starts = new Uint32Array(removedBit * 2 + 1);
  for (let row = 0; row < mismatches.length; row += 1) {
    const bits = (mismatches[row] ?? 0) | ((removed[row] ?? 0) * removedBit);
    mismatches[row] = bits;
    starts[bits + 1] = (starts[bits + 1] ?? 0) + 1;
  }
  for (let bits = 1; bits < starts.length; bits += 1)
    starts[bits] = (starts[bits] ?? 0) + (starts[bits - 1] ?? 0);
  const next = starts.slice();
  const sorted = new Uint32Array(mismatches.length);
  for (let row = 0; row < mismatches.length; row += 1) {
    const bits = mismatches[row] ?? 0;
    const at = next[bits] ?? 0;
    next[bits] = at + 1;
    sorted[at] = row;
  }
  return { sorted, starts };
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
  const mismatches = new (filters.length < 16 ? Uint16Array : Uint32Array)(table.rows);
  for (const [index, name] of filters.entries()) {
    const bit = 1 << index;
    if (name === 'q') reject(mismatches, bit, countFirstWords(table, words), words.length, words.length);
    else if (name === 'price') reject(mismatches, bit, table.prices.cells, low * 100, high * 100);
    else table.facets[name].reject(mismatches, bit, acceptedBy(name, query[name]));
  }
  const removedBit = 1 << filters.length;
  const { sorted, starts } = sortRows(mismatches, table.removed.cells, removedBit);
  /** The rows whose bits are at least some, and less than others. */
  const rowsBetween = (bits: number, others: number) => sorted.subarray(starts[bits], starts[others]);
  const rows = rowsBetween(0, 1);
  /** The bit of a filter, 0 if it is not active. */
  const bitOf = (filter: FilterName) => (filters.includes(filter) ? 1 << filters.indexOf(filter) : 0);
  const filtersOf = (bits: number) => filters.filter((_, index) => ((bits >>> index) & 1) === 1);
  /** The combinations of bits that rows have, except removed ones: those with the fewest bits first, then those of most rows. */
  const combinations = () =>
    Array.from({ length: removedBit }, (_, bits) => bits)
      .filter((bits) => starts[bits] !== starts[bits + 1])
      .map((bits) => ({ bits, total: rowsBetween(bits, bits + 1).length, lacking: filtersOf(bits).length }))
      .sort((one, other) => one.lacking - other.lacking || other.total - one.total);

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
      const bit = bitOf(name);
      const counted = [rows, rowsBetween(bit || 1, bit + 1)];
      const counts = column.count(counted, [rowsBetween(1, bit), rowsBetween(bit + 1, removedBit)]);
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
        .map((filter) => ({ filter, total: rowsBetween(bitOf(filter), bitOf(filter) + 1).length }))
        .filter(({ total }) => total > 0),

    /**
     * The smallest sets of filters whose removal together gives matches, when no removal of one does. They are the fewest bits that
     * a row has; none contains another.
     */
    loosenSeveral(): SearchResult['loosenTogether'] {
      // Removing every filter is no useful suggestion.
      const all = combinations().filter(({ lacking }) => lacking < filters.length);
      return all
        .filter(({ bits }, at) => !all.some((one, before) => before < at && (bits & one.bits) === one.bits))
        .slice(0, MAXIMUM_LOOSENED)
        .map(({ bits, total }) => ({ total, filters: filtersOf(bits) }));
    },

    /** The laptops that lack the fewest filters and words; of those that lack as many, the nearest in price, then the newest. */
    closest() {
      // A difference of $1,000, of the highest price of $50,000, counts as much as half a filter.
      const scale = currency.mostCents / 100 / 50;
      /** For each word the rows that have it. */
      const having = words.map((word) => countFirstWords(table, [word]));
      /** The number of words that each row does not have. */
      const missing = new Uint8Array(table.rows).fill(words.length);
      for (const has of having)
        for (let row = 0; row < has.length; row += 1) missing[row] = (missing[row] ?? 0) - (has[row] ?? 0);
      const first: { row: number; number: number; distance: number }[] = [];
      for (const { bits, lacking } of combinations()) {
        if (lacking > (first[CLOSEST_LAPTOPS - 1]?.distance ?? Number.POSITIVE_INFINITY)) break;
        // A row with the bit of the words lacks at least one of them.
        const filtersLacked = filtersOf(bits & ~bitOf('q')).length;
        // The newest row first.
        for (let at = starts[bits + 1] ?? 0; at > (starts[bits] ?? 0); at -= 1) {
          const row = sorted[at - 1] ?? 0;
          const price = table.prices.get(row) / 100;
          const difference = Math.max(low - price, price - high, 0);
          // The difference counts less than a filter.
          const distance = filtersLacked + (missing[row] ?? 0) + difference / (difference + scale);
          const number = table.numbers.get(row);
          const last = first[CLOSEST_LAPTOPS - 1];
          const isFurther = last !== undefined && distance >= last.distance;
          if (isFurther && (distance > last.distance || number < last.number)) continue;
          first.push({ row, number, distance });
          first.sort((one, other) => one.distance - other.distance || other.number - one.number);
          first.splice(CLOSEST_LAPTOPS);
        }
      }
      return first.map(({ row, number }) => ({
        number,
        filters: filtersOf((mismatches[row] ?? 0) & ~bitOf('q')),
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
