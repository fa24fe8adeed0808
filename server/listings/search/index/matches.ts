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
import type { Cells } from './column.ts';
import { byCount, type FacetCount } from './facet-column.ts';
import type { LaptopTable } from './laptop-table.ts';
import { countFirstWords, resolveWords, type SearchedWord } from './searched-words.ts';
import { understand } from './understand.ts';
import { searchedWords } from './words.ts';

const MAXIMUM_VALUES = 100;

/** A laptop that does not match: the filters that it does not match, without the words, and the words that it does not have. */
export type ClosestLaptop = Omit<SearchResult['closest'][number], 'laptop'> & { number: number };

/** Returns whether a value of a facet matches the chosen ones. */
function acceptedBy(name: FacetName, chosen: readonly (string | number)[]): (value: string) => boolean {
  const { groups = {} } = facets[name];
  const values = new Set(chosen.map(String));
  const accepts = [...values].flatMap((value) => groups[value]?.accepts ?? []);
  return (value) => values.has(value) || accepts.some((each) => each(value));
}

/**
 * The difference in price that counts as much as half a filter, when laptops that match nothing are compared: $1,000 of the highest price of
 * $50,000.
 */
const priceScale = () => currency.mostCents / 100 / 50;

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
  /** The bits of each row. */
  readonly mismatches: Cells;
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
    this.#words = words;
    const filters: FilterName[] = facetNames.filter((name) => query[name].length > 0);
    if (words.length > 0) filters.push('q');
    if (query.min_price !== undefined || query.max_price !== undefined) filters.push('price');
    this.#filters = filters;
    // One more bit is of removed rows.
    const Bits = filters.length < 16 ? Uint16Array : Uint32Array;
    this.mismatches = new Bits(table.rows);
    for (const [index, name] of filters.entries()) {
      const bit = 1 << index;
      if (name === 'q') this.#rejectWords(bit);
      else if (name === 'price') this.#rejectPrices(bit);
      else table.facets[name].reject(this.mismatches, bit, acceptedBy(name, query[name]));
    }
    this.#counts = this.#countCombinations(1 << filters.length);
    [this.rows = new Uint32Array(), ...this.#almost] = this.#listRows([
      0,
      ...filters.map((_, index) => 1 << index),
    ]);
  }

  #rejectWords(bit: number): void {
    const counts = countFirstWords(this.#table, this.#words);
    for (let row = 0; row < counts.length; row += 1) {
      if (counts[row] !== this.#words.length) this.mismatches[row] = (this.mismatches[row] ?? 0) | bit;
    }
  }

  #rejectPrices(bit: number): void {
    const { min_price: low = 0, max_price: high = Number.POSITIVE_INFINITY } = this.#query;
    const mismatches = this.mismatches;
    const prices = this.#table.prices.cells;
    for (let row = 0; row < mismatches.length; row += 1) {
      const price = prices[row] ?? 0;
      if (price < low * 100 || price > high * 100) mismatches[row] = (mismatches[row] ?? 0) | bit;
    }
  }

  /** Sets a bit of removed rows, and counts the rows with each combination of bits. */
  #countCombinations(removedBit: number): Uint32Array {
    const mismatches = this.mismatches;
    const removed = this.#table.removed.cells;
    const counts = new Uint32Array(removedBit * 2);
    for (let row = 0; row < mismatches.length; row += 1) {
      const bits = (mismatches[row] ?? 0) | ((removed[row] ?? 0) * removedBit);
      mismatches[row] = bits;
      counts[bits] = (counts[bits] ?? 0) + 1;
    }
    return counts;
  }

  /** Lists the rows with each of some combinations of bits. */
  #listRows(combinations: readonly number[]): Uint32Array[] {
    const mismatches = this.mismatches;
    const counts = this.#counts;
    const total = combinations.reduce((sum, bits) => sum + (counts[bits] ?? 0), 0);
    /** The lists one after the other, and one place for the rows of none: a branch for each row would take most of a search. */
    const all = new Uint32Array(total + 1);
    const next = new Uint32Array(counts.length).fill(total);
    const steps = new Uint8Array(counts.length);
    let end = 0;
    for (const bits of combinations) {
      next[bits] = end;
      steps[bits] = 1;
      end += counts[bits] ?? 0;
    }
    for (let row = 0; row < mismatches.length; row += 1) {
      const bits = mismatches[row] ?? 0;
      const at = next[bits] ?? 0;
      all[at] = row;
      next[bits] = at + (steps[bits] ?? 0);
    }
    return combinations.map((bits) => all.subarray((next[bits] ?? 0) - (counts[bits] ?? 0), next[bits]));
  }

  /** Counts the values of a facet among the laptops that match all other filters. */
  countFacet(name: FacetName): FacetCount[] {
    const column = this.#table.facets[name];
    const { maximum = MAXIMUM_VALUES, groups = {} } = facets[name];
    const chosen = this.#query[name].map(String);
    const lists = [this.rows, this.#almost[this.#filters.indexOf(name)] ?? new Uint32Array()];
    const isEverything = lists.reduce((sum, { length }) => sum + length, 0) === this.#table.count;
    const counts = column.count(isEverything ? 'all' : lists);
    const values = column
      .mostFrequent(counts, maximum, chosen)
      .filter(({ value }) => !Object.hasOwn(groups, value));
    const ofGroups = Object.entries(groups)
      .filter(([value, { isListed }]) => isListed || chosen.includes(value))
      .map(([value, { accepts }]) => ({ value, count: column.sum(counts, accepts) }))
      .filter(({ value, count }) => count > 0 || chosen.includes(value));
    return [...ofGroups.sort(byCount), ...values];
  }

  #filtersOf(bits: number): FilterName[] {
    return this.#filters.filter((_, index) => ((bits >>> index) & 1) === 1);
  }

  /** The filters whose removal alone gives further matches. */
  loosenOne(): SearchResult['loosen'] {
    return this.#filters
      .map((filter, index) => ({ filter, total: this.#almost[index]?.length ?? 0 }))
      .filter(({ total }) => total > 0);
  }

  /**
   * The smallest sets of filters whose removal together gives matches, when no removal of one does. They are the fewest bits that
   * a row has; none contains another.
   */
  loosenSeveral(): SearchResult['loosenTogether'] {
    // Removing every filter is no useful suggestion.
    const combinations = [...this.#counts.subarray(0, 2 ** this.#filters.length - 1).entries()]
      .filter(([, total]) => total > 0)
      .map(([bits, total]) => ({ bits, total, filters: this.#filtersOf(bits) }))
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
    const { prices, numbers } = this.#table;
    const { min_price: low = 0, max_price: high = Number.POSITIVE_INFINITY } = this.#query;
    const filtersOf = (bits: number) => this.#filtersOf(bits).filter((name) => name !== 'q');
    const isRemoved = 1 << this.#filters.length;
    const isPrice = (1 << this.#filters.indexOf('price')) & (isRemoved - 1);
    const lacking = Uint8Array.from(this.#counts, (_, bits) => filtersOf(bits).length);
    /** For each word the rows that have it. */
    const having = this.#words.map((word) => countFirstWords(this.#table, [word]));
    const scale = priceScale();
    const first: { row: number; number: number; distance: number }[] = [];
    for (let row = 0; row < this.mismatches.length; row += 1) {
      const bits = this.mismatches[row] ?? 0;
      if ((bits & isRemoved) !== 0) continue;
      const price = prices.get(row) / 100;
      const difference = (bits & isPrice) === 0 ? 0 : Math.max(low - price, price - high);
      // The difference counts less than a filter.
      let distance = (lacking[bits] ?? 0) + difference / (difference + scale);
      for (const has of having) distance += 1 - (has[row] ?? 0);
      const last = first[CLOSEST_LAPTOPS - 1];
      if (last !== undefined && distance > last.distance) continue;
      first.push({ row, number: numbers.get(row), distance });
      first.sort((one, other) => one.distance - other.distance || other.number - one.number);
      if (last !== undefined) first.pop();
    }
    return first.map(({ row, number }) => ({
      number,
      filters: filtersOf(this.mismatches[row] ?? 0),
      words: this.#words.filter((_, index) => having[index]?.[row] === 0).map(({ text }) => text),
    }));
  }
}

type Query = SearchFilters & { sort?: SortOrder | undefined };

/** Reads words of a search as filters. */
export function readFilters(table: LaptopTable, query: Query) {
  const understanding = understand(query, table.findPlaces.bind(table));
  const { sort, ...filters } = withUnderstood(query, understanding);
  return { understanding, sort, filters };
}

/** Reads words of a search as filters, and finds the laptops that match these and the other words. */
export function readSearch(table: LaptopTable, query: Query) {
  const { filters, ...read } = readFilters(table, query);
  const searched = resolveWords(table, searchedWords(filters.q));
  return { ...read, ...searched, matches: new Matches(table, filters, searched.words) };
}
