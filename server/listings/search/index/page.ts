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

export interface Page {
  /** The numbers of the laptops, in order. */
  numbers: number[];
  /** The position of the last laptop, or null on the last page. */
  next: Position | null;
  /** The number of laptops before the first one. */
  skipped: number;
}

export interface PageRequest {
  sort: SortOrder;
  /** The maximum number of laptops. */
  limit: number;
  after: Position | null;
}

/** For each row 0 if all words are in name and brand, 1 if they are there and in the facts, else 2. */
function rankWords(table: LaptopTable, words: readonly SearchedWord[]): Uint8Array {
  const keys = countFirstWords(table, words, places.title);
  const stated = countFirstWords(table, words, places.configuration);
  const all = words.length;
  for (let row = 0; row < keys.length; row += 1) {
    keys[row] = keys[row] === all ? 0 : stated[row] === all ? 1 : 2;
  }
  return keys;
}

/** What rows are ordered by, and whether the lowest key comes first. Rows with the same key are ordered newest first. */
function keysOf(table: LaptopTable, sort: SortOrder, words: readonly SearchedWord[]) {
  if (sort === 'newest') return { keys: null, sign: 1 };
  if (sort === 'relevance') return { keys: rankWords(table, words), sign: 1 };
  if (sort === 'saving') return { keys: table.savings.cells, sign: -1 };
  return { keys: table.prices.cells, sign: sort === 'price' ? 1 : -1 };
}

/** Lists some rows in an order. @param words the searched ones, for the order of relevance */
export function toPage(
  table: LaptopTable,
  rows: Uint32Array,
  { sort, limit, after }: PageRequest,
  words: readonly SearchedWord[],
): Page {
  const { keys, sign } = keysOf(table, sort, words);
  /** Whether the first key and number come before the others. */
  const isBefore = (key: number, number: number, otherKey: number, otherNumber: number) =>
    key < otherKey || (key === otherKey && number > otherNumber);
  /** The first rows by key, one more than the page has. */
  const first: Position[] = [];
  let skipped = 0;
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const row = rows[at] ?? 0;
    const key = keys === null ? 0 : (keys[row] ?? 0) * sign;
    const number = table.numbers.get(row);
    const last = first[limit];
    if (after !== null && !isBefore(after.key * sign, after.number, key, number)) skipped += 1;
    else if (last === undefined || isBefore(key, number, last.key, last.number)) {
      const previous = first.findLastIndex((other) => isBefore(other.key, other.number, key, number));
      first.splice(previous + 1, 0, { key, number });
      if (last !== undefined) first.pop();
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
