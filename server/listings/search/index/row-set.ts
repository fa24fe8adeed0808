import type { Bitmaps } from './bitmaps.ts';
import { RowList } from './row-list.ts';

/** The maximum length of an array of rows; most words are in the names of few laptops. */
const MAXIMUM_ARRAY = 16;

const noRows: readonly number[] = [];

/**
 * A set of rows: a sorted array while it is small; a {@link RowList} below a 16th of the capacity, from where on it would be
 * larger than a bitmap; then a bitmap.
 */
export class RowSet {
  readonly #bitmaps: Bitmaps;
  #array = noRows;
  #list: RowList | null = null;
  #bitmap = -1;
  #bitmapSize = 0;

  constructor(bitmaps: Bitmaps) {
    this.#bitmaps = bitmaps;
  }

  get size(): number {
    if (this.#bitmap >= 0) return this.#bitmapSize;
    return this.#list === null ? this.#array.length : this.#list.size;
  }

  /** The size of the array or list in bytes; a bitmap is counted by {@link Bitmaps}. */
  get bytes(): number {
    return (this.#list?.bytes ?? 0) + this.#array.length * 8;
  }

  /** The offset of the bitmap, or -1. */
  get bitmap(): number {
    return this.#bitmap;
  }

  has(row: number): boolean {
    if (this.#bitmap >= 0) return this.#bitmaps.has(this.#bitmap, row);
    return this.#list === null ? this.#array.includes(row) : this.#list.has(row);
  }

  /** Adds a row. @returns whether it was not in the set */
  add(row: number): boolean {
    if (this.#bitmap >= 0) {
      const isNew = this.#bitmaps.set(this.#bitmap, row);
      if (isNew) this.#bitmapSize += 1;
      return isNew;
    }
    if (this.#list !== null) {
      const isNew = this.#list.add(row);
      if (this.#list.size > this.#bitmaps.capacity / 16) this.#toBitmap();
      return isNew;
    }
    if (this.#array.includes(row)) return false;
    this.#array = [...this.#array, row].sort((one, other) => one - other);
    if (this.#array.length > MAXIMUM_ARRAY) this.#toList();
    return true;
  }

  #toList(): void {
    this.#list = new RowList(this.#array, this.#bitmaps.capacity);
    this.#array = noRows;
  }

  #toBitmap(): void {
    const bitmap = this.#bitmaps.allocate();
    this.#bitmapSize = this.size;
    this.addTo(bitmap);
    this.#list = null;
    this.#bitmap = bitmap;
  }

  delete(row: number): void {
    if (!this.has(row)) return;
    if (this.#bitmap >= 0) {
      this.#bitmaps.clear(this.#bitmap, row);
      this.#bitmapSize -= 1;
    } else if (this.#list !== null) this.#list.delete(row);
    else this.#array = this.#array.filter((other) => other !== row);
  }

  /** Moves the rows from a row on by one. */
  shift(row: number): void {
    if (this.#bitmap >= 0) this.#bitmaps.shift(this.#bitmap, row);
    else if (this.#list !== null) this.#list.shift(row);
    else if ((this.#array.at(-1) ?? -1) >= row) {
      this.#array = this.#array.map((other) => (other < row ? other : other + 1));
    }
  }

  /** The rows in ascending order. */
  list(): ArrayLike<number> & Iterable<number> {
    if (this.#bitmap >= 0) return this.#bitmaps.list(this.#bitmap);
    return this.#list === null ? this.#array : this.#list.toArray();
  }

  /** Calls `visit` with each row in ascending order, until it returns false. */
  each(visit: (row: number) => unknown): void {
    if (this.#bitmap >= 0)
      for (const row of this.#bitmaps.list(this.#bitmap)) {
        if (visit(row) === false) return;
      }
    else if (this.#list !== null) this.#list.each(visit);
    else this.#array.every((row) => visit(row) !== false);
  }

  /** Adds the rows to a bitmap. */
  addTo(target: number): void {
    if (this.#bitmap >= 0) this.#bitmaps.or(target, target, this.#bitmap);
    else if (this.#list !== null) this.#list.addTo(this.#bitmaps.words, target / 4);
    else for (const row of this.#array) this.#bitmaps.set(target, row);
  }

  /** The number of rows that are also in a bitmap. */
  countIn(bitmap: number): number {
    if (this.#bitmap >= 0) return this.#bitmaps.countAnd(this.#bitmap, bitmap);
    if (this.#list !== null) return this.#list.countIn(this.#bitmaps.words, bitmap / 4);
    let count = 0;
    for (const row of this.#array) if (this.#bitmaps.has(bitmap, row)) count += 1;
    return count;
  }

  /** Whether a row is also in a bitmap. */
  meets(bitmap: number): boolean {
    if (this.#bitmap >= 0) return this.#bitmaps.countAnd(this.#bitmap, bitmap) > 0;
    let found = false;
    this.each((row) => {
      found = this.#bitmaps.has(bitmap, row);
      return !found;
    });
    return found;
  }

  /** Frees reserved memory. */
  trim(): void {
    this.#list?.trim();
  }
}
