import { createKernel, type Kernel } from './kernel.ts';

const PAGE_BYTES = 65_536;

/**
 * Bitmaps and 32-bit columns of equally many rows in one WebAssembly memory, addressed by byte offset. A bit is set when
 * its row has the bitmap's property. Bits from `rows` on are always 0.
 */
export class Bitmaps {
  /** The maximum number of rows. */
  readonly capacity: number;
  /** The number of rows in use; operations read only so far. */
  rows = 0;
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #kernel: Kernel = createKernel(this.#memory);
  readonly #free: number[] = [];
  #end = 0;
  #words = new Uint32Array(this.#memory.buffer);

  constructor(capacity: number) {
    this.capacity = Math.ceil(capacity / 128) * 128;
  }

  /** The size in bytes. */
  get bytes(): number {
    return this.#words.byteLength;
  }

  /** The length of the used part of a bitmap: the rows, padded to 16 bytes. */
  get #length(): number {
    return Math.ceil(this.rows / 128) * 16;
  }

  #reserve(bytes: number): number {
    const offset = this.#end;
    this.#end += bytes;
    const missing = this.#end - this.#words.byteLength;
    if (missing > 0) {
      this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
      this.#words = new Uint32Array(this.#memory.buffer);
    }
    return offset;
  }

  /** Returns the offset of an empty bitmap. */
  allocate(): number {
    const freed = this.#free.pop();
    if (freed === undefined) return this.#reserve(this.capacity / 8);
    this.#words.fill(0, freed / 4, (freed + this.capacity / 8) / 4);
    return freed;
  }

  release(bitmap: number): void {
    this.#free.push(bitmap);
  }

  /** Returns the offset of a column of 32-bit unsigned integers. */
  allocateColumn(): number {
    return this.#reserve(this.capacity * 4);
  }

  /** The memory as 32-bit words. The view is valid until the next allocation. */
  get words(): Uint32Array {
    return this.#words;
  }

  has(bitmap: number, row: number): boolean {
    return (((this.#words[bitmap / 4 + (row >>> 5)] ?? 0) >>> (row & 31)) & 1) === 1;
  }

  /** Sets a bit. @returns whether it was not set */
  set(bitmap: number, row: number): boolean {
    const at = bitmap / 4 + (row >>> 5);
    const word = this.#words[at] ?? 0;
    const changed = word | (1 << (row & 31));
    this.#words[at] = changed;
    return (changed | 0) !== (word | 0);
  }

  clear(bitmap: number, row: number): void {
    const at = bitmap / 4 + (row >>> 5);
    this.#words[at] = (this.#words[at] ?? 0) & ~(1 << (row & 31));
  }

  /** Moves the bits from a row on by one row. The row's bit becomes 0. */
  shift(bitmap: number, row: number): void {
    const words = this.#words;
    const first = bitmap / 4 + (row >>> 5);
    const last = bitmap / 4 + (this.rows >>> 5);
    for (let at = Math.min(last, (bitmap + this.capacity / 8) / 4 - 1); at > first; at -= 1) {
      words[at] = ((words[at] ?? 0) << 1) | ((words[at - 1] ?? 0) >>> 31);
    }
    const below = (1 << (row & 31)) - 1;
    const word = words[first] ?? 0;
    words[first] = (word & below) | ((word & ~below) << 1);
  }

  /** Stores `one and other` in a bitmap, which may be one of them. */
  and(target: number, one: number, other: number): void {
    this.#kernel.and(target, one, other, this.#length);
  }

  or(target: number, one: number, other: number): void {
    this.#kernel.or(target, one, other, this.#length);
  }

  /** Stores `one and not other`. */
  andNot(target: number, one: number, other: number): void {
    this.#kernel.andNot(target, one, other, this.#length);
  }

  copy(target: number, source: number): void {
    this.#kernel.or(target, source, source, this.#length);
  }

  count(bitmap: number): number {
    return this.#kernel.countAnd(bitmap, bitmap, this.#length);
  }

  /** The number of rows of a bitmap from a row on. */
  countFrom(bitmap: number, row: number): number {
    const block = Math.floor(row / 128);
    let before = this.#kernel.countAnd(bitmap, bitmap, block * 16);
    for (let at = block * 128; at < row; at += 1) if (this.has(bitmap, at)) before += 1;
    return this.count(bitmap) - before;
  }

  /** The number of rows that are in both bitmaps. */
  countAnd(one: number, other: number): number {
    return this.#kernel.countAnd(one, other, this.#length);
  }

  /** Stores the rows whose column has a value from `low` to `high`, which includes unused rows. */
  between(target: number, column: number, low: number, high: number): void {
    this.#kernel.between(target, column, low, high, this.#length);
  }

  /** Calls `visit` with the rows below `end` in descending order, until it returns false. */
  descend(bitmap: number, end: number, visit: (row: number) => boolean): void {
    const words = this.#words;
    const base = bitmap / 4;
    for (let at = (end - 1) >> 5; at >= 0; at -= 1) {
      let bits = words[base + at] ?? 0;
      const above = end - at * 32;
      if (above < 32) bits &= (1 << above) - 1;
      while (bits !== 0) {
        const bit = 31 - Math.clz32(bits);
        if (!visit(at * 32 + bit)) return;
        bits ^= 1 << bit;
      }
    }
  }

  /** The rows of a bitmap in ascending order. */
  list(bitmap: number): Uint32Array {
    const rows = new Uint32Array(this.count(bitmap));
    const words = this.#words;
    const base = bitmap / 4;
    let length = 0;
    for (let at = 0; length < rows.length; at += 1) {
      let bits = words[base + at] ?? 0;
      while (bits !== 0) {
        const lowest = bits & -bits;
        rows[length] = at * 32 + 31 - Math.clz32(lowest);
        length += 1;
        bits ^= lowest;
      }
    }
    return rows;
  }
}
