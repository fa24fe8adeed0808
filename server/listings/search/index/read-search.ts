import { type SearchFilters, type SortOrder, withUnderstood } from '#contract/listings/search.ts';
import type { LaptopTable } from './laptop-table.ts';
import { Matches } from './matches.ts';
import { resolveWords } from './searched-words.ts';
import { understand } from './understand.ts';
import { searchedWords } from './words.ts';

/** Reads words of a search as filters, and finds the laptops that match these and the other words. */
export function readSearch(table: LaptopTable, query: SearchFilters & { sort?: SortOrder | undefined }) {
  const understanding = understand(query, table.findPlaces.bind(table));
  const { sort, ...filters } = withUnderstood(query, understanding);
  const searched = resolveWords(table, searchedWords(filters.q));
  return { understanding, sort, filters, ...searched, matches: new Matches(table, filters, searched.words) };
}
