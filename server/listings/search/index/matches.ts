import { type FacetName, facetNames, facets } from '#contract/listings/facets.ts';
import { type FilterName, MAXIMUM_LOOSENED, type SearchFilters } from '#contract/listings/search.ts';
import type { Cells } from './column.ts';
import type { FacetCount } from './facet-column.ts';
import type { LaptopTable } from './laptop-table.ts';
import { countFirstWords, type SearchedWords } from './searched-words.ts';

const MAXIMUM_VALUES = 100;

/** The counts of each facet, the most frequent value first. */
export type FacetCounts = Record<FacetName, FacetCount[]>;

/** Filters whose removal together gives matches. */
export interface LoosenedFilters {
  filters: FilterName[];
  /** The number of matches. */
  total: number;
}

/** Returns whether a value of a facet matches the chosen ones. */
function acceptedBy(name: FacetName, chosen: readonly (string | number)[]): (value: string) => boolean {
  if (facets[name].minimums !== undefined) {
    const least = Math.min(...chosen.map(Number));
    return (value) => Number(value) >= least;
  }
  const values = new Set(chosen.map(String));
  return (value) => values.has(value);
}

/** Counts each minimum with all higher ones. Without zeros, unless chosen. */
const countFrom = (minimums: readonly number[], counts: readonly FacetCount[], chosen: readonly string[]) =>
  minimums
    .map((minimum) => ({
      value: String(minimum),
      count: counts.reduce((sum, { value, count }) => (Number(value) >= minimum ? sum + count : sum), 0),
    }))
    .filter(({ value, count }) => count > 0 || chosen.includes(value))
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));

function rejectWords(
  table: LaptopTable,
  mismatches: Cells,
  bit: number,
  words: SearchedWords['words'],
): void {
  const counts = countFirstWords(table, words ?? []);
  // No row has the words if one of them is unknown.
  const all = words?.length ?? -1;
  for (let row = 0; row < mismatches.length; row += 1) {
    if (counts[row] !== all) mismatches[row] = (mismatches[row] ?? 0) | bit;
  }
}

function rejectPrices(prices: Cells, mismatches: Cells, bit: number, low: number, high: number): void {
  for (let row = 0; row < mismatches.length; row += 1) {
    const price = prices[row] ?? 0;
    mismatches[row] = (mismatches[row] ?? 0) | (price < low || price > high ? bit : 0);
  }
}

/** Sets a bit of removed rows, and counts the rows with each combination of bits. */
function countCombinations(mismatches: Cells, removed: Cells, removedBit: number): Uint32Array {
  // Every second row has other counters: an increment waits for the one before of the same counter.
  const even = new Uint32Array(removedBit * 2);
  const odd = new Uint32Array(removedBit * 2);
  for (let row = 0; row < mismatches.length; row += 2) {
    const bits = (mismatches[row] ?? 0) | ((removed[row] ?? 0) * removedBit);
    mismatches[row] = bits;
    even[bits] = (even[bits] ?? 0) + 1;
    if (row + 1 === mismatches.length) break;
    const next = (mismatches[row + 1] ?? 0) | ((removed[row + 1] ?? 0) * removedBit);
    mismatches[row + 1] = next;
    odd[next] = (odd[next] ?? 0) + 1;
  }
  return even.map((count, bits) => count + (odd[bits] ?? 0));
}

