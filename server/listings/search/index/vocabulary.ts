import { RowList } from './row-list.ts';
import { type SimilarWord, Trigrams } from './trigrams.ts';

/** Where a laptop has a word: in name or brand, in another fact, in the texts of the configuration, or only in the description. */
export const wordPlaces = ['title', 'facts', 'configuration', 'notes'] as const;
export type WordPlace = (typeof wordPlaces)[number];

/** Bytes of a word and of a list beside the rows: objects, the text, and entries of maps. */
const WORD_BYTES = 240;
const LIST_BYTES = 160;

/** A known word. Each row that has it, including removed ones, is in the list of the first place. */
export class Word {
  readonly text: string;
  readonly #lists: Partial<Record<WordPlace, RowList>> = {};

  constructor(text: string) {
    this.text = text;
  }

  /** The lists of some places. Their rows are different. */
  lists(places: readonly WordPlace[] = wordPlaces): RowList[] {
    return places.flatMap((place) => this.#lists[place] ?? []);
  }

  /** The number of rows, including removed ones. */
  get size(): number {
    return this.lists().reduce((sum, { size }) => sum + size, 0);
  }

  get bytes(): number {
    return this.lists().reduce((sum, { bytes }) => sum + bytes + LIST_BYTES, WORD_BYTES);
  }

  /** Adds the last row, unless it has the word in another place. */
  add(row: number, place: WordPlace): void {
    const { title, facts, configuration, notes } = this.#lists;
    if (title?.last === row || facts?.last === row) return;
    if (configuration?.last === row || notes?.last === row) return;
    this.#lists[place] ??= new RowList();
    this.#lists[place].add(row);
  }

  /** Calls `visit` with each row. */
  each(visit: (row: number) => unknown, places?: readonly WordPlace[]): void {
    for (const list of this.lists(places)) list.each(visit);
  }

  /** Whether a row has the word. */
  has(row: number): boolean {
    return this.lists().some((list) => {
      let isFound = false;
      list.each((other) => {
        isFound = other === row;
        return other < row;
      });
      return isFound;
    });
  }

  /** Whether a row has the word, of those with a 0 in `removed`. */
  isIn(removed: ArrayLike<number>, places?: readonly WordPlace[]): boolean {
    return this.lists(places).some((list) => {
      let isFound = false;
      list.each((row) => {
        isFound = removed[row] === 0;
        return !isFound;
      });
      return isFound;
    });
  }
}

/**
 * The maximum number of known words that were first read in a description: people write any word there. A further one is not known,
 * as long as no name or configuration has it.
 */
const MAXIMUM_WORDS_OF_NOTES = 10_000;

/** All words of names, facts, configurations and descriptions, with their rows. */
export class Vocabulary {
  readonly #words = new Map<string, Word>();
  readonly #trigrams = new Trigrams();
  #sorted: string[] = [];
  #wordsOfNotes = 0;
  /** New words that are not in `#sorted` yet. */
  #unsorted: string[] = [];

  get bytes(): number {
    let bytes = this.#trigrams.bytes;
    for (const word of this.#words.values()) bytes += word.bytes;
    return bytes;
  }

  get(text: string): Word | undefined {
    return this.#words.get(text);
  }

  /** The word with a text, which becomes known. */
  add(text: string): Word {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    const word = new Word(text);
    this.#words.set(text, word);
    this.#trigrams.add(text);
    this.#unsorted.push(text);
    return word;
  }

  /** The same for a word of a description. @returns undefined when it stays unknown */
  addOfNotes(text: string): Word | undefined {
    const known = this.#words.get(text);
    if (known !== undefined || this.#wordsOfNotes === MAXIMUM_WORDS_OF_NOTES) return known;
    this.#wordsOfNotes += 1;
    return this.add(text);
  }

  /** Frees reserved memory and sorts the words, which would delay the first search. */
  trim(): void {
    this.#sort();
    for (const word of this.#words.values()) for (const list of word.lists()) list.trim();
  }

  #sort(): void {
    if (this.#unsorted.length === 0) return;
    this.#sorted = [...this.#sorted, ...this.#unsorted].sort();
    this.#unsorted = [];
  }

  /** The words that begin with a prefix, in alphabetical order. */
  withPrefix(prefix: string): Word[] {
    this.#sort();
    let low = 0;
    let end = this.#sorted.length;
    while (low < end) {
      const middle = (low + end) >>> 1;
      if ((this.#sorted[middle] ?? '') < prefix) low = middle + 1;
      else end = middle;
    }
    while (this.#sorted[end]?.startsWith(prefix)) end += 1;
    return this.#sorted.slice(low, end).flatMap((text) => this.#words.get(text) ?? []);
  }

  /** The words that a misspelled one can mean, in no order. */
  similar(text: string): SimilarWord[] {
    return this.#trigrams.similar(text);
  }
}
