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

/** The key by which a row is ordered. */
type KeyOf = (row: number) => number;

/** For each row 0 if all words are in name and brand, 1 if they are there and in the facts, else 2. */
function rankWords(table: LaptopTable, words: readonly SearchedWord[]): KeyOf {
  const titled = countFirstWords(table, words, places.title);
  const stated = countFirstWords(table, words, places.configuration);
  const all = words.length;
  return (row) => (titled[row] === all ? 0 : stated[row] === all ? 1 : 2);
}

function keyOfOrder(table: LaptopTable, sort: SortOrder, words: readonly SearchedWord[]): KeyOf {
  if (sort === 'newest') return () => 0;
  if (sort === 'relevance') return rankWords(table, words);
  const keys = sort === 'saving' ? table.savings : table.prices;
  return (row) => keys.get(row);
}

/** Whether a laptop comes before another one: the lowest key first, and of the same key the newest. */
const isBefore = (key: number, number: number, other: Position) =>
  key < other.key || (key === other.key && number > other.number);

/** The first of some rows by their keys, fastest in ascending order of the rows. @param maximum of them */
export function firstRows(
  { numbers }: LaptopTable,
  rows: Uint32Array,
  keyOf: KeyOf,
  maximum: number,
): (Position & { row: number })[] {
  const first: (Position & { row: number })[] = [];
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const row = rows[at] ?? 0;
    const key = keyOf(row);
    const number = numbers.get(row);
    const last = first[maximum - 1];
    if (last !== undefined && !isBefore(key, number, last)) continue;
    const next = first.findIndex((other) => isBefore(key, number, other));
    first.splice(next < 0 ? first.length : next, 0, { key, number, row });
    first.splice(maximum);
  }
  return first;
}

/** Lists some rows in an order. @param words the searched ones, for the order of relevance */
export function toPage(
  table: LaptopTable,
  rows: Uint32Array,
  { sort, limit, after }: PageRequest,
  words: readonly SearchedWord[],
) {
  const keyOf = keyOfOrder(table, sort, words);
  const sign = sort === 'saving' || sort === '-price' ? -1 : 1;
  const positionOf = (row: number) => ({ key: sign * keyOf(row), number: table.numbers.get(row) });
  const further =
    after === null ? rows : rows.filter((row) => isBefore(sign * after.key, after.number, positionOf(row)));
  const first = firstRows(table, further, (row) => sign * keyOf(row), limit + 1);
  const listed = first.slice(0, limit);
  const last = first.length > limit ? listed.at(-1) : undefined;
  return {
    /** The numbers of the laptops, in order. */
    numbers: listed.map(({ number }) => number),
    /** The position of the last laptop, or null on the last page. */
    next: last === undefined ? null : { key: sign * last.key, number: last.number },
    /** The number of laptops before the first one. */
    skipped: rows.length - further.length,
  };
}
