import type { Columns } from './columns.ts';
import type { Word } from './vocabulary.ts';

/** The maximum number of corrected words of a search; a further unknown word matches nothing. */
const MAXIMUM_CORRECTIONS = 4;

/** The maximum number of equally similar words of which the most frequent one is determined. */
const MAXIMUM_TIES = 32;

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

const valuesOf = ({ brands, facts }: Word) => [...brands, ...facts];

/** Whether a laptop has the word. */
function isKnown({ live }: Columns, word: Word): boolean {
  return valuesOf(word).some(({ size }) => size > 0) || word.names.meets(live);
}

/** Whether a laptop has exactly this word. */
export function hasWord(columns: Columns, text: string): boolean {
  const word = columns.vocabulary.get(text);
  return word !== undefined && isKnown(columns, word);
}

/** At least the number of laptops with a word. */
export const highestCount = (word: Word): number =>
  valuesOf(word).reduce((sum, { size }) => sum + size, word.names.size);

/** Adds the rows with a word to a bitmap, including removed ones. */
export function addWord(target: number, word: Word): void {
  word.names.addTo(target);
  for (const rows of valuesOf(word)) rows.addTo(target);
}

/** Adds the rows with a word in the name or brand to a bitmap, including removed ones. */
export function addTitleWord(target: number, word: Word): void {
  word.names.addTo(target);
  for (const rows of word.brands) rows.addTo(target);
}

/** The number of rows of a bitmap with a word. */
export function countWord({ bitmaps }: Columns, word: Word, bitmap: number): number {
  if (valuesOf(word).length === 0) return word.names.countIn(bitmap);
  const union = bitmaps.allocate();
  addWord(union, word);
  const count = bitmaps.countAnd(union, bitmap);
  bitmaps.release(union);
  return count;
}

/** The known words that are most similar to an unknown one: more similar ones first, then more frequent ones. */
export function similarWords(columns: Columns, text: string, maximum: number): Word[] {
  const found: Word[] = [];
  for (const group of columns.vocabulary.similar(text)) {
    const counted = group
      .map((word) => ({ word, highest: highestCount(word) }))
      .sort((one, other) => other.highest - one.highest)
      .slice(0, MAXIMUM_TIES)
      .map(({ word }) => ({ word, count: countWord(columns, word, columns.live) }))
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count || (one.word.text < other.word.text ? -1 : 1));
    for (const { word } of counted) {
      found.push(word);
      if (found.length === maximum) return found;
    }
  }
  return found;
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
