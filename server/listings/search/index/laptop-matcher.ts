import type { SearchFilters } from '#contract/listings/search.ts';
import { LaptopTable } from './laptop-table.ts';
import { Matches } from './matches.ts';
import type { LaptopRow } from './row.ts';
import type { SearchedWord, SearchedWords } from './searched-words.ts';
import { wordsOf } from './words.ts';

/** Finds those of a few laptops that a search matches. All operations are synchronous. */
export interface LaptopMatcher {
  /** @returns the numbers of the matching laptops, ascending */
  match(filters: SearchFilters): number[];
}

/**
 * Finds the laptops with the searched words. Unlike a search for a person, it corrects no unknown word: its answer must not
 * depend on which similar words happen to be in the shop.
 */
function resolveExactly(
  table: LaptopTable,
  typed: readonly string[],
  isKnown: (word: string) => boolean,
): SearchedWords {
  const found: SearchedWord[] = [];
  for (const [index, text] of typed.entries()) {
    const isLast = index === typed.length - 1;
    const word = table.vocabulary.get(text);
    const words = isLast && !isKnown(text) ? table.vocabulary.withPrefix(text) : word ? [word] : [];
    if (words.length === 0) return { words: null, corrected: false };
    found.push({ text, words });
  }
  return { words: found, corrected: false };
}

/**
 * Creates a matcher for a few laptops, which answers as a search of the whole shop would, except that it corrects no
 * misspelled word. It evaluates a search for all laptops at once, as the index does.
 * @param laptops fastest in ascending order of their numbers, which are distinct
 * @param isKnown whether a laptop of the shop has exactly this word; else the last word of a search can be the beginning of one
 */
export function createLaptopMatcher(
  laptops: readonly LaptopRow[],
  isKnown: (word: string) => boolean,
): LaptopMatcher {
  const table = new LaptopTable();
  for (const laptop of laptops) table.upsert(laptop);
  return {
    match(filters) {
      const words = resolveExactly(table, wordsOf(filters.q), isKnown);
      return [...new Matches(table, filters, words).rows].map((row) => table.numbers.get(row));
    },
  };
}
