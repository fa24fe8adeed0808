import { type SelectQueryBuilder, sql } from 'kysely';

/** The requested part of a list. Lists use keyset pagination, not offsets. */
export interface PageRequest<Key = string> {
  /** The maximum number of rows. */
  limit: number;
  /** The key of the last row of the previous page; null for the first page. */
  after: Key | null;
}

/** The rows of one page. */
export interface Page<Row> {
  rows: Row[];
  /** Whether there are rows after the last of `rows`. */
  hasMore: boolean;
  /** Returns the cursor that requests the rows after this row. */
  cursorOf(row: Row): string;
}

/** How many rows a query must read: one more than the page, to know whether there is a next one. */
export const rowsToRead = ({ limit }: Pick<PageRequest, 'limit'>): number => limit + 1;

/** The cursor of lists that are ordered by row number. */
export const byNumber = ({ number }: { number: string }): string => number;

/** Makes a page from the rows of a query that is limited to {@link rowsToRead}. */
export function toPage<Row>(
  rows: readonly Row[],
  { limit }: Pick<PageRequest, 'limit'>,
  cursorOf: (row: Row) => string,
): Page<Row> {
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit, cursorOf };
}

/**
 * Reads a page of a list that is ordered by row number, newest first.
 * @param number the column of the row number, such as `bookings.number`
 */
export async function readPage<DB, TB extends keyof DB, Row extends { number: string }>(
  query: SelectQueryBuilder<DB, TB, Row>,
  number: string,
  request: PageRequest,
): Promise<Page<Row>> {
  const column = sql.ref(number);
  const remaining = request.after === null ? query : query.where(sql<boolean>`${column} < ${request.after}`);
  const rows = await remaining
    .orderBy(column, 'desc')
    .limit(sql.lit(rowsToRead(request)))
    .execute();
  return toPage(rows, request, byNumber);
}

/** Rows per batch of {@link inBatches}. */
export const BATCH_ROWS = 100;

/**
 * Reads rows batch by batch, for an export. No connection is held between two batches, so a slow client blocks none.
 * @param read reads the next rows after a row; null at first
 */
export async function* inBatches<Row>(read: (after: Row | null) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let after: Row | null = null;
  for (;;) {
    const rows: Row[] = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last;
  }
}
