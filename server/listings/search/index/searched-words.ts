import type { LaptopTable } from './laptop-table.ts';
import type { Word, WordPlace } from './vocabulary.ts';
import { meanings } from './words.ts';

/** The maximum number of corrected words of a search; a further unknown word matches nothing. */
const MAXIMUM_CORRECTIONS = 4;

/** The maximum number of similar words, most similar first, that are looked at, and of those the laptops are counted of. */
const MAXIMUM_SIMILAR = 128;
const MAXIMUM_COUNTED = 32;

/** The similarity that outweighs ten times as many laptops. Else a word that one seller misspelled alike would be the correction. */
const SIMILARITY_PER_TENFOLD = 0.05;

/** A word of a search. A laptop matches with one of `words`; none if no laptop can have it. */
export interface SearchedWord {
  /** The typed word, or the known one that replaces it. */
  text: string;
  words: readonly Word[];
}

export interface SearchedWords {
  words: SearchedWord[];
  /** Whether a word was replaced, and all are known. */
  corrected: boolean;
}

/** Whether a laptop has the word. */
const isPresent = ({ removed }: LaptopTable, word: Word): boolean => word.isIn(removed.cells);

/** Whether a laptop has exactly this word. */
export function hasWord(table: LaptopTable, text: string): boolean {
  const word = table.vocabulary.get(text);
  return word !== undefined && isPresent(table, word);
}

/** For each row the number of first words that it has: all of them, if it matches the search. */
export function countFirstWords(
  { rows }: LaptopTable,
  searched: readonly Pick<SearchedWord, 'words'>[],
  places?: readonly WordPlace[],
): Uint8Array {
  const counts = new Uint8Array(rows);
  for (const [index, { words }] of searched.entries()) {
    for (const word of words) {
      word.each((row) => {
        if (counts[row] === index) counts[row] = index + 1;
      }, places);
    }
  }
  return counts;
}

/** The number of rows with a word, of those with a 0 in `excluded`. */
export function countWord(word: Word, excluded: ArrayLike<number>, places?: readonly WordPlace[]): number {
  let count = 0;
  word.each((row) => {
    if (excluded[row] === 0) count += 1;
  }, places);
  return count;
}

/** The known words that a misspelled one can mean, best first: similar ones, and among about equally similar ones frequent ones. */
export function similarWords(table: LaptopTable, text: string, maximum: number): Word[] {
  const { vocabulary, removed } = table;
  const rank = (similarity: number, count: number) => similarity + SIMILARITY_PER_TENFOLD * Math.log10(count);
  return vocabulary
    .similar(text)
    .sort((one, other) => other.similarity - one.similarity)
    .slice(0, MAXIMUM_SIMILAR)
    .flatMap(({ text: other, similarity }) => {
      const word = vocabulary.get(other);
      return word === undefined
        ? []
        : { word, similarity, highest: rank(similarity, Math.max(word.size, 1)) };
    })
    .sort((one, other) => other.highest - one.highest)
    .slice(0, MAXIMUM_COUNTED)
    .map(({ word, similarity }) => ({ word, similarity, count: countWord(word, removed.cells) }))
    .filter(({ count }) => count > 0)
    .map(({ word, similarity, count }) => ({ word, rank: rank(similarity, count) }))
    .sort((one, other) => other.rank - one.rank || (one.word.text < other.word.text ? -1 : 1))
    .slice(0, maximum)
    .map(({ word }) => word);
}

/** How the words of a search are found. */
interface Resolution {
  /** Whether an unknown last word can be the beginning of one. Default: true. */
  completes?: boolean;
  /** Whether other unknown words are replaced by similar ones. Default: true. */
  corrects?: boolean;
  /** Whether a laptop of the shop has exactly this word. Default: whether one of the table has it. */
  isKnown?: (text: string) => boolean;
}

/**
 * Finds the known words of a search, with those that mean the same. An unknown last word stands for all words that begin with it,
 * if there are any; each other unknown word for the most similar known one.
 */
export function resolveWords(
  table: LaptopTable,
  typed: readonly string[],
  { completes = true, corrects = true, isKnown = (text) => hasWord(table, text) }: Resolution = {},
): SearchedWords {
  let corrections = 0;
  const words = typed.map((text, index): SearchedWord => {
    const same = meanings(text);
    const withSame = (known: readonly string[]) => known.flatMap((each) => table.vocabulary.get(each) ?? []);
    const isLast = completes && index === typed.length - 1;
    if (same.some(isKnown) || !(corrects || isLast)) {
      return { text, words: withSame(same) };
    }
    const completed = isLast
      ? table.vocabulary.withPrefix(text).filter((longer) => isPresent(table, longer))
      : [];
    if (completed.length > 0) return { text, words: completed };
    corrections += 1;
    const [similar] = corrects && corrections <= MAXIMUM_CORRECTIONS ? similarWords(table, text, 1) : [];
    return similar === undefined
      ? { text, words: [] }
      : { text: similar.text, words: withSame(meanings(similar.text)) };
  });
  return { words, corrected: corrections > 0 && words.every((word) => word.words.length > 0) };
}
