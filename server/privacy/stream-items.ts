import { type SelectQueryBuilder, sql } from 'kysely';

/** Rows per batch. No connection is held between two batches, so a slow client blocks none. */
const BATCH_ROWS = 100;

/** An order of rows: the key that each row has, and a value below all keys. */
interface Order<Row> {
  first: string;
  keyOf(row: Row): string;
}

export const byId: Order<{ id: string }> = {
  first: '00000000-0000-0000-0000-000000000000',
  keyOf: ({ id }) => id,
};
export const byNumber: Order<{ number: string }> = { first: '0', keyOf: ({ number }) => number };

/**
 * Reads rows in batches and converts them.
 * @param query selects the rows after a key, in this order
 */
export async function* streamItems<DB, TB extends keyof DB, Row, Item>(
  { first, keyOf }: Order<NoInfer<Row>>,
  query: (after: string) => SelectQueryBuilder<DB, TB, Row>,
  toItem: (row: Row) => Item,
): AsyncGenerator<Item[]> {
  let after = first;
  for (;;) {
    const rows: Row[] = await query(after).limit(sql.lit(BATCH_ROWS)).execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(toItem);
    if (rows.length < BATCH_ROWS) return;
    after = keyOf(last);
  }
}
