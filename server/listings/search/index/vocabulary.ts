import type { Bitmaps } from './bitmaps.ts';
import type { RowSet } from './row-set.ts';
import { type SimilarWord, Trigrams } from './trigrams.ts';
import { WordRows } from './word-rows.ts';

/** A known word with the rows that have it; those of names and configurations include removed rows. */
export interface Word {
  text: string;
  /** In name or brand. */
  title: readonly RowSet[];
  /** As a value of another facet. */
  facts: readonly RowSet[];
  /** In the seller's texts of the configuration. */
  configuration: readonly RowSet[];
}

/** Up to this many new words are inserted one by one; a new laptop has few. */
const MAXIMUM_INSERTED = 64;

/** Bytes of a word beside its rows: its text, a map entry, and its places in lists. */
const WORD_BYTES = 90;

/** The rows of each value of a facet with a word. */
interface Values {
  brands: RowSet[];
  facts: RowSet[];
}

/** All words of names, configurations and facet values, with their rows. Each has a number. */
export class Vocabulary {
  readonly names: WordRows;
  readonly configurations: WordRows;
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #values = new Map<number, Values>();
  readonly #trigrams = new Trigrams();
  #sorted: string[] = [];
  /** New words that are not in `#sorted` yet. */
  #unsorted: string[] = [];

  constructor(bitmaps: Bitmaps) {
    this.names = new WordRows(bitmaps);
    this.configurations = new WordRows(bitmaps);
  }

  get bytes(): number {
    const words = this.#texts.length * WORD_BYTES;
    return this.#trigrams.bytes + words + this.names.bytes + this.configurations.bytes;
  }

  /** The number of a word, which becomes known. */
  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.length;
    this.#numbers.set(text, number);
    this.#texts.push(text);
    this.#trigrams.add(text);
    this.#unsorted.push(text);
    return number;
  }

  /** Returns a known word, which must not be changed. */
  get(text: string): Word | undefined {
    const number = this.#numbers.get(text);
    if (number === undefined) return undefined;
    const values = this.#values.get(number);
    return {
      text,
      title: [...this.names.get(number), ...(values?.brands ?? [])],
      facts: values?.facts ?? [],
      configuration: this.configurations.get(number),
    };
  }

  /** Adds the rows of a facet's value to a word. */
  addValue(text: string, rows: RowSet, kind: keyof Values): void {
    const number = this.numberOf(text);
    const values = this.#values.get(number) ?? { brands: [], facts: [] };
    values[kind].push(rows);
    this.#values.set(number, values);
  }

  /** Moves the rows from a row on by one. */
  shift(row: number): void {
    this.names.shift(row);
    this.configurations.shift(row);
  }

  /**
   * Takes over the live rows of another vocabulary, after the values of its facets.
   * @param live ascending; each gets the row of its position
   * @yields after a bounded number of rows
   */
  *copy(other: Vocabulary, live: Uint32Array): Generator<void> {
    const toOwn = (word: number) => this.numberOf(other.#texts[word] ?? '');
    yield* this.names.copy(other.names, live, toOwn);
    yield* this.configurations.copy(other.configurations, live, toOwn);
  }

  /** Frees reserved memory and sorts the words, which would delay the first search. */
  trim(): void {
    this.#sort();
    this.names.trim();
    this.configurations.trim();
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

  /** The words that a misspelled one can mean, in no order. */
  similar(text: string): SimilarWord[] {
    return this.#trigrams.similar(text);
  }
}
