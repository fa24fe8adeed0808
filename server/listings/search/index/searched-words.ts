import type { LaptopTable } from './laptop-table.ts';
import { type Place, places, type Word } from './vocabulary.ts';
import { meanings } from './words.ts';

/** The maximum number of corrected words of a search; a further unknown word matches nothing. */
const MAXIMUM_CORRECTIONS = 4;

/** The maximum number of similar words of which the laptops are counted. */
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
export const isPresent = ({ removed }: LaptopTable, word: Word | undefined): boolean =>
  word?.visit((row) => removed.get(row) === 0) ?? false;

/** For each row the number of first words that it has up to a place: all of them, if it matches the search. */
export function countFirstWords(
  { rows }: LaptopTable,
  searched: readonly SearchedWord[],
  last: Place = places.notes,
): Uint8Array {
  const counts = new Uint8Array(rows);
  for (const [index, { words }] of searched.entries()) {
    for (const word of words) {
      word.visit((row, place) => {
        if (counts[row] === index && place <= last) counts[row] = index + 1;
      });
    }
  }
  return counts;
}

/** The known words that a misspelled one can mean, best first: similar ones, and among about equally similar ones frequent ones. */
export function similarWords({ vocabulary, removed }: LaptopTable, text: string, maximum: number): Word[] {
  const ranked = (count: (word: Word) => number, words: { word: Word; similarity: number }[]) =>
    words
      .map(({ word, similarity }) => ({
        ...{ word, similarity },
        rank: similarity + SIMILARITY_PER_TENFOLD * Math.log10(count(word)),
      }))
      .filter(({ rank }) => rank > Number.NEGATIVE_INFINITY)
      .sort((one, other) => other.rank - one.rank || (one.word.text < other.word.text ? -1 : 1));
  // The number of all rows, of removed ones too, is known without counting.
  const possible = ranked(({ size }) => size, vocabulary.similar(text)).slice(0, MAXIMUM_COUNTED);
  return ranked((word) => word.count(removed.cells), possible)
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
  {
    completes = true,
    corrects = true,
    isKnown = (text) => isPresent(table, table.vocabulary.get(text)),
  }: Resolution = {},
): SearchedWords {
  let corrections = 0;
  const withSame = (text: string) => meanings(text).flatMap((each) => table.vocabulary.get(each) ?? []);
  const words = typed.map((text, index): SearchedWord => {
    const isLast = completes && index === typed.length - 1;
    if (meanings(text).some(isKnown) || !(corrects || isLast)) return { text, words: withSame(text) };
    const longer = isLast ? table.vocabulary.withPrefix(text).filter((word) => isPresent(table, word)) : [];
    if (longer.length > 0) return { text, words: longer };
    corrections += 1;
    const [similar] = corrects && corrections <= MAXIMUM_CORRECTIONS ? similarWords(table, text, 1) : [];
    return similar === undefined
      ? { text, words: [] }
      : { text: similar.text, words: withSame(similar.text) };
  });
  return { words, corrected: corrections > 0 && words.every((word) => word.words.length > 0) };
}
