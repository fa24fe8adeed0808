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
    if (value >= 256 ** this.cells.BYTES_PER_ELEMENT) {
      this.#copy(value > 0xffff ? new Uint32Array(this.cells.length) : new Uint16Array(this.cells.length));
    }
    if (row >= this.cells.length) this.trim(Math.ceil(row * 1.1) + 64);
    this.cells[row] = value;
  }

  #copy(cells: Cells): void {
    cells.set(this.cells.subarray(0, cells.length));
    this.cells = cells;
  }

  /** Keeps memory for this many rows. */
  trim(rows: number): void {
    const { cells } = this;
    if (cells instanceof Uint8Array) this.#copy(new Uint8Array(rows));
    else this.#copy(cells instanceof Uint16Array ? new Uint16Array(rows) : new Uint32Array(rows));
  }
}
