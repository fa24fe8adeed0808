import type { SortOrder } from '#contract/listings/search.ts';
import type { LaptopTable } from './laptop-table.ts';
import { countFirstWords, type SearchedWord } from './searched-words.ts';
import { places } from './vocabulary.ts';

/** The place of a laptop in an order: its key and number. The next page begins after it, even when the laptop is gone. */
export interface Position {
  /** Cents for prices and savings; for relevance 0 to 2, by where the words are; else 0. */
  key: number;
  number: number;
}

export interface PageRequest {
  sort: SortOrder;
  /** The maximum number of laptops. */
  limit: number;
  after: Position | null;
}

/** What rows are ordered by, and whether the lowest key comes first. Rows with the same key are ordered newest first. */
function keysOf(table: LaptopTable, rows: Uint32Array, sort: SortOrder, words: readonly SearchedWord[]) {
  if (sort === 'newest' || (sort === 'relevance' && words.length === 0)) return { keys: null, sign: 1 };
  if (sort === 'saving') return { keys: table.savings.cells, sign: -1 };
  if (sort !== 'relevance') return { keys: table.prices.cells, sign: sort === 'price' ? 1 : -1 };
  const keys = countFirstWords(table, words, places.title);
  const stated = countFirstWords(table, words, places.configuration);
  // 0 if all words are in name and brand, 1 if they are there and in the facts, else 2.
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? 0;
    keys[row] = keys[row] === words.length ? 0 : stated[row] === words.length ? 1 : 2;
  }
  return { keys, sign: 1 };
}

/**
 * Lists some rows in an order.
 * @param words the searched ones, for the order of relevance
 * @returns the numbers of the laptops, the position of the last one or null on the last page, and how many are before the first one
 */
export function toPage(
  table: LaptopTable,
  rows: Uint32Array,
  { sort, limit, after }: PageRequest,
  words: readonly SearchedWord[],
) {
  const { keys, sign } = keysOf(table, rows, sort, words);
  const numbers = table.numbers.cells;
  const begin = after === null ? null : { key: after.key * sign, number: after.number };
  /** The first rows by key, one more than the page has. */
  const first: Position[] = [];
  let skipped = 0;
  /** The last of these when they are complete. Most rows come after it. */
  let last: Position = { key: Number.POSITIVE_INFINITY, number: 0 };
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const row = rows[at] ?? 0;
    const key = keys === null ? 0 : (keys[row] ?? 0) * sign;
    const number = numbers[row] ?? 0;
    if (key > last.key || (key === last.key && number < last.number)) continue;
    if (begin !== null && (key < begin.key || (key === begin.key && number >= begin.number))) skipped += 1;
    else {
      first.push({ key, number });
      // A function that uses variables of the loop would take memory for each row.
      first.sort((one, other) => one.key - other.key || other.number - one.number);
      first.splice(limit + 1);
      last = first[limit] ?? last;
    }
  }
  const listed = first.slice(0, limit);
  const end = first.length > limit ? listed.at(-1) : undefined;
  return {
    numbers: listed.map(({ number }) => number),
    next: end === undefined ? null : { key: end.key * sign, number: end.number },
    skipped,
  };
}
