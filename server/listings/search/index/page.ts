import type { SortOrder } from '#contract/listings/search.ts';
import type { Columns } from './columns.ts';

/** The place of a laptop in an order: its key and number. The next page begins after it, even when the laptop is gone. */
export interface Position {
  /** Cents for prices and savings; 1 for a laptop that relevance lists after those with all words in name and brand; else 0. */
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

/** The largest value of a column. */
const MAXIMUM_KEY = 0xffffffff;

/** The number of first rows from which the bound of the others is taken. */
const SAMPLE = 8_192;

function toPage(positions: Position[], limit: number, skipped: number): Page {
  const listed = positions.slice(0, limit);
  return {
    numbers: listed.map(({ number }) => number),
    next: positions.length > limit ? (listed.at(-1) ?? null) : null,
    skipped,
  };
}

/** Lists the laptops of some bitmaps, one bitmap after the other, newest first. A laptop's key is the index of its bitmap. */
export function pageByNumber(columns: Columns, bitmaps: readonly number[], request: PageRequest): Page {
  const { limit, after } = request;
  const positions: Position[] = [];
  let skipped = 0;
  for (const [key, bitmap] of bitmaps.entries()) {
    if (after !== null && key < after.key) {
      skipped += columns.bitmaps.count(bitmap);
      continue;
    }
    const end = after !== null && key === after.key ? columns.rowFrom(after.number) : columns.rows;
    if (end < columns.rows) skipped += columns.bitmaps.countFrom(bitmap, end);
    columns.bitmaps.descend(bitmap, end, (row) => {
      if (positions.length <= limit) positions.push({ key, number: columns.numberOf(row) });
      return positions.length <= limit;
    });
  }
  return toPage(positions, limit, skipped);
}

/** The first rows by key, then by descending row. */
class FirstRows {
  readonly rows: number[] = [];
  readonly #keys: number[] = [];
  readonly #maximum: number;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** The key that a further row must be below; Infinity while there is room. */
  get bound(): number {
    return this.rows.length < this.#maximum ? Number.POSITIVE_INFINITY : (this.#keys.at(-1) ?? 0);
  }

  /** Adds a row that is below all added ones. */
  add(row: number, key: number): void {
    if (key >= this.bound) return;
    let at = this.rows.length;
    while (at > 0 && (this.#keys[at - 1] ?? 0) > key) at -= 1;
    this.rows.splice(at, 0, row);
    this.#keys.splice(at, 0, key);
    if (this.rows.length <= this.#maximum) return;
    this.rows.pop();
    this.#keys.pop();
  }
}

/** The number of matching rows up to a position: those with a key before it, and those with its key from its row on. */
function countUpTo(
  { bitmaps }: Columns,
  matching: number,
  column: number,
  { key, row, ascending }: { key: number; row: number; ascending: boolean },
): number {
  const found = bitmaps.allocate();
  const count = (low: number, high: number, from: number) => {
    if (low > high) return 0;
    bitmaps.between(found, column, low, high);
    bitmaps.and(found, found, matching);
    return bitmaps.countFrom(found, from);
  };
  const before = ascending ? count(0, key - 1, 0) : count(key + 1, MAXIMUM_KEY, 0);
  const skipped = before + count(key, key, row);
  bitmaps.release(found);
  return skipped;
}

/**
 * Lists laptops by a column, then newest first.
 * @param ascending whether the lowest value comes first
 */
export function pageByColumn(
  columns: Columns,
  matching: number,
  { limit, after }: PageRequest,
  column: number,
  ascending: boolean,
): Page {
  const { bitmaps } = columns;
  const sign = ascending ? 1 : -1;
  const afterKey = after === null ? Number.NEGATIVE_INFINITY : after.key * sign;
  const afterRow = after === null ? columns.rows : columns.rowFrom(after.number);
  /** Adds the rows of a bitmap below `end`, at most `maximum`. @returns the last one */
  const collect = (first: FirstRows, bitmap: number, end: number, maximum: number): number => {
    const { words } = bitmaps;
    let visited = 0;
    let last = end;
    bitmaps.descend(bitmap, end, (row) => {
      const key = (words[column / 4 + row] ?? 0) * sign;
      if (key > afterKey || (key === afterKey && row < afterRow)) first.add(row, key);
      visited += 1;
      last = row;
      return visited < maximum;
    });
    return last;
  };

  const first = new FirstRows(limit + 1);
  const sampled = collect(first, matching, columns.rows, SAMPLE);
  const { bound } = first;
  if (Number.isFinite(bound)) {
    // Few of the remaining rows are before the last row of the sample.
    const before = bitmaps.allocate();
    const keys = [afterKey, bound].map((key) => key * sign).sort((one, other) => one - other);
    bitmaps.between(before, column, Math.max(keys[0] ?? 0, 0), Math.min(keys[1] ?? 0, MAXIMUM_KEY));
    bitmaps.and(before, before, matching);
    collect(first, before, sampled, Number.POSITIVE_INFINITY);
    bitmaps.release(before);
  } else {
    collect(first, matching, sampled, Number.POSITIVE_INFINITY);
  }
  const positions = first.rows.map((row) => ({
    key: bitmaps.words[column / 4 + row] ?? 0,
    number: columns.numberOf(row),
  }));
  const skipped =
    after === null ? 0 : countUpTo(columns, matching, column, { key: after.key, row: afterRow, ascending });
  return toPage(positions, limit, skipped);
}
