import type { Columns } from './columns.ts';
import type { Word } from './vocabulary.ts';

/** The maximum number of corrected words of a search; a further unknown word matches nothing. */
const MAXIMUM_CORRECTIONS = 4;

/** The maximum number of similar words, most similar first, that are looked at, and of those the laptops are counted of. */
const MAXIMUM_SIMILAR = 128;
const MAXIMUM_COUNTED = 32;

/** The similarity that outweighs ten times as many laptops. Else a word that one seller misspelled alike would be the correction. */
const SIMILARITY_PER_TENFOLD = 0.05;

/** A word of a search. A laptop matches with one of `words`. */
export interface SearchedWord {
  /** The typed word, or the known one that replaces it. */
  text: string;
  words: readonly Word[];
}

export interface SearchedWords {
  /** Null when a word is unknown and no known one is similar. */
  words: SearchedWord[] | null;
  /** Whether a word was replaced. */
  corrected: boolean;
}

const setsOf = ({ title, facts, configuration }: Word) => [...title, ...facts, ...configuration];

/** Whether a laptop has the word. */
const isKnown = ({ live }: Columns, word: Word): boolean => setsOf(word).some((rows) => rows.meets(live));

/** Whether a laptop has the word in its name, brand or facts, and not only in the seller's texts. */
export const isOfTitleOrFacts = ({ live }: Columns, { title, facts }: Word): boolean =>
  [...title, ...facts].some((rows) => rows.meets(live));

/** Whether a laptop has exactly this word. */
export function hasWord(columns: Columns, text: string): boolean {
  const word = columns.vocabulary.get(text);
  return word !== undefined && isKnown(columns, word);
}

/** At least the number of laptops with a word. */
export const highestCount = (word: Word): number => setsOf(word).reduce((sum, { size }) => sum + size, 0);

/** Adds the rows with a word to a bitmap, including removed ones. */
export function addWord(target: number, word: Word): void {
  for (const rows of setsOf(word)) rows.addTo(target);
}

/** Adds the rows with a word in the name or brand to a bitmap, including removed ones. */
export function addTitleWord(target: number, word: Word): void {
  for (const rows of word.title) rows.addTo(target);
}

/** The number of rows of a bitmap with a word. */
export function countWord({ bitmaps }: Columns, word: Word, bitmap: number): number {
  const [only, ...others] = setsOf(word);
  if (only !== undefined && others.length === 0) return only.countIn(bitmap);
  const union = bitmaps.allocate();
  addWord(union, word);
  const count = bitmaps.countAnd(union, bitmap);
  bitmaps.release(union);
  return count;
}

/** The known words that a misspelled one can mean, best first: similar ones, and among about equally similar ones frequent ones. */
export function similarWords(columns: Columns, text: string, maximum: number): Word[] {
  const { vocabulary, live } = columns;
  const rank = (similarity: number, count: number) => similarity + SIMILARITY_PER_TENFOLD * Math.log10(count);
  return vocabulary
    .similar(text)
    .sort((one, other) => other.similarity - one.similarity)
    .slice(0, MAXIMUM_SIMILAR)
    .flatMap(({ text: other, similarity }) => {
      const word = vocabulary.get(other);
      return word === undefined
        ? []
        : { word, similarity, highest: rank(similarity, Math.max(highestCount(word), 1)) };
    })
    .sort((one, other) => other.highest - one.highest)
    .slice(0, MAXIMUM_COUNTED)
    .map(({ word, similarity }) => ({ word, similarity, count: countWord(columns, word, live) }))
    .filter(({ count }) => count > 0)
    .map(({ word, similarity, count }) => ({ word, rank: rank(similarity, count) }))
    .sort((one, other) => other.rank - one.rank || (one.word.text < other.word.text ? -1 : 1))
    .slice(0, maximum)
    .map(({ word }) => word);
}

/**
 * Finds the known words of a search. An unknown last word stands for all words that begin with it, if there are any; each
 * other unknown word for the most similar known one.
 * @param last whether the last word can be the beginning of one
 */
export function resolveWords(
  columns: Columns,
  typed: readonly string[],
  last: 'prefix' | 'whole' = 'prefix',
): SearchedWords {
  const found: SearchedWord[] = [];
  let corrections = 0;
  for (const [index, text] of typed.entries()) {
    const word = columns.vocabulary.get(text);
    if (word !== undefined && isKnown(columns, word)) {
      found.push({ text, words: [word] });
      continue;
    }
    const completed =
      last === 'prefix' && index === typed.length - 1
        ? columns.vocabulary.withPrefix(text).filter((longer) => isKnown(columns, longer))
        : [];
    if (completed.length > 0) {
      found.push({ text, words: completed });
      continue;
    }
    corrections += 1;
    if (corrections > MAXIMUM_CORRECTIONS) return { words: null, corrected: false };
    const [similar] = similarWords(columns, text, 1);
    if (similar === undefined) return { words: null, corrected: false };
    found.push({ text: similar.text, words: [similar] });
  }
  return { words: found, corrected: corrections > 0 };
}
