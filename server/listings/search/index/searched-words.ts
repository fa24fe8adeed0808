import type { LaptopTable } from './laptop-table.ts';
import { RowSet } from './row-set.ts';
import { places, type Word } from './vocabulary.ts';
import { meanings } from './words.ts';

/** The maximum number of corrected words of a search; a further unknown word matches nothing. */
const MAXIMUM_CORRECTIONS = 4;

/** The similarity that outweighs ten times as many laptops. Else a word that one seller misspelled alike would be the correction. */
const SIMILARITY_PER_TENFOLD = 0.05;

/** A word of a search. A laptop matches with one of `words`; none if no laptop can have it. */
export interface SearchedWord {
  /** The typed word, or the known one that replaces it. */
  text: string;
  words: readonly Word[];
}

/** The rows that have one of some words: in name or brand, there or in what else is stated, or anywhere. */
export function rowsWith(table: LaptopTable, words: readonly Word[]) {
  const rows = words.length > 0 ? table.rows : 0;
  const [titled, stated, any] = [new RowSet(rows), new RowSet(rows), new RowSet(rows)];
  for (const word of words) {
    word.visit((row, place) => {
      any.add(row);
      if (place !== places.notes) stated.add(row);
      if (place === places.title) titled.add(row);
    });
  }
  return { titled, stated, any };
}
export type RowsWithWord = ReturnType<typeof rowsWith>;

/** The known words that a misspelled one can mean, best first: similar ones, and among about equally similar ones frequent ones. */
export function similarWords({ vocabulary, live }: LaptopTable, text: string, maximum: number): Word[] {
  return vocabulary
    .similar(text)
    .map(({ word, similarity }) => ({
      word,
      rank: similarity + SIMILARITY_PER_TENFOLD * Math.log10(word.count(live)),
    }))
    .filter((ranked) => ranked.rank > Number.NEGATIVE_INFINITY)
    .sort((one, other) => other.rank - one.rank || (one.word.text < other.word.text ? -1 : 1))
    .slice(0, maximum)
    .map(({ word }) => word);
}

/**
 * Finds the known words of a search, with those that mean the same. An unknown last word stands for all words that begin with it,
 * if there are any; each other unknown word for the most similar known one.
 * @param options.isKnown whether a laptop of the shop has exactly this word, for a table with a part of its laptops: no word is corrected
 * @param options.isWhole whether the last word is not the last one that was typed
 */
export function resolveWords(
  table: LaptopTable,
  typed: readonly string[],
  { isKnown, isWhole = false }: { isKnown?: (text: string) => boolean; isWhole?: boolean } = {},
): SearchedWord[] {
  let corrections = 0;
  const isPresent = isKnown ?? ((text: string) => table.has(table.vocabulary.get(text)));
  const withSame = (text: string) => meanings(text).flatMap((each) => table.vocabulary.get(each) ?? []);
  return typed.map((text, index) => {
    if (meanings(text).some(isPresent)) return { text, words: withSame(text) };
    const isLast = !isWhole && index === typed.length - 1;
    const longer = isLast ? table.vocabulary.withPrefix(text).filter((word) => table.has(word)) : [];
    if (longer.length > 0) return { text, words: longer };
    if (isKnown !== undefined) return { text, words: withSame(text) };
    corrections += 1;
    const [similar] = corrections > MAXIMUM_CORRECTIONS ? [] : similarWords(table, text, 1);
    return similar === undefined
      ? { text, words: [] }
      : { text: similar.text, words: withSame(similar.text) };
  });
}
