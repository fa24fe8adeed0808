/** The number of rows of a block, in which 16 bits tell a row. */
const BLOCK_ROWS = 65_536;
/** The length of its part of a bitmap, in 32-bit words. */
const BLOCK_WORDS = BLOCK_ROWS / 32;

/** A sorted list of rows in two bytes each: their low 16 bits, divided into blocks by the high ones. */
export class RowList {
  #lows: Uint16Array;
  /** Where each block starts in `#lows`, up to the end of the last one with rows. */
  readonly #starts: Uint32Array;
  #size = 0;
  /** The last block with rows. */
  #lastBlock = 0;

  /** @param rows ascending @param capacity the number that no row reaches */
  constructor(rows: readonly number[], capacity: number) {
    this.#lows = new Uint16Array(rows.length * 2);
    this.#starts = new Uint32Array(Math.ceil(capacity / BLOCK_ROWS) + 1);
    for (const row of rows) this.add(row);
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#lows.byteLength + this.#starts.byteLength;
  }

  /** The position of the first row that is not below `row`. */
  #position(row: number): number {
    const block = row >>> 16;
    if (block > this.#lastBlock) return this.#size;
    const value = row & 0xffff;
    let low = this.#starts[block] ?? 0;
    let high = this.#starts[block + 1] ?? 0;
    // Rows are mostly added in ascending order.
    if (high > low && (this.#lows[high - 1] ?? 0) < value) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#lows[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isAt(position: number, row: number): boolean {
    return position < (this.#starts[(row >>> 16) + 1] ?? 0) && this.#lows[position] === (row & 0xffff);
  }

  has(row: number): boolean {
    return this.#isAt(this.#position(row), row);
  }

  /** Changes the size of a block by one. */
  #resize(block: number, by: 1 | -1): void {
    this.#size += by;
    for (let after = block + 1; after <= this.#lastBlock + 1; after += 1) {
      this.#starts[after] = (this.#starts[after] ?? 0) + by;
    }
  }

  #addBlocks(block: number): void {
    if (block <= this.#lastBlock) return;
    this.#starts.fill(this.#size, this.#lastBlock + 1, block + 2);
    this.#lastBlock = block;
  }

  /** Adds a row. @returns whether it was not in the list */
  add(row: number): boolean {
    const size = this.#size;
    const block = row >>> 16;
    if (block > this.#lastBlock) this.#addBlocks(block);
    const position = this.#position(row);
    if (position < size && this.#isAt(position, row)) return false;
    if (size === this.#lows.length) {
      const grown = new Uint16Array(Math.ceil(size * 1.4) + 4);
      grown.set(this.#lows);
      this.#lows = grown;
    }
    if (position < size) this.#lows.copyWithin(position + 1, position, size);
    this.#lows[position] = row & 0xffff;
    this.#resize(block, 1);
    return true;
  }

  /** Removes a row that is in the list. */
  delete(row: number): void {
    const position = this.#position(row);
    this.#lows.copyWithin(position, position + 1, this.#size);
    this.#resize(row >>> 16, -1);
  }

  /** Moves the rows from a row on by one. */
  shift(row: number): void {
    const position = this.#position(row);
    if (position === this.#size) return;
    for (let at = position; at < this.#size; at += 1) this.#lows[at] = (this.#lows[at] ?? 0) + 1;
    // The low bits of the last row of a block became 0 by overflow: it is the first row of the next block.
    for (let block = this.#lastBlock; block >= row >>> 16; block -= 1) {
      const end = this.#starts[block + 1] ?? 0;
      if (end <= Math.max(this.#starts[block] ?? 0, position) || this.#lows[end - 1] !== 0) continue;
      this.#addBlocks(block + 1);
      this.#starts[block + 1] = end - 1;
    }
  }

  /** Sets the rows in a bitmap that starts at a word. */
  addTo(words: Uint32Array, start: number): void {
    const lows = this.#lows;
    for (let block = 0; block <= this.#lastBlock; block += 1) {
      const end = this.#starts[block + 1] ?? 0;
      const base = start + block * BLOCK_WORDS;
      for (let at = this.#starts[block] ?? 0; at < end; at += 1) {
        const low = lows[at] ?? 0;
        words[base + (low >>> 5)] = (words[base + (low >>> 5)] ?? 0) | (1 << (low & 31));
      }
    }
  }

  /** The number of rows that are set in a bitmap that starts at a word. */
  countIn(words: Uint32Array, start: number): number {
    const lows = this.#lows;
    let count = 0;
    for (let block = 0; block <= this.#lastBlock; block += 1) {
      const end = this.#starts[block + 1] ?? 0;
      const base = start + block * BLOCK_WORDS;
      for (let at = this.#starts[block] ?? 0; at < end; at += 1) {
        const low = lows[at] ?? 0;
        count += ((words[base + (low >>> 5)] ?? 0) >>> (low & 31)) & 1;
      }
    }
    return count;
  }

  /** The rows in ascending order. */
  toArray(): Uint32Array {
    const rows = new Uint32Array(this.#size);
    let at = 0;
    this.each((row) => {
      rows[at] = row;
      at += 1;
    });
    return rows;
  }

  /** Calls `visit` with each row in ascending order, until it returns false. */
  each(visit: (row: number) => unknown): void {
    for (let block = 0; block <= this.#lastBlock; block += 1) {
      const end = this.#starts[block + 1] ?? 0;
      const base = block * BLOCK_ROWS;
      for (let at = this.#starts[block] ?? 0; at < end; at += 1) {
        if (visit(base + (this.#lows[at] ?? 0)) === false) return;
      }
    }
  }

  /** Frees reserved memory. */
  trim(): void {
    this.#lows = this.#lows.slice(0, this.#size);
  }
}
