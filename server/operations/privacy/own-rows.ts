import { type RawBuilder, sql } from 'kysely';
import type { Database, Row, Tables } from '#server/platform/database/tables.ts';

/** Rows per batch. No connection is held between two batches, so a slow client blocks none. */
const BATCH_ROWS = 100;

/** An order of rows: a column whose values are unique among a user's rows, and a value below all of them. */
type Order<Name extends keyof Tables> = readonly [column: Column<Name>, first: string];

type Column<Name extends keyof Tables> = keyof Row<Name> & string;

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

export const byId = ['id', LOWEST_ID] as const;
export const byNumber = ['number', '0'] as const;
export const bySeller = ['seller_id', LOWEST_ID] as const;
export const byOrder = ['order_id', LOWEST_ID] as const;
export const byBlocked = ['blocked_id', LOWEST_ID] as const;
export const byPayout = ['payout_id', ''] as const;
export const byTopic = ['topic', ''] as const;

/** Further columns of the rows, a condition that they fulfil, and what names the user in them if it is not the id. */
interface Details {
  user?: string;
  columns?: RawBuilder<unknown>;
  where?: RawBuilder<unknown>;
}

/** The name of the laptop of a row that has `laptop_id`. */
export const laptopName = sql`(select name from laptops where laptops.id = laptop_id) as laptop_name`;

/** Creates functions that stream a user's rows in batches. */
export function createOwnRows(database: Database, userId: string) {
  const select = ({ columns }: Details) => (columns === undefined ? sql`*` : sql`*, ${columns}`);

  /** Streams the rows that name the user in a column. */
  async function* byUser<Name extends keyof Tables, Item>(
    table: Name,
    [userColumn, [column, first]]: readonly [user: Column<Name>, order: Order<Name>],
    toItem: (row: Row<Name>) => Item,
    details: Details = {},
  ): AsyncGenerator<Item[]> {
    const [key, { where = sql`true`, user = userId }] = [sql.ref(column), details];
    for (let after = first; ; ) {
      const { rows } = await sql<Row<Name>>`
        select ${select(details)} from ${sql.table(table)}
         where ${sql.ref(userColumn)} = ${user} and ${key} > ${after} and ${where}
         order by ${key} limit ${sql.lit(BATCH_ROWS)}`.execute(database);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map(toItem);
      if (rows.length < BATCH_ROWS) return;
      after = String(last[column]);
    }
  }

  /** Streams the rows that belong to other rows of the user, such as parcels to orders. They are sorted within each batch. */
  async function* byParent<Name extends keyof Tables, Item>(
    parents: AsyncIterable<readonly string[]>,
    [table, parent, order]: readonly [table: Name, parent: Column<Name>, order: Column<Name>],
    toItem: (row: Row<Name>) => Item,
    details: Details = {},
  ): AsyncGenerator<Item[]> {
    for await (const ids of parents) {
      const { rows } = await sql<Row<Name>>`
        select ${select(details)} from ${sql.table(table)}
         where ${sql.ref(parent)} = any(${ids}::uuid[]) and ${details.where ?? sql`true`}
         order by ${sql.ref(order)}`.execute(database);
      yield rows.map(toItem);
    }
  }

  return { byUser, byParent };
}
