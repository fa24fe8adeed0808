import type { Bitmaps } from './bitmaps.ts';
import { STEP_ROWS } from './row.ts';
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

/** Up to this many new words are inserted one by one; a new laptop has few. */
const MAXIMUM_INSERTED = 64;

const noValues: readonly RowSet[] = [];

/** Bytes of a word beside its text and rows: map entry and sorted list, and the objects if it has any. */
const ENTRY_BYTES = 90;
const WORD_BYTES = 200;

/** All words of names and of facet values, with their rows. */
export class Vocabulary {
  readonly #bitmaps: Bitmaps;
  /** A word in a single name has only its row: most words are article numbers and misspellings. */
  readonly #words = new Map<string, Word | number>();
  readonly #trigrams = new Trigrams();
  #sorted: string[] = [];
  /** New words that are not in `#sorted` yet. */
  #unsorted: string[] = [];

  constructor(bitmaps: Bitmaps) {
    this.#bitmaps = bitmaps;
  }

  get bytes(): number {
    let bytes = this.#trigrams.bytes;
    for (const [text, word] of this.#words) {
      bytes += ENTRY_BYTES + text.length;
      if (typeof word !== 'number') bytes += WORD_BYTES + word.names.bytes;
    }
    return bytes;
  }

  #toWord(text: string, rows: readonly number[]): Word {
    const names = new RowSet(this.#bitmaps);
    for (const row of rows) names.add(row);
    return { text, names, brands: noValues, facts: noValues };
  }

  /** Returns a known word, which must not be changed. */
  get(text: string): Word | undefined {
    const word = this.#words.get(text);
    return typeof word === 'number' ? this.#toWord(text, [word]) : word;
  }

  #isNew(text: string): void {
    this.#trigrams.add(text);
    this.#unsorted.push(text);
  }

  /** Adds a row to the names with a word. @returns the set with the row, or null while it is the only one */
  addName(text: string, row: number): RowSet | null {
    const word = this.#words.get(text);
    if (word === undefined) {
      this.#words.set(text, row);
      this.#isNew(text);
      return null;
    }
    if (typeof word === 'object') {
      word.names.add(row);
      return word.names;
    }
    if (word === row) return null;
    const several = this.#toWord(text, [word, row]);
    this.#words.set(text, several);
    return several.names;
  }

  /** Adds the rows of a facet's value to a word. */
  addValue(text: string, rows: RowSet, kind: 'brands' | 'facts'): void {
    const known = this.#words.get(text);
    const word = typeof known === 'object' ? known : this.#toWord(text, known === undefined ? [] : [known]);
    word[kind] = [...word[kind], rows];
    this.#words.set(text, word);
    if (known === undefined) this.#isNew(text);
  }

  /** Whether the name of a row has a word. */
  hasName(text: string, row: number): boolean {
    const word = this.#words.get(text);
    return typeof word === 'object' ? word.names.has(row) : word === row;
  }

  /** Removes a row from all words. */
  deleteName(row: number): void {
    for (const [text, word] of this.#words) {
      if (typeof word !== 'number') word.names.delete(row);
      else if (word === row) this.#words.set(text, this.#toWord(text, []));
    }
  }

  /** Moves the rows from a row on by one. */
  shift(row: number): void {
    for (const [text, word] of this.#words) {
      if (typeof word !== 'number') word.names.shift(row);
      else if (word >= row) this.#words.set(text, word + 1);
    }
  }

  /**
   * Takes over the live rows of another vocabulary, after the values of its facets.
   * @param newRows the new row of each row, or {@link REMOVED}
   * @yields after every {@link STEP_ROWS} rows
   */
  *copy(other: Vocabulary, newRows: Uint32Array): Generator<void> {
    let added = 0;
    for (const [text, word] of other.#words) {
      let names: RowSet | null = null;
      for (const from of typeof word === 'number' ? [word] : word.names.list()) {
        added += 1;
        if (added % STEP_ROWS === 0) yield;
        const row = newRows[from] ?? REMOVED;
        if (row === REMOVED) continue;
        if (names !== null) names.add(row);
        else names = this.addName(text, row);
      }
    }
  }

  /** Frees reserved memory and sorts the words, which would delay the first search. */
  trim(): void {
    this.#sort();
    for (const word of this.#words.values()) if (typeof word !== 'number') word.names.trim();
  }

  /** The position of the first sorted word that is not before a text. */
  #position(text: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Adds the new words to the sorted ones. */
  #sort(): void {
    if (this.#unsorted.length > MAXIMUM_INSERTED) this.#sorted = [...this.#sorted, ...this.#unsorted].sort();
    else for (const text of this.#unsorted) this.#sorted.splice(this.#position(text), 0, text);
    this.#unsorted = [];
  }

  /** The words that begin with a prefix, in alphabetical order. */
  withPrefix(prefix: string): Word[] {
    this.#sort();
    const low = this.#position(prefix);
    let end = low;
    while (this.#sorted[end]?.startsWith(prefix)) end += 1;
    return this.#sorted.slice(low, end).flatMap((text) => this.get(text) ?? []);
  }

  /** Finds words that are similar to a word. @yields the equally similar ones, most similar first */
  *similar(text: string): Generator<Word[]> {
    for (const { words } of this.#trigrams.similar(text)) yield words.flatMap((word) => this.get(word) ?? []);
  }
}
