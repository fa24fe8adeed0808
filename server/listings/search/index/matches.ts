import { type FacetName, facetNames, facets } from '#contract/listings/facets.ts';
import {
  CLOSEST_LAPTOPS,
  type FilterName,
  MAXIMUM_LOOSENED,
  type SearchFilters,
} from '#contract/listings/search.ts';
import { currency } from '#contract/platform/money.ts';
import type { Cells } from './column.ts';
import type { FacetCount } from './facet-column.ts';
import type { LaptopTable } from './laptop-table.ts';
import { countFirstWords, type SearchedWord } from './searched-words.ts';

const MAXIMUM_VALUES = 100;

/** The counts of each facet, the most frequent value first. */
export type FacetCounts = Record<FacetName, FacetCount[]>;

/** Filters whose removal together gives matches. */
export interface LoosenedFilters {
  filters: FilterName[];
  /** The number of matches. */
  total: number;
}

/** A laptop that does not match. */
export interface ClosestLaptop {
  number: number;
  /** The filters that it does not match, without the words. */
  filters: FilterName[];
  /** The words that it does not have. */
  words: string[];
}

/** Returns whether a value of a facet matches the chosen ones. */
function acceptedBy(name: FacetName, chosen: readonly (string | number)[]): (value: string) => boolean {
  const { groups = {} } = facets[name];
  const values = new Set(chosen.map(String));
  const accepts = [...values].flatMap((value) => groups[value]?.accepts ?? []);
  return (value) => values.has(value) || accepts.some((each) => each(value));
}

function rejectWords(
  table: LaptopTable,
  mismatches: Cells,
  bit: number,
  words: readonly SearchedWord[],
): void {
  const counts = countFirstWords(table, words);
  for (let row = 0; row < mismatches.length; row += 1) {
    if (counts[row] !== words.length) mismatches[row] = (mismatches[row] ?? 0) | bit;
  }
}

/**
 * The difference in price that counts as much as half a filter, when laptops that match nothing are compared: $1,000 of the highest price of
 * $50,000.
 */
const priceScale = () => currency.mostCents / 100 / 50;

const byCount = (one: FacetCount, other: FacetCount) =>
  other.count - one.count || (one.value < other.value ? -1 : 1);

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
  readonly #words: readonly SearchedWord[];
  /** The active filters, in the order of their bits. */
  readonly #filters: readonly FilterName[];
  readonly #mismatches: Cells;
  /** The number of rows with each combination of bits. */
  readonly #counts: Uint32Array;
  /** The matching rows, ascending. */
  readonly rows: Uint32Array;
  /** For each active filter the rows that match all others only. */
  readonly #almost: readonly Uint32Array[];

  /** @param words those of `filters.q` */
  constructor(table: LaptopTable, query: SearchFilters, words: readonly SearchedWord[]) {
    this.#table = table;
    this.#query = query;
    const { min_price: low = 0, max_price: high = Number.POSITIVE_INFINITY } = query;
    const filters: FilterName[] = facetNames.filter((name) => query[name].length > 0);
    if (words.length > 0) filters.push('q');
    if (query.min_price !== undefined || query.max_price !== undefined) filters.push('price');
    this.#filters = filters;
    this.#words = words;
    // One more bit is of removed rows.
    const Bits = filters.length < 16 ? Uint16Array : Uint32Array;
    const mismatches = new Bits(table.rows);
    this.#mismatches = mismatches;
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
    const { maximum = MAXIMUM_VALUES, groups = {} } = facets[name];
    const chosen = this.#query[name].map(String);
    const almost = this.#almost[this.#filters.indexOf(name)];
    const lists = almost === undefined ? [this.rows] : [this.rows, almost];
    const isEverything = lists.reduce((sum, { length }) => sum + length, 0) === this.#table.count;
    const counts = isEverything ? column.countAll() : column.count(lists);
    const isGroup = (value: string) => Object.hasOwn(groups, value);
    const values = column.mostFrequent(counts, maximum, chosen).filter(({ value }) => !isGroup(value));
    const ofGroups = Object.entries(groups)
      .filter(([value, { isListed }]) => isListed || chosen.includes(value))
      .map(([value, { accepts }]) => ({ value, count: column.sum(counts, accepts) }))
      .filter(({ value, count }) => count > 0 || chosen.includes(value));
    return [...ofGroups.sort(byCount), ...values];
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

  /** The laptops that lack the fewest filters and words; of those that lack as many, the nearest in price, then the newest. */
  closest(): ClosestLaptop[] {
    const { rows, prices, numbers } = this.#table;
    const { min_price: low = 0, max_price: high = Number.POSITIVE_INFINITY } = this.#query;
    const missing = this.#countMissing();
    const isPrice = 1 << this.#filters.indexOf('price');
    const isRemoved = 1 << this.#filters.length;
    const countBits = Uint8Array.from(this.#counts, (_, bits) => this.#lacking(bits).length);
    const scale = priceScale();
    const first: { row: number; number: number; distance: number }[] = [];
    for (let row = 0; row < rows; row += 1) {
      const bits = this.#mismatches[row] ?? 0;
      if ((bits & isRemoved) !== 0) continue;
      const price = (prices.cells[row] ?? 0) / 100;
      const difference = (bits & isPrice) === 0 ? 0 : Math.max(low - price, price - high);
      // The difference counts less than a filter.
      const distance = (countBits[bits] ?? 0) + (missing[row] ?? 0) + difference / (difference + scale);
      const last = first[CLOSEST_LAPTOPS - 1];
      if (last !== undefined && distance > last.distance) continue;
      const laptop = { row, number: numbers.get(row), distance };
      first.push(laptop);
      first.sort((one, other) => one.distance - other.distance || other.number - one.number);
      if (last !== undefined) first.pop();
    }
    return first.map(({ row, number }) => ({
      number,
      filters: this.#lacking(this.#mismatches[row] ?? 0),
      words: this.#words.filter(({ words }) => !words.some((word) => word.has(row))).map(({ text }) => text),
    }));
  }

  /** The filters of bits, without the words. */
  #lacking(bits: number): FilterName[] {
    return this.#filters.filter((name, index) => name !== 'q' && ((bits >>> index) & 1) === 1);
  }

  /** For each row the number of words that it lacks. */
  #countMissing(): Uint8Array {
    const missing = new Uint8Array(this.#table.rows).fill(this.#words.length);
    /** The last word that was counted of a row. */
    const counted = new Uint8Array(this.#table.rows);
    for (const [index, { words }] of this.#words.entries()) {
      for (const word of words) {
        word.each((row) => {
          if (counted[row] === index + 1) return;
          counted[row] = index + 1;
          missing[row] = (missing[row] ?? 0) - 1;
        });
      }
    }
    return missing;
  }
}
