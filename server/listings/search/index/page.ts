import type { SortOrder } from '#contract/listings/search.ts';
import type { Cells } from './column.ts';
import type { LaptopTable } from './laptop-table.ts';
import type { RowSet } from './row-set.ts';
import type { RowsWithWord } from './searched-words.ts';

/** The place of a laptop in an order: its key and number. The next page begins after it, even when the laptop is gone. */
export interface Position {
  /** Cents for prices and savings, negative where the highest come first; for relevance 0 to 2, by where the words are; else 0. */
  key: number;
  number: number;
}

export interface PageRequest {
  sort: SortOrder;
  /** The maximum number of laptops. */
  limit: number;
  after: Position | null;
}

/** What a search found. */
interface Found {
  all: RowSet;
  withEach: readonly RowsWithWord[];
}

/** What rows are ordered by, and whether the lowest key comes first. Rows with the same key are ordered newest first. */
function keysOf(table: LaptopTable, { all, withEach }: Found, sort: SortOrder) {
  if (sort === 'newest' || (sort === 'relevance' && withEach.length === 0)) return { keys: null, sign: 1 };
  if (sort === 'saving') return { keys: table.savings.cells, sign: -1 };
  if (sort !== 'relevance') return { keys: table.prices.cells, sign: sort === 'price' ? 1 : -1 };
  const titled = all.and(...withEach.map((each) => each.titled));
  const stated = all.and(...withEach.map((each) => each.stated));
  const keys = new Uint8Array(table.rows);
  for (const row of all.toRows()) keys[row] = titled.has(row) ? 0 : stated.has(row) ? 1 : 2;
  return { keys, sign: 1 };
}

const inOrder = (one: Position, other: Position) => one.key - other.key || other.number - one.number;

/** The rows with the lowest keys, those with the same key newest first. @param after where they begin, or null */
export function firstRows(
  { numbers: { cells: numbers } }: LaptopTable,
  { blocks }: RowSet,
  { keys, sign, limit, after }: { keys: Cells | null; sign: number; limit: number; after: Position | null },
) {
  const first: (Position & { row: number })[] = [];
  let skipped = 0;
  /** The last of the first ones that are known. Most rows come after it. */
  let last: Position = { key: Number.POSITIVE_INFINITY, number: 0 };
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    let bits = blocks[at] ?? 0;
    while (bits !== 0) {
      const row = at * 32 + 31 - Math.clz32(bits);
      bits &= ~(1 << row);
      const key = keys === null ? 0 : (keys[row] ?? 0) * sign;
      if (key > last.key) continue;
      const number = numbers[row] ?? 0;
      if (key === last.key && number < last.number) continue;
      if (after !== null && (key < after.key || (key === after.key && number >= after.number))) skipped += 1;
      else if (first.push({ row, key, number }) === limit * 2) {
        first.sort(inOrder).splice(limit);
        last = first[limit - 1] ?? last;
      }
    }
  }
  return { first: first.sort(inOrder).slice(0, limit), skipped };
}

/** The numbers of the newest laptops of some rows. */
export const newestOf = (table: LaptopTable, rows: RowSet, limit: number): number[] =>
  firstRows(table, rows, { keys: null, sign: 1, limit, after: null }).first.map(({ number }) => number);

/**
 * Lists the rows that a search found in an order.
 * @returns the numbers of the laptops, the position of the last one or null on the last page, and how many are before the first one
 */
export function toPage(table: LaptopTable, found: Found, { sort, limit, after }: PageRequest) {
  const { first, skipped } = firstRows(table, found.all, { ...keysOf(table, found, sort), limit, after });
  const end = skipped + first.length < found.all.size ? first.at(-1) : undefined;
  return {
    numbers: first.map(({ number }) => number),
    next: end === undefined ? null : { key: end.key, number: end.number },
    skipped,
  };
}
