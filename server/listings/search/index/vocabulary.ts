import type { RowSet } from './row-set.ts';

/** Where a laptop has a word: in name or brand, in another fact, in the texts of the configuration, or only in the description. */
export const places = { title: 0, facts: 1, configuration: 2, notes: 3 } as const;
export type Place = (typeof places)[keyof typeof places];

/** The minimum similarity of a correction, PostgreSQL's default of `pg_trgm.similarity_threshold`. */
const MINIMUM_SIMILARITY = 0.3;

/** Longer words are not corrected. Up to `SHORT` characters a word hardly tells what it was meant to be: `sd`, `ssd`, `hdd`. */
const LONGEST = 32;
const SHORT = 3;

/**
 * The maximum number of known words that were first read in a description: people write any word there. A further one is not known,
 * as long as no name or configuration has it.
 */
const MAXIMUM_WORDS_OF_NOTES = 10_000;

/** Of these, first read in the descriptions of one seller: a few sellers could use up all of them with invented words. */
const MAXIMUM_NOTE_WORDS_OF_SELLER = 100;

/** Bytes of a word beside its rows, with its trigrams: an estimate. */
const WORD_BYTES = 500;

/**
 * A known word with the rows that have it, ascending, including removed ones, and the first place of each. Stored are the differences
 * between the rows with the place in the lowest 2 bits: 7 bits a byte, the lowest first, and the 8th bit set when another byte
 * follows. Most words are in many laptops, so a row usually takes one byte instead of the four of an array.
 */
export class Word {
  readonly text: string;
  /** The number of rows. */
  size = 0;
  #bytes = new Uint8Array(0);
  #length = 0;
  #last = -1;

  constructor(text: string) {
    this.text = text;
  }

  get bytes(): number {
    return this.#bytes.byteLength + WORD_BYTES;
  }

  /** Adds the last row, unless it has the word in another place. */
  add(row: number, place: Place): void {
    if (row === this.#last) return;
    // A row below 2^30 takes at most 5 bytes.
    if (this.#length + 5 > this.#bytes.length) {
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(Math.ceil(this.#length * 1.06) + 5));
    }
    let rest = (((row - this.#last) << 2) | place) >>> 0;
    for (; rest > 0x7f; rest >>>= 7) {
      this.#bytes[this.#length] = (rest & 0x7f) | 0x80;
      this.#length += 1;
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
    this.size += 1;
    this.#last = row;
  }

  /** Calls a visitor with each row in ascending order, until it returns true. @returns whether it did */
  visit(visitor: (row: number, place: number) => unknown): boolean {
    const bytes = this.#bytes;
    const length = this.#length;
    let row = -1;
    for (let at = 0; at < length; at += 1) {
      let byte = bytes[at] ?? 0;
      let stored = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        at += 1;
        byte = bytes[at] ?? 0;
        stored |= (byte & 0x7f) << shift;
      }
      row += stored >>> 2;
      if (visitor(row, stored & 3) === true) return true;
    }
    return false;
  }

  /** The number of some rows that have the word in a place up to the last one. */
  count(rows: RowSet, last: Place = places.notes): number {
    let count = 0;
    this.visit((row, place) => {
      if (place <= last && rows.has(row)) count += 1;
    });
    return count;
  }
}

/** The distinct sequences of three characters of a word with two spaces before and one after it, as in pg_trgm. */
const trigramsOf = (word: string): Set<string> =>
  new Set(Array.from({ length: word.length + 1 }, (_, at) => `  ${word} `.slice(at, at + 3)));

/** Whether a word can be misspelt. One with a digit is a model number or a size, and a similar one is another model or size. */
const isCorrectable = (word: string) => word.length <= LONGEST && !/\d/.test(word);

/** Whether a misspelled word can mean another: a short one only what has one letter more at its end. */
const canMean = (word: string, other: string) =>
  word.length > SHORT
    ? other.length >= SHORT && mistakesBetween(word, other) <= mistakesIn(word)
    : other.length === word.length + 1 && other.startsWith(word);

/** The most typing mistakes in a word, of which a short one has fewer: with more it is another word (`condition`, `edition`). */
const mistakesIn = (word: string) => (word.length > 5 ? 2 : 1);

/** The fewest letters that were left out, added, replaced or swapped with their neighbour (optimal string alignment distance). */
export function mistakesBetween(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwapped ? (beforeLast[j - 2] ?? 0) + 1 : replaced;
      row.push(Math.min(replaced, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return last[other.length] ?? 0;
}

/** All words of names, facts, configurations and descriptions, with their rows. */
export class Vocabulary {
  readonly #words = new Map<string, Word>();
  /** The correctable words with a trigram, and the numbers of trigrams of each. */
  readonly #withTrigram = new Map<string, Word[]>();
  readonly #trigrams = new Map<Word, number>();
  #wordsOfNotes = 0;
  /** By seller. There are no more sellers than words. */
  readonly #wordsOfNotesOf = new Map<string, number>();

  get bytes(): number {
    return [...this.#words.values()].reduce((sum, { bytes }) => sum + bytes, 0);
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
    if (!isCorrectable(text)) return word;
    const trigrams = trigramsOf(text);
    this.#trigrams.set(word, trigrams.size);
    for (const trigram of trigrams) {
      const others = this.#withTrigram.get(trigram);
      if (others === undefined) this.#withTrigram.set(trigram, [word]);
      else others.push(word);
    }
    return word;
  }

  /** The same for a word of a seller's description. @returns undefined when it stays unknown */
  addOfNotes(text: string, sellerId: string | undefined): Word | undefined {
    const known = this.#words.get(text);
    if (known !== undefined || this.#wordsOfNotes === MAXIMUM_WORDS_OF_NOTES) return known;
    if (sellerId !== undefined) {
      const ofSeller = this.#wordsOfNotesOf.get(sellerId) ?? 0;
      if (ofSeller === MAXIMUM_NOTE_WORDS_OF_SELLER) return undefined;
      this.#wordsOfNotesOf.set(sellerId, ofSeller + 1);
    }
    this.#wordsOfNotes += 1;
    return this.add(text);
  }

  /** The words that begin with a prefix. */
  withPrefix(prefix: string): Word[] {
    return [...this.#words.values()].filter(({ text }) => text.startsWith(prefix));
  }

  /** The words that a misspelled one can mean, with the share of the trigrams that they have in common; 1 with neighbours swapped. */
  similar(text: string): { word: Word; similarity: number }[] {
    if (!isCorrectable(text)) return [];
    const trigrams = trigramsOf(text);
    // Few trigrams of a short word remain when two neighbours are swapped: `dlel`.
    const swapped = Array.from(text, (_, at) => text.slice(0, at) + text.slice(at).replace(/(.)(.)/, '$2$1'));
    const meant = new Set(swapped.flatMap((each) => this.#words.get(each) ?? []));
    const common = new Map(Array.from(meant, (word) => [word, 0]));
    for (const trigram of trigrams) {
      for (const word of this.#withTrigram.get(trigram) ?? []) common.set(word, (common.get(word) ?? 0) + 1);
    }
    return Array.from(common, ([word, shared]) => ({
      word,
      similarity: meant.has(word) ? 1 : shared / (trigrams.size + (this.#trigrams.get(word) ?? 0) - shared),
    })).filter(({ word, similarity }) => similarity >= MINIMUM_SIMILARITY && canMean(text, word.text));
  }
}
