import type { Bitmaps } from './bitmaps.ts';
import { CodeColumn } from './code-column.ts';
import { STEP_ROWS } from './row.ts';
import { RowSet } from './row-set.ts';

/** The number of laptops with a facet's value. */
export interface FacetCount {
  value: string;
  count: number;
}

/** The code of rows without a value. */
const NO_VALUE = 0;

/** Counting a row of a bitmap by its code takes about as long as looking up so many rows of a list in the bitmap. */
const LISTED_ROWS_PER_COUNTED = 2.5;

/** Bytes of a value beside its text and rows: objects, and entries of a map and a list. */
const VALUE_BYTES = 250;

interface FacetValue {
  text: string;
  /** The number of live rows with the value. */
  size: number;
  /** These rows; null in a facet that has only a column. */
  rows: RowSet | null;
}

/** How a facet is stored. */
export interface FacetOptions {
  /** Whether each value has a set of rows, which makes filters and counts fast, but has its size in memory. */
  rowSets: boolean;
  /** Called when a value with a set of rows occurs for the first time. */
  onNewValue: (text: string, rows: RowSet) => void;
}

/** One facet of all laptops: a dictionary of values and a column of codes. */
export class Facet {
  readonly #bitmaps: Bitmaps;
  readonly #options: FacetOptions;
  readonly #column: CodeColumn;
  readonly #codes = new Map<string, number>();
  /** The value of code `n` is at `n - 1`. */
  readonly #values: FacetValue[] = [];

  constructor(bitmaps: Bitmaps, options: FacetOptions) {
    this.#bitmaps = bitmaps;
    this.#options = options;
    this.#column = new CodeColumn(bitmaps.capacity);
  }

  get bytes(): number {
    return this.#values.reduce(
      (sum, { text, rows }) => sum + text.length + (rows?.bytes ?? 0) + VALUE_BYTES,
      this.#column.bytes,
    );
  }

  #codeOf(text: string): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    const rows = this.#options.rowSets ? new RowSet(this.#bitmaps) : null;
    this.#values.push({ text, size: 0, rows });
    this.#codes.set(text, this.#values.length);
    if (rows !== null) this.#options.onNewValue(text, rows);
    return this.#values.length;
  }

  #addCode(row: number, code: number): void {
    this.#column.set(row, code);
    const value = this.#values[code - 1];
    if (value === undefined) return;
    value.size += 1;
    value.rows?.add(row);
  }

  /** Sets the value of a row that is new or has been removed. */
  add(row: number, text: string | null): void {
    this.#addCode(row, text === null ? NO_VALUE : this.#codeOf(text));
  }

  /** Changes the value of a live row. */
  replace(row: number, text: string | null): void {
    if (this.#values[this.#column.get(row) - 1]?.text === (text ?? undefined)) return;
    this.delete(row);
    this.add(row, text);
  }

  /** Removes a row from its value. */
  delete(row: number): void {
    const value = this.#values[this.#column.get(row) - 1];
    if (value === undefined) return;
    value.size -= 1;
    value.rows?.delete(row);
  }

  /** Moves the rows from `row` to before `end` by one row. */
  shift(row: number, end: number): void {
    this.#column.shift(row, end);
    for (const { rows } of this.#values) rows?.shift(row);
  }

  /**
   * Takes over the live rows of another facet.
   * @param live ascending; each gets the row of its position
   * @yields after every {@link STEP_ROWS} rows
   */
  *copy(other: Facet, live: Uint32Array): Generator<void> {
    const codes = new Uint32Array(other.#values.length + 1);
    for (const [index, { text, size }] of other.#values.entries()) {
      if (size > 0) codes[index + 1] = this.#codeOf(text);
    }
    for (let row = 0; row < live.length; row += 1) {
      this.#addCode(row, codes[other.#column.get(live[row] ?? 0)] ?? NO_VALUE);
      if (row % STEP_ROWS === STEP_ROWS - 1) yield;
    }
  }

  /** Frees reserved memory. */
  trim(): void {
    for (const { rows } of this.#values) rows?.trim();
  }

  /** The offset of the bitmap of a value, if it has one. */
  bitmapOf(text: string): number | undefined {
    const bitmap = this.#values[(this.#codes.get(text) ?? NO_VALUE) - 1]?.rows?.bitmap;
    return bitmap === -1 ? undefined : bitmap;
  }

  /** Adds the rows with one of some values to a bitmap, which may include removed ones. */
  addTo(target: number, texts: readonly string[]): void {
    const codes = texts.flatMap((text) => this.#codes.get(text) ?? []);
    if (codes.length === 0) return;
    if (this.#options.rowSets) for (const code of codes) this.#values[code - 1]?.rows?.addTo(target);
    else this.#column.addRows(this.#bitmaps, target, codes);
  }

  /** The number of live rows of each value. Counts are indexed by code. */
  sizes(): Uint32Array {
    return Uint32Array.from([0, ...this.#values.map(({ size }) => size)]);
  }

  /** Counts the values of the rows in a list, in time proportional to the list. */
  countList(rows: Uint32Array): Uint32Array {
    return this.#column.countList(rows, this.#values.length + 1);
  }

  /** Counts the values of the rows in a bitmap. */
  countBitmap(bitmap: number): Uint32Array {
    const counted = () => this.#column.countBitmap(this.#bitmaps, bitmap, this.#values.length + 1);
    if (!this.#options.rowSets) return counted();
    const listed = this.#values.reduce((sum, { size, rows }) => (rows?.bitmap === -1 ? sum + size : sum), 0);
    if (this.#bitmaps.count(bitmap) * LISTED_ROWS_PER_COUNTED < listed) return counted();
    return Uint32Array.from([0, ...this.#values.map(({ rows }) => rows?.countIn(bitmap) ?? 0)]);
  }

  /** The values with the highest counts, without zeros, and the chosen values. */
  mostFrequent(counts: Uint32Array, maximum: number, chosen: readonly string[]): FacetCount[] {
    // Code 0 stands for rows without a value.
    counts[NO_VALUE] = 0;
    const least = Math.max(counts.toSorted().at(-maximum) ?? 0, 1);
    const toCount = ({ text }: FacetValue, index: number) => ({ value: text, count: counts[index + 1] ?? 0 });
    const listed = this.#values
      .flatMap((value, index) => ((counts[index + 1] ?? 0) >= least ? toCount(value, index) : []))
      .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
      .slice(0, maximum);
    const missing = chosen.filter((text) => listed.every(({ value }) => value !== text));
    const others = missing.map((text) => ({ value: text, count: counts[this.#codes.get(text) ?? -1] ?? 0 }));
    return [...listed, ...others];
  }
}
