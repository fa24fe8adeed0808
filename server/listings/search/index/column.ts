export type Cells = Uint8Array | Uint16Array | Uint32Array;

/** A column of integers from 0 to 2^32 - 1, in as few bytes as the largest one needs. */
export class Column {
  #cells: Cells = new Uint8Array(64);
  #maximum = 0xff;

  /** The integers by row. Valid until the next `set`. */
  get cells(): Cells {
    return this.#cells;
  }

  get(row: number): number {
    return this.#cells[row] ?? 0;
  }

  set(row: number, value: number): void {
    if (value > this.#maximum) this.#maximum = value > 0xffff ? 0xffffffff : 0xffff;
    if (row >= this.#cells.length) this.#resize(Math.ceil(row * 1.1) + 64);
    else if (this.#maximum >= 256 ** this.#cells.BYTES_PER_ELEMENT) this.#resize(this.#cells.length);
    this.#cells[row] = value;
  }

  #resize(length: number): void {
    const Type = this.#maximum > 0xffff ? Uint32Array : this.#maximum > 0xff ? Uint16Array : Uint8Array;
    const cells = new Type(length);
    cells.set(this.#cells.subarray(0, length));
    this.#cells = cells;
  }

  /** Frees the memory behind the first rows. */
  trim(rows: number): void {
    this.#resize(rows);
  }
}
