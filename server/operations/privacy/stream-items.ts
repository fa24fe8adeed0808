import { type SelectQueryBuilder, sql } from 'kysely';

/** Rows per batch. No connection is held between two batches, so a slow client blocks none. */
const BATCH_ROWS = 100;

/** An order of rows: its column, the key that each row has in it, and a value below all keys. */
export interface Order<Row> {
  column: string;
  first: string;
  keyOf(row: Row): string;
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

export const byId: Order<{ id: string }> = { column: 'id', first: LOWEST_ID, keyOf: ({ id }) => id };
export const byNumber: Order<{ number: string }> = {
  column: 'number',
  first: '0',
  keyOf: ({ number }) => number,
};
export const bySeller: Order<{ seller_id: string }> = {
  column: 'seller_id',
  first: LOWEST_ID,
  keyOf: ({ seller_id }) => seller_id,
};
export const byPayout: Order<{ payout_id: string }> = {
  column: 'payout_id',
  first: '',
  keyOf: ({ payout_id }) => payout_id,
};
export const byTopic: Order<{ topic: string }> = { column: 'topic', first: '', keyOf: ({ topic }) => topic };

/**
 * Reads rows in batches and converts them.
 * @param read reads the rows after a key, in this order
 */
export async function* streamRows<Row, Item>(
  { first, keyOf }: Pick<Order<NoInfer<Row>>, 'first' | 'keyOf'>,
  read: (after: string, limit: number) => Promise<Row[]>,
  toItem: (row: Row) => Item,
): AsyncGenerator<Item[]> {
  let after = first;
  for (;;) {
    const rows = await read(after, BATCH_ROWS);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(toItem);
    if (rows.length < BATCH_ROWS) return;
    after = keyOf(last);
  }
}

/** Reads rows like {@link streamRows}. @param query selects the rows after a key, in this order */
export const streamItems = <DB, TB extends keyof DB, Row, Item>(
  order: Order<NoInfer<Row>>,
  query: (after: string) => SelectQueryBuilder<DB, TB, Row>,
  toItem: (row: Row) => Item,
): AsyncGenerator<Item[]> =>
  streamRows(order, (after, limit) => query(after).limit(sql.lit(limit)).execute(), toItem);
