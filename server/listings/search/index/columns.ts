import { RowSet } from './row-set.ts';

export type Cells = Uint8Array | Uint16Array | Uint32Array;

/** A column of integers from 0 to 2^32 - 1, in as few bytes as the largest one needs. */
export class Column {
  /** The integers by row, with room for whole blocks of a set of rows. Valid until the next `set`. */
  cells: Cells = new Uint8Array(64);

  get bytes(): number {
    return this.cells.byteLength;
  }

  get(row: number): number {
    return this.cells[row] ?? 0;
  }

  set(row: number, value: number): void {
    const { length, BYTES_PER_ELEMENT: bytes } = this.cells;
    if (row >= length || value >= 256 ** bytes) {
      const largest = Math.max(value, 256 ** bytes - 1);
      const Kind = largest > 0xffff ? Uint32Array : largest > 0xff ? Uint16Array : Uint8Array;
      const copy = new Kind(row < length ? length : Math.ceil((row * 1.06) / 32) * 32 + 64);
      copy.set(this.cells);
      this.cells = copy;
    }
    this.cells[row] = value;
  }

  /** The rows whose values are between two, of a column of values below 2^31. @param low below 2^31 @param rows the number of all rows */
  between(low: number, high: number, rows: number): RowSet {
    const result = new RowSet(rows);
    const { cells } = this;
    const highest = Math.min(high, 2 ** 31 - 1);
    for (let at = 0; at < result.blocks.length; at += 1) {
      let outside = 0;
      for (let bit = 0; bit < 32; bit += 1) {
        const value = cells[at * 32 + bit] ?? 0;
        // A difference is negative. Comparisons would be branches, which take five times as long.
        outside |= (((value - low) | (highest - value)) >>> 31) << bit;
      }
      result.blocks[at] = ~outside;
    }
    return result;
  }
}

/** The number of laptops with a facet's value. */
export interface FacetCount {
  value: string;
  count: number;
}

export const byCount = (one: FacetCount, other: FacetCount) =>
  other.count - one.count || (one.value < other.value ? -1 : 1);

/** One facet of all laptops: for each row the position of its value in a list. The first value stands for none. */
export class FacetColumn extends Column {
  readonly values = [''];
  readonly #codeOf = new Map([['', 0]]);
  /** The number of rows of each value that were not removed. */
  readonly sizes = [0];

  /** Sets the value of the next row. @param value '' for none @returns whether no row had it before */
  add(row: number, value: string): boolean {
    const isNew = !this.#codeOf.has(value);
    if (isNew) this.#codeOf.set(value, this.values.push(value) - 1);
    const code = this.#codeOf.get(value) ?? 0;
    this.set(row, code);
    this.sizes[code] = (this.sizes[code] ?? 0) + 1;
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

  /** The rows whose value is accepted. @param rows the number of all rows */
  accepting(accepts: (value: string) => boolean, rows: number): RowSet {
    const accepted = Uint8Array.from(this.values, (value, code) => Number(code > 0 && accepts(value)));
    const result = new RowSet(rows);
    const codes = this.cells;
    for (let at = 0; at < result.blocks.length; at += 1) {
      let block = 0;
      for (let bit = 0; bit < 32; bit += 1) block |= (accepted[codes[at * 32 + bit] ?? 0] ?? 0) << bit;
      result.blocks[at] = block;
    }
    return result;
  }

  /** The number of rows of each value among some. @param areOthers whether it is among all but these */
  count({ rows, areOthers }: { rows: Uint32Array; areOthers: boolean }): Uint32Array {
    const counts = new Uint32Array(this.values.length);
    const codes = this.cells;
    for (let at = 0; at < rows.length; at += 1) {
      const code = codes[rows[at] ?? 0] ?? 0;
      counts[code] = (counts[code] ?? 0) + 1;
    }
    return areOthers ? counts.map((count, code) => (this.sizes[code] ?? 0) - count) : counts;
  }
}
