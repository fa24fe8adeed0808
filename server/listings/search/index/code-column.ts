import type { Bitmaps } from './bitmaps.ts';

type Codes = Uint8Array | Uint16Array | Uint32Array;

/** A column of small integers, stored in as few bytes as the largest one needs. */
export class CodeColumn {
  #codes: Codes;
  /** The largest integer for which there is room. */
  #maximum = 0xff;

  constructor(capacity: number) {
    this.#codes = new Uint8Array(capacity);
  }

  get bytes(): number {
    return this.#codes.byteLength;
  }

  get(row: number): number {
    return this.#codes[row] ?? 0;
  }

  set(row: number, code: number): void {
    if (code > this.#maximum) this.#widen(code);
    this.#codes[row] = code;
  }

  #widen(code: number): void {
    this.#maximum = code <= 0xffff ? 0xffff : 0xffffffff;
    this.#codes = code <= 0xffff ? new Uint16Array(this.#codes) : new Uint32Array(this.#codes);
  }

  /** Moves the codes of the rows from `row` to before `end` by one row. */
  shift(row: number, end: number): void {
    this.#codes.copyWithin(row + 1, row, end);
  }

  /** Adds the rows with one of some codes to a bitmap. */
  addRows(bitmaps: Bitmaps, target: number, chosen: readonly number[]): void {
    const column = this.#codes;
    const isChosen = new Uint8Array(Math.max(...chosen) + 1);
    for (const code of chosen) isChosen[code] = 1;
    const { rows, words } = bitmaps;
    for (let start = 0; start < rows; start += 32) {
      const end = Math.min(start + 32, rows);
      let bits = 0;
      for (let row = start; row < end; row += 1) bits |= (isChosen[column[row] ?? 0] ?? 0) << (row & 31);
      words[target / 4 + (start >>> 5)] = (words[target / 4 + (start >>> 5)] ?? 0) | bits;
    }
  }

  /** Counts the rows of a list by code. @param codes the number of codes */
  countList(rows: Uint32Array, codes: number): Uint32Array {
    const counts = new Uint32Array(codes);
    const column = this.#codes;
    for (let at = 0; at < rows.length; at += 1) {
      const code = column[rows[at] ?? 0] ?? 0;
      counts[code] = (counts[code] ?? 0) + 1;
    }
    return counts;
  }

  /** Counts the rows of a bitmap by code. @param codes the number of codes */
  countBitmap(bitmaps: Bitmaps, bitmap: number, codes: number): Uint32Array {
    const counts = new Uint32Array(codes);
    const column = this.#codes;
    const { rows, words } = bitmaps;
    for (let start = 0; start < rows; start += 32) {
      let bits = words[bitmap / 4 + (start >>> 5)] ?? 0;
      while (bits !== 0) {
        const bit = 31 - Math.clz32(bits);
        const code = column[start + bit] ?? 0;
        counts[code] = (counts[code] ?? 0) + 1;
        bits ^= 1 << bit;
      }
    }
    return counts;
  }
}
