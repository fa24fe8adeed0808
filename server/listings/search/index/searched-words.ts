import type { LaptopTable } from './laptop-table.ts';
import type { Word, WordPlace } from './vocabulary.ts';

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

/** Whether a laptop has the word. */
const isKnown = ({ removed }: LaptopTable, word: Word): boolean => word.isIn(removed.cells);

/** Whether a laptop has exactly this word. */
export function hasWord(table: LaptopTable, text: string): boolean {
  const word = table.vocabulary.get(text);
  return word !== undefined && isKnown(table, word);
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

/**
 * Finds the known words of a search. An unknown last word stands for all words that begin with it, if there are any; each
 * other unknown word for the most similar known one.
 * @param last whether the last word can be the beginning of one
 */
export function resolveWords(
  table: LaptopTable,
  typed: readonly string[],
  last: 'prefix' | 'whole' = 'prefix',
): SearchedWords {
  const found: SearchedWord[] = [];
  let corrections = 0;
  for (const [index, text] of typed.entries()) {
    const word = table.vocabulary.get(text);
    if (word !== undefined && isKnown(table, word)) {
      found.push({ text, words: [word] });
      continue;
    }
    const completed =
      last === 'prefix' && index === typed.length - 1
        ? table.vocabulary.withPrefix(text).filter((longer) => isKnown(table, longer))
        : [];
    if (completed.length > 0) {
      found.push({ text, words: completed });
      continue;
    }
    corrections += 1;
    if (corrections > MAXIMUM_CORRECTIONS) return { words: null, corrected: false };
    const [similar] = similarWords(table, text, 1);
    if (similar === undefined) return { words: null, corrected: false };
    found.push({ text: similar.text, words: [similar] });
  }
  return { words: found, corrected: corrections > 0 };
}
