import type { FacetName, SearchFilters } from '#contract/listings/search.ts';
import type { Columns } from './columns.ts';
import { chosenValues, facetNames, matchingValues } from './row.ts';
import { addTitleWord, addWord, type SearchedWord, type SearchedWords } from './searched-words.ts';

/** A filter by its name in the query: a facet, the words or the price bounds. */
export type FilterName = FacetName | 'q' | 'price';

/** The largest value of a 32-bit column. */
const MAXIMUM = 0xffffffff;

/** The rows that match a search, with temporary bitmaps that `using` releases. */
export class Selection implements Disposable {
  readonly #columns: Columns;
  /** The rows of each active filter, including removed ones. */
  readonly #filters = new Map<FilterName, number>();
  readonly #temporary: number[] = [];
  /** The rows that match all filters. */
  readonly rows: number;

  constructor(columns: Columns, filters: SearchFilters, searched: SearchedWords) {
    this.#columns = columns;
    for (const facet of facetNames)
      this.#addFacet(facet, matchingValues(facet, chosenValues(filters, facet)));
    if (searched.words === null) this.#filters.set('q', this.#allocate());
    else if (searched.words.length > 0) this.#filters.set('q', this.#withWords(searched.words));
    const { min_price: low, max_price: high } = filters;
    if (low !== undefined || high !== undefined) {
      const bitmap = this.#allocate();
      const highCents = high === undefined ? MAXIMUM : high * 100;
      columns.bitmaps.between(bitmap, columns.prices, (low ?? 0) * 100, highCents);
      this.#filters.set('price', bitmap);
    }
    this.rows = this.#matching(undefined);
  }

  [Symbol.dispose](): void {
    for (const bitmap of this.#temporary) this.#columns.bitmaps.release(bitmap);
  }

  #allocate(): number {
    const bitmap = this.#columns.bitmaps.allocate();
    this.#temporary.push(bitmap);
    return bitmap;
  }

  #addFacet(facet: FacetName, chosen: readonly string[]): void {
    if (chosen.length === 0) return;
    const values = this.#columns.facets[facet];
    const only = chosen.length === 1 ? values.bitmapOf(chosen[0] ?? '') : undefined;
    const bitmap = only ?? this.#allocate();
    if (only === undefined) values.addTo(bitmap, chosen);
    this.#filters.set(facet, bitmap);
  }

  #withWords(searched: readonly SearchedWord[]): number {
    const { bitmaps } = this.#columns;
    const all = this.#allocate();
    for (const [index, { words }] of searched.entries()) {
      const target = index === 0 ? all : bitmaps.allocate();
      for (const word of words) addWord(target, word);
      if (target === all) continue;
      bitmaps.and(all, all, target);
      bitmaps.release(target);
    }
    return all;
  }

  #matching(except: FilterName | undefined): number {
    const { bitmaps, live } = this.#columns;
    const others = [...this.#filters].flatMap(([name, bitmap]) => (name === except ? [] : [bitmap]));
    const [first, ...rest] = others;
    if (first === undefined) return live;
    const target = this.#allocate();
    bitmaps.and(target, live, first);
    for (const bitmap of rest) bitmaps.and(target, target, bitmap);
    return target;
  }

  /** The names of the active filters. */
  get filters(): FilterName[] {
    return [...this.#filters.keys()];
  }

  /** The rows that match all filters except one. */
  without(name: FilterName): number {
    return this.#filters.has(name) ? this.#matching(name) : this.rows;
  }

  /** The number of rows that match all filters except one. */
  countWithout(name: FilterName): number {
    return this.#columns.bitmaps.count(this.without(name));
  }

  /**
   * Keeps the filters of an order one by one, each only if some rows match it and those kept before.
   * @returns the filters that were not kept, and the number of rows that match the kept ones
   */
  keepMatching(order: readonly FilterName[]): { omitted: FilterName[]; total: number } {
    const { bitmaps, live } = this.#columns;
    let kept = bitmaps.allocate();
    let next = bitmaps.allocate();
    bitmaps.copy(kept, live);
    let total = bitmaps.count(kept);
    const omitted: FilterName[] = [];
    for (const name of order) {
      bitmaps.and(next, kept, this.#filters.get(name) ?? live);
      const count = bitmaps.count(next);
      if (count === 0) {
        omitted.push(name);
        continue;
      }
      total = count;
      [kept, next] = [next, kept];
    }
    bitmaps.release(kept);
    bitmaps.release(next);
    return { omitted, total };
  }

  /** The matching rows with all words in name and brand, and the other matching rows. */
  byTitle(searched: readonly SearchedWord[]): readonly [titled: number, others: number] {
    const { bitmaps } = this.#columns;
    const titled = this.#allocate();
    const others = this.#allocate();
    bitmaps.copy(titled, this.rows);
    for (const { words } of searched) {
      const target = bitmaps.allocate();
      for (const word of words) addTitleWord(target, word);
      bitmaps.and(titled, titled, target);
      bitmaps.release(target);
    }
    bitmaps.andNot(others, this.rows, titled);
    return [titled, others];
  }
}