/** Lists the rows with each of some combinations of bits. */
function listRows(mismatches: Cells, counts: Uint32Array, combinations: readonly number[]): Uint32Array[] {
  const sizes = combinations.map((bits) => counts[bits] ?? 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  /** The lists one after the other, and one place for the rows of none: a branch for each row would be mispredicted. */
  const all = new Uint32Array(total + 1);
  const next = new Uint32Array(counts.length).fill(total);
  const steps = new Uint8Array(counts.length);
  let end = 0;
  for (const [index, bits] of combinations.entries()) {
    next[bits] = end;
    steps[bits] = 1;
    end += sizes[index] ?? 0;
  }
  for (let row = 0; row < mismatches.length; row += 1) {
    const bits = mismatches[row] ?? 0;
    const at = next[bits] ?? 0;
    all[at] = row;
    next[bits] = at + (steps[bits] ?? 0);
  }
  return combinations.map((bits, index) => {
    const listEnd = next[bits] ?? 0;
    return all.subarray(listEnd - (sizes[index] ?? 0), listEnd);
  });
}

/**
 * The rows that match a search. Each row has a bit for each active filter that it does not match, and one more if it is
 * removed: rows without bits match, and those with a single one are counted for that filter.
 */
export class Matches {
  readonly #table: LaptopTable;
  readonly #query: SearchFilters;
  /** The active filters, in the order of their bits. */
  readonly #filters: readonly FilterName[];
  /** The number of rows with each combination of bits. */
  readonly #counts: Uint32Array;
  /** The matching rows, ascending. */
  readonly rows: Uint32Array;
  /** For each active filter the rows that match all others only. */
  readonly #almost: readonly Uint32Array[];

  /** @param searched the words of `filters.q` */
  constructor(table: LaptopTable, query: SearchFilters, { words }: SearchedWords) {
    this.#table = table;
    this.#query = query;
    const { min_price: low = 0, max_price: high = Number.POSITIVE_INFINITY } = query;
    const filters: FilterName[] = facetNames.filter((name) => query[name].length > 0);
    if (words === null || words.length > 0) filters.push('q');
    if (query.min_price !== undefined || query.max_price !== undefined) filters.push('price');
    this.#filters = filters;
    // One more bit is of removed rows.
    const Bits = filters.length < 16 ? Uint16Array : Uint32Array;
    const mismatches = new Bits(table.rows);
    for (const [index, name] of filters.entries()) {
      const bit = 1 << index;
      if (name === 'q') rejectWords(table, mismatches, bit, words);
      else if (name === 'price') rejectPrices(table.prices.cells, mismatches, bit, low * 100, high * 100);
      else table.facets[name].reject(mismatches, bit, acceptedBy(name, query[name]));
    }
    this.#counts = countCombinations(mismatches, table.removed.cells, 1 << filters.length);
    const combinations = [0, ...filters.map((_, index) => 1 << index)];
    const [rows = new Uint32Array(), ...almost] = listRows(mismatches, this.#counts, combinations);
    this.rows = rows;
    this.#almost = almost;
  }

  /** Counts the values of a facet among the laptops that match all other filters. */
  countFacet(name: FacetName): FacetCount[] {
    const column = this.#table.facets[name];
    const { maximum = MAXIMUM_VALUES, minimums } = facets[name];
    const chosen = this.#query[name].map(String);
    const almost = this.#almost[this.#filters.indexOf(name)];
    const lists = almost === undefined ? [this.rows] : [this.rows, almost];
    const isEverything = lists.reduce((sum, { length }) => sum + length, 0) === this.#table.count;
    const counts = isEverything ? column.countAll() : column.count(lists);
    const listed = column.mostFrequent(counts, maximum, chosen);
    return minimums === undefined ? listed : countFrom(minimums, listed, chosen);
  }

  /** The filters whose removal alone gives further matches. */
  loosenOne(): { filter: FilterName; total: number }[] {
    return this.#filters
      .map((filter, index) => ({ filter, total: this.#counts[1 << index] ?? 0 }))
      .filter(({ total }) => total > 0);
  }

  /**
   * The smallest sets of filters whose removal together gives matches, when no removal of one does. They are the fewest bits that
   * a row has; none contains another.
   */
  loosenSeveral(): LoosenedFilters[] {
    const filtersOf = (bits: number) => this.#filters.filter((_, index) => ((bits >>> index) & 1) === 1);
    // Removing every filter is no useful suggestion.
    const combinations = [...this.#counts.subarray(0, 2 ** this.#filters.length - 1).entries()]
      .filter(([, total]) => total > 0)
      .map(([bits, total]) => ({ bits, total, filters: filtersOf(bits) }))
      .sort((one, other) => one.filters.length - other.filters.length || other.total - one.total);
    const found: typeof combinations = [];
    for (const combination of combinations) {
      if (found.length === MAXIMUM_LOOSENED) break;
      const { bits } = combination;
      if (!found.some((other) => (bits & other.bits) === other.bits)) found.push(combination);
    }
    return found.map(({ filters, total }) => ({ filters, total }));
  }
}
