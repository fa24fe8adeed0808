import type { Bitmaps } from './bitmaps.ts';
import { STEP_ROWS } from './row.ts';
import { RowSet } from './row-set.ts';

/** The maximum number of distinct words of a row, so that it fits into a byte. The others are not searched. */
const MAXIMUM_WORDS = 255;

/** Bytes of a word, and of the objects if it is in several rows, beside the rows. */
const ENTRY_BYTES = 8;
const SET_BYTES = 120;

/** Instead of a row: none. */
const NONE = 0xffffffff;

/**
 * The rows of each word of a text that every laptop has, such as its name. Words are numbers. A removed laptop keeps its words,
 * and its row can only be used for it again.
 */
export class WordRows {
  readonly #bitmaps: Bitmaps;
  /** By word. One of a single row has only its row: most words are article numbers and misspellings. */
  readonly #rows: (RowSet | number)[] = [];
  /** The number of distinct words of each row. */
  readonly #counts: Uint8Array;

  constructor(bitmaps: Bitmaps) {
    this.#bitmaps = bitmaps;
    this.#counts = new Uint8Array(bitmaps.capacity);
  }

  get bytes(): number {
    let bytes = this.#counts.byteLength + this.#rows.length * ENTRY_BYTES;
    for (const rows of this.#rows) if (typeof rows !== 'number') bytes += SET_BYTES + rows.bytes;
    return bytes;
  }

  #toSet(rows: readonly number[]): RowSet {
    const set = new RowSet(this.#bitmaps);
    for (const row of rows) set.add(row);
    return set;
  }

  /** The rows of a word, which must not be changed; none or one set. */
  get(word: number): readonly RowSet[] {
    const rows = this.#rows[word] ?? NONE;
    if (typeof rows !== 'number') return [rows];
    return rows === NONE ? [] : [this.#toSet([rows])];
  }

  /** Adds a row to a word. @returns whether the row did not have it */
  #add(word: number, row: number): boolean {
    while (this.#rows.length <= word) this.#rows.push(NONE);
    const rows = this.#rows[word] ?? NONE;
    if (typeof rows !== 'number') return rows.add(row);
    if (rows === row) return false;
    this.#rows[word] = rows === NONE ? row : this.#toSet([rows, row]);
    return true;
  }

  #has(word: number, row: number): boolean {
    const rows = this.#rows[word];
    return typeof rows === 'object' ? rows.has(row) : rows === row;
  }

  /** Replaces the words of a row. @param texts the words of each of its texts */
  set(row: number, texts: readonly (readonly number[])[]): void {
    if (this.#counts[row] !== 0) {
      // The words of a row are not stored: they are the same when it has each of the new ones, and as many.
      const words = [...new Set(texts.flat())].slice(0, MAXIMUM_WORDS);
      if (this.#counts[row] === words.length && words.every((word) => this.#has(word, row))) return;
      this.#delete(row);
    }
    let count = 0;
    for (const words of texts) {
      for (const word of words) {
        if (count === MAXIMUM_WORDS) break;
        if (this.#add(word, row)) count += 1;
      }
    }
    this.#counts[row] = count;
  }

  /** Removes a row from all words. */
  #delete(row: number): void {
    for (const [word, rows] of this.#rows.entries()) {
      if (typeof rows !== 'number') rows.delete(row);
      else if (rows === row) this.#rows[word] = NONE;
    }
  }

  /** Moves the rows from a row on by one. The row has no words then. */
  shift(row: number): void {
    this.#counts.copyWithin(row + 1, row, this.#bitmaps.rows);
    this.#counts[row] = 0;
    for (const [word, rows] of this.#rows.entries()) {
      if (typeof rows !== 'number') rows.shift(row);
      else if (rows !== NONE && rows >= row) this.#rows[word] = rows + 1;
    }
  }

  /**
   * Takes over rows of others.
   * @param live ascending; each gets the row of its position
   * @param toOwn the number of a word of the others, called for those that are taken over
   * @yields after every {@link STEP_ROWS} rows
   */
  *copy(other: WordRows, live: Uint32Array, toOwn: (word: number) => number): Generator<void> {
    const newRows = new Uint32Array(other.#bitmaps.rows).fill(NONE);
    for (let row = 0; row < live.length; row += 1) {
      const from = live[row] ?? 0;
      newRows[from] = row;
      this.#counts[row] = other.#counts[from] ?? 0;
      if (row % STEP_ROWS === STEP_ROWS - 1) yield;
    }
    let copied = 0;
    for (const [word, rows] of other.#rows.entries()) {
      let own = -1;
      for (const from of typeof rows === 'number' ? [rows] : rows.list()) {
        copied += 1;
        if (copied % STEP_ROWS === 0) yield;
        const row = newRows[from] ?? NONE;
        if (row === NONE) continue;
        if (own < 0) own = toOwn(word);
        this.#add(own, row);
      }
    }
  }

  /** Frees reserved memory. */
  trim(): void {
    for (const rows of this.#rows) if (typeof rows !== 'number') rows.trim();
  }
}
