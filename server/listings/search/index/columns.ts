export type Cells = Uint8Array | Uint16Array | Uint32Array;

/** A column of integers from 0 to 2^32 - 1, in as few bytes as the largest one needs. */
export class Column {
  /** The integers by row. Valid until the next `set`. */
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
      const copy = new Kind(row < length ? length : Math.ceil(row * 1.06) + 64);
      copy.set(this.cells);
      this.cells = copy;
    }
    this.cells[row] = value;
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

  /** Adds a bit to all rows whose value is not accepted. */
  reject(mismatches: Cells, bit: number, accepts: (value: string) => boolean): void {
    const bits = Uint32Array.from(this.values, (value, code) => (code > 0 && accepts(value) ? 0 : bit));
    const codes = this.cells;
    for (let row = 0; row < mismatches.length; row += 1) {
      mismatches[row] = (mismatches[row] ?? 0) | (bits[codes[row] ?? 0] ?? 0);
    }
  }

  /** The number of rows of each value in some lists. The fewer rows are counted. @param others lists of all other rows that were not removed */
  count(lists: readonly Uint32Array[], others: readonly Uint32Array[]): Uint32Array {
    const rowsIn = (some: readonly Uint32Array[]) => some.reduce((sum, { length }) => sum + length, 0);
    const isMost = rowsIn(lists) > rowsIn(others);
    const counts = new Uint32Array(this.values.length);
    const codes = this.cells;
    for (const rows of isMost ? others : lists) {
      for (let at = 0; at < rows.length; at += 1) {
        const code = codes[rows[at] ?? 0] ?? 0;
        counts[code] = (counts[code] ?? 0) + 1;
      }
    }
    return isMost ? counts.map((count, code) => (this.sizes[code] ?? 0) - count) : counts;
  }
}
