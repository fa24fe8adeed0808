/** The minimum similarity of a correction, PostgreSQL's default of `pg_trgm.similarity_threshold`. */
const MINIMUM_SIMILARITY = 0.3;

/** Longer words are not corrected. */
const MAXIMUM_LENGTH = 32;

/** The distinct sequences of three characters of a word with two spaces before and one after it, as in pg_trgm. */
function trigramsOf(word: string): Set<string> {
  const padded = `  ${word} `;
  const trigrams = new Set<string>();
  for (let at = 0; at + 3 <= padded.length; at += 1) trigrams.add(padded.slice(at, at + 3));
  return trigrams;
}

/**
 * Whether a word can be misspelt. One with a digit is a model number or a size, and a similar one is another model or size.
 */
const isCorrectable = (word: string) => word.length <= MAXIMUM_LENGTH && !/\d/.test(word);

/** A word and the share of its trigrams that it has in common with a misspelled one. */
export interface SimilarWord {
  text: string;
  similarity: number;
}

/** Up to this length a word hardly tells what it was meant to be: `sd`, `ssd` and `hdd` are three things. */
const SHORT = 3;

/** Whether a misspelled word can mean another: a short one only what has one letter more at its end, none a shorter one than that. */
const canMean = (word: string, other: string) =>
  word.length > SHORT ? other.length >= SHORT : other.length === word.length + 1 && other.startsWith(word);

/** Finds similar words by the share of their common trigrams. */
export class Trigrams {
  readonly #words: string[] = [];
  readonly #sizes: number[] = [];
  /** The indexes of the words with a trigram. */
  readonly #postings = new Map<string, number[]>();

  get bytes(): number {
    let bytes = this.#words.length * 16;
    for (const words of this.#postings.values()) bytes += words.length * 8 + 100;
    return bytes;
  }

  add(word: string): void {
    if (!isCorrectable(word)) return;
    const trigrams = trigramsOf(word);
    for (const trigram of trigrams) {
      const words = this.#postings.get(trigram);
      if (words === undefined) this.#postings.set(trigram, [this.#words.length]);
      else words.push(this.#words.length);
    }
    this.#words.push(word);
    this.#sizes.push(trigrams.size);
  }

  /** The words that a misspelled one can mean, in no order. */
  similar(word: string): SimilarWord[] {
    if (!isCorrectable(word)) return [];
    const trigrams = trigramsOf(word);
    const common = new Uint8Array(this.#words.length);
    for (const trigram of trigrams) {
      for (const index of this.#postings.get(trigram) ?? []) common[index] = (common[index] ?? 0) + 1;
    }
    const found: SimilarWord[] = [];
    for (let index = 0; index < common.length; index += 1) {
      const shared = common[index] ?? 0;
      if (shared === 0) continue;
      const similarity = shared / (trigrams.size + (this.#sizes[index] ?? 0) - shared);
      const text = this.#words[index] ?? '';
      if (similarity >= MINIMUM_SIMILARITY && canMean(word, text)) found.push({ text, similarity });
    }
    return found;
  }
}
