/** Which part of a list is wanted. Lists are paged by key (keyset pagination), never by counting rows. */
export interface PageRequest<Key = string> {
  /** The most rows of the page. */
  limit: number;
  /** Only rows that come after the row with this key in the list's order; null for the first page. */
  after: Key | null;
}

/** The rows of one page. */
export interface Page<Row> {
  rows: Row[];
  /** Whether the list goes on after the last of `rows`. */
  hasMore: boolean;
  /** The cursor with which the page after this row is asked for. */
  cursorOf(row: Row): string;
}

/** How many rows a query must read: one more than wanted says whether there is a next page. */
export const rowsToRead = ({ limit }: Pick<PageRequest, 'limit'>): number => limit + 1;

/** The cursor of lists in the order of their row numbers. */
export const byNumber = ({ number }: { number: string }): string => number;

/** Makes a page of the rows that a query with {@link rowsToRead} has answered. */
export function toPage<Row>(
  rows: readonly Row[],
  { limit }: Pick<PageRequest, 'limit'>,
  cursorOf: (row: Row) => string,
): Page<Row> {
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit, cursorOf };
}
