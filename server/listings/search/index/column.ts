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
