import { type Cells, Column } from './column.ts';

/** The number of laptops with a facet's value. */
export interface FacetCount {
  value: string;
  count: number;
}

export const byCount = (one: FacetCount, other: FacetCount) =>
  other.count - one.count || (one.value < other.value ? -1 : 1);

/** One facet of all laptops: a list of values, and for each row the position of its value. The first value stands for none. */
export class FacetColumn {
  readonly #codes = new Column();
  readonly values = [''];
  readonly #codeOf = new Map<string, number>();
  /** The number of rows of each value that were not removed. */
  readonly #sizes = [0];

  get bytes(): number {
    return this.#codes.bytes + this.values.length * 100;
  }

  /** Sets the value of the next row. */
  add(row: number, value: string | null): void {
    const code = value === null ? 0 : (this.#codeOf.get(value) ?? this.values.push(value) - 1);
    if (value !== null) this.#codeOf.set(value, code);
    this.#codes.set(row, code);
    this.#sizes[code] = (this.#sizes[code] ?? 0) + 1;
  }

  /** Removes a row from the number of its value. */
  remove(row: number): void {
    const code = this.#codes.get(row);
    this.#sizes[code] = (this.#sizes[code] ?? 0) - 1;
  }

  /** A value by its position, with the number of its rows that were not removed. */
  countOf(code: number): FacetCount {
    return { value: this.values[code] ?? '', count: this.#sizes[code] ?? 0 };
  }

  trim(rows: number): void {
    this.#codes.trim(rows);
  }

  /** Sets a bit of all rows whose value is not accepted. */
  reject(mismatches: Cells, bit: number, accepts: (value: string) => boolean): void {
    const bits = Uint32Array.from(this.values, (value, code) => (code > 0 && accepts(value) ? 0 : bit));
    const codes = this.#codes.cells;
    for (let row = 0; row < mismatches.length; row += 1) {
      mismatches[row] = (mismatches[row] ?? 0) | (bits[codes[row] ?? 0] ?? 0);
    }
  }

  /** The number of rows of each value in some lists of rows, or in all that were not removed. */
  count(lists: readonly Uint32Array[] | 'all'): Uint32Array {
    if (lists === 'all') return Uint32Array.from(this.#sizes);
    const counts = new Uint32Array(this.values.length);
    const codes = this.#codes.cells;
    for (const rows of lists) {
      for (let at = 0; at < rows.length; at += 1) {
        const code = codes[rows[at] ?? 0] ?? 0;
        counts[code] = (counts[code] ?? 0) + 1;
      }
    }
    return counts;
  }

  /** The sum of the counts of all accepted values. */
  sum(counts: Uint32Array, accepts: (value: string) => boolean): number {
    return counts.reduce(
      (sum, count, code) => (code > 0 && accepts(this.values[code] ?? '') ? sum + count : sum),
      0,
    );
  }

  /** The values with the highest counts, without zeros, the highest first; then the other chosen values. */
  mostFrequent(counts: Uint32Array, maximum: number, chosen: readonly string[]): FacetCount[] {
    const least = Math.max(counts.subarray(1).toSorted().at(-maximum) ?? 0, 1);
    const listed = this.values
      .map((value, code) => ({ value, count: counts[code] ?? 0 }))
      .filter(({ count }, code) => code > 0 && count >= least)
      .sort(byCount)
      .slice(0, maximum);
    const others = chosen
      .filter((value) => !listed.some((other) => other.value === value))
      .map((value) => ({ value, count: counts[this.#codeOf.get(value) ?? -1] ?? 0 }));
    return [...listed, ...others];
  }
}
