import type { Bitmaps } from './bitmaps.ts';
import { RowSet } from './row-set.ts';
import { Trigrams } from './trigrams.ts';

/** A known word. */
export interface Word {
  text: string;
  /** The rows with this word in the name, including removed ones. */
  names: RowSet;
  /** The rows of each brand with this word. */
  brands: readonly RowSet[];
  /** The rows of each value of another facet with this word. */
  facts: readonly RowSet[];
}

/** The new row of a removed one. */
export const REMOVED = 0xffffffff;

const noValues: readonly RowSet[] = [];

/** Bytes of a word beside its text and list of rows: objects, map entry, sorted list. */
const WORD_BYTES = 240;

/** All words of names and of facet values, with their rows. */
export class Vocabulary {
  readonly #bitmaps: Bitmaps;
  readonly #words = new Map<string, Word>();
  readonly #trigrams = new Trigrams();
  #sorted: Word[] = [];
  /** New words that are not in `#sorted` yet. */
  #unsorted: Word[] = [];

  constructor(bitmaps: Bitmaps) {
    this.#bitmaps = bitmaps;
  }

  get bytes(): number {
    let bytes = this.#trigrams.bytes;
    for (const { text, names } of this.#words.values()) bytes += WORD_BYTES + text.length + names.bytes;
    return bytes;
  }

  get(text: string): Word | undefined {
    return this.#words.get(text);
  }

  values(): Iterable<Word> {
    return this.#words.values();
  }

  getOrAdd(text: string): Word {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    const word = { text, names: new RowSet(this.#bitmaps), brands: noValues, facts: noValues };
    this.#words.set(text, word);
    this.#trigrams.add(text);
    this.#unsorted.push(word);
    return word;
  }

  /** Adds the rows of a facet's value to a word. */
  addValue(text: string, rows: RowSet, kind: 'brands' | 'facts'): void {
    const word = this.getOrAdd(text);
    word[kind] = [...word[kind], rows];
  }

  /** Moves the rows from a row on by one. */
  shift(row: number): void {
    for (const { names } of this.#words.values()) names.shift(row);
  }

  /** Takes over the live rows of another vocabulary. @param newRows the new row of each row, or {@link REMOVED} */
  copy(other: Vocabulary, newRows: Uint32Array): void {
    for (const { text, names } of other.#words.values()) {
      names.each((from) => {
        const row = newRows[from] ?? REMOVED;
        if (row !== REMOVED) this.getOrAdd(text).names.add(row);
      });
    }
  }

  trim(): void {
    for (const { names } of this.#words.values()) names.trim();
  }

  /** The words that begin with a prefix, in alphabetical order. */
  withPrefix(prefix: string): Word[] {
    this.#sort();
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle]?.text ?? '') < prefix) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (this.#sorted[end]?.text.startsWith(prefix)) end += 1;
    return this.#sorted.slice(low, end);
  }

  #sort(): void {
    if (this.#unsorted.length === 0) return;
    this.#sorted = [...this.#sorted, ...this.#unsorted].sort((one, other) =>
      one.text < other.text ? -1 : 1,
    );
    this.#unsorted = [];
  }

  /** The known words that are similar to a word, grouped by similarity, most similar first. */
  similar(text: string): Word[][] {
    return this.#trigrams.similar(text).map(({ words }) => words.flatMap((word) => this.get(word) ?? []));
  }
}
