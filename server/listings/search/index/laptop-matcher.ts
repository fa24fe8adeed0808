import type { SearchFilters } from '#contract/listings/search.ts';
import { LaptopTable } from './laptop-table.ts';
import { Matches } from './matches.ts';
import type { LaptopRow } from './row.ts';
import { resolveWords } from './searched-words.ts';
import { searchedWords } from './words.ts';

/**
 * Creates a matcher for a few laptops, which answers as a search of the whole shop would, except that it corrects no misspelled
 * word and reads none as a filter. It evaluates a search for all laptops at once, as the index does.
 * @param laptops fastest in ascending order of their numbers, which are distinct
 * @param isKnown whether a laptop of the shop has exactly this word; else the last word of a search can be the beginning of one
 */
export function createLaptopMatcher(laptops: readonly LaptopRow[], isKnown: (word: string) => boolean) {
  const table = new LaptopTable();
  for (const laptop of laptops) table.upsert(laptop);
  return {
    /** @returns the numbers of the laptops that a search matches, ascending */
    match(filters: SearchFilters): number[] {
      // The answer must not depend on which similar words happen to be in the shop.
      const { words } = resolveWords(table, searchedWords(filters.q), { corrects: false, isKnown });
      return [...new Matches(table, filters, words).rows].map((row) => table.numbers.get(row));
    },
  };
}
