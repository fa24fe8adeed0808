import { LRUCache } from 'lru-cache';
import { type FacetName, facets } from '#contract/listings/facets.ts';
import type { SearchResult } from '#contract/listings/search.ts';
import { Column } from './column.ts';
import { RowSet } from './row-set.ts';

/** The number of choices of a facet whose rows are kept, at most 125 kB each for a million laptops. */
const KEPT_CHOICES = 4;

const MAXIMUM_VALUES = 100;

/** The number of laptops with a facet's value. */
type FacetCount = SearchResult['facets'][FacetName][number];

export const byCount = (one: FacetCount, other: FacetCount) =>
  other.count - one.count || (one.value < other.value ? -1 : 1);

/** One facet of all laptops: for each row the position of its value in a list. The first value stands for none. */
export class FacetColumn extends Column {
  readonly #name: FacetName;
  readonly values = [''];
  readonly #codeOf = new Map([['', 0]]);
  /** The number of rows of each value that were not removed. */
  readonly sizes = [0];
  /** The rows with one of the values that were chosen last, and whether a value is one of these. */
  readonly #chosen = new LRUCache<string, { accepts: (value: string) => boolean; rows: RowSet }>({
    max: KEPT_CHOICES,
  });

  constructor(name: FacetName) {
    super();
    this.#name = name;
  }

  override get bytes(): number {
    return [...this.#chosen.values()].reduce((sum, { rows }) => sum + rows.blocks.byteLength, super.bytes);
  }

  /** Sets the value of the next row. @param value '' for none @returns whether no row had it before */
  add(row: number, value: string): boolean {
    const isNew = !this.#codeOf.has(value);
    if (isNew) this.#codeOf.set(value, this.values.push(value) - 1);
    const code = this.#codeOf.get(value) ?? 0;
    this.set(row, code);
    this.sizes[code] = (this.sizes[code] ?? 0) + 1;
    for (const { accepts, rows } of this.#chosen.values()) if (accepts(value)) rows.add(row);
    return isNew;
  }

  /** Removes a row from the number of its value. */
  remove(row: number): void {
    const code = this.get(row);
    this.sizes[code] = (this.sizes[code] ?? 0) - 1;
  }

  /** The number of rows of a value that were not removed. */
  sizeOf(value: string): number {
    return this.sizes[this.#codeOf.get(value) ?? 0] ?? 0;
  }

  /** The rows that match one of the chosen values, removed ones too. @param rows the number of all rows */
  accepting(chosen: readonly (string | number)[], rows: number): RowSet {
    const key = JSON.stringify(chosen);
    const known = this.#chosen.get(key);
    if (known !== undefined) return known.rows;
    const { groups = {} } = facets[this.#name];
    const values = new Set(chosen.map(String));
    const ofGroups = [...values].flatMap((value) => groups[value]?.accepts ?? []);
    const accepts = (value: string) =>
      value !== '' && (values.has(value) || ofGroups.some((each) => each(value)));
    const accepted = Uint8Array.from(this.values, (value) => Number(accepts(value)));
    const result = new RowSet(rows);
    const codes = this.cells;
    for (let at = 0; at < result.blocks.length; at += 1) {
      let block = 0;
      for (let bit = 0; bit < 32; bit += 1) block |= (accepted[codes[at * 32 + bit] ?? 0] ?? 0) << bit;
      result.blocks[at] = block;
    }
    this.#chosen.set(key, { accepts, rows: result });
    return result;
  }

  /**
   * Counts the values among some rows: groups, the most frequent values, and the other chosen ones.
   * @param areOthers whether it is among all but these rows
   */
  count(
    { rows, areOthers }: { rows: Uint32Array; areOthers: boolean },
    chosen: readonly string[],
  ): FacetCount[] {
    const { maximum = MAXIMUM_VALUES, groups = {} } = facets[this.#name];
    const counted = new Uint32Array(this.values.length);
    const codes = this.cells;
    for (let at = 0; at < rows.length; at += 1) {
      const code = codes[rows[at] ?? 0] ?? 0;
      counted[code] = (counted[code] ?? 0) + 1;
    }
    const counts = areOthers ? counted.map((count, code) => (this.sizes[code] ?? 0) - count) : counted;
    // The first value is none.
    const ofValues = this.values.map((value, code) => ({ value, count: counts[code] ?? 0 })).slice(1);
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
  }
}
