import { type RawBuilder, sql } from 'kysely';
import type { Database, Row, Tables } from '#server/platform/database/tables.ts';
import { byId, byNumber, type Order, streamItems, streamRows } from './stream-items.ts';

/** A row with the name of its laptop. */
type WithLaptopName<Name extends keyof Tables> = Row<Name> & { laptop_name: string };

/** The tables whose rows belong to a booking. */
type BookingTable = 'payment_intents' | 'payments' | 'refunds' | 'disputes' | 'shipping_addresses';

/** The tables whose rows belong to a laptop. */
type LaptopTable = 'measurements' | 'inspections' | 'browser_checks' | 'certificate_versions';

type Column<Name extends keyof Tables> = keyof Tables[Name] & string;

/** Creates functions that stream a user's rows, one per relation between table and user. Batches and order are fixed. */
export function createOwnRows(database: Database, userId: string) {
  /** Rows that name the user in a column. @param order must be that of a column of the table itself */
  const byUser = <Name extends keyof Tables, Item>(
    table: Name,
    [user, order]: readonly [user: Column<Name>, order: Order<Row<Name>>],
    toItem: (row: Row<Name>) => Item,
  ): AsyncGenerator<Item[]> =>
    streamRows(
      order,
      async (after, limit) => {
        const column = sql.ref(order.column);
        const { rows } = await sql<Row<Name>>`
          select * from ${sql.table(table)} where ${sql.ref(user)} = ${userId} and ${column} > ${after}
           order by ${column} limit ${sql.lit(limit)}`.execute(database);
        return rows;
      },
      toItem,
    );

  /** Numbered rows that name the user in a column, with the name of the laptop to which `join` leads. */
  const withLaptop =
    (join: (table: RawBuilder<unknown>) => RawBuilder<unknown>) =>
    <Name extends keyof Tables, Item>(
      table: Name,
      user: Column<Name>,
      toItem: (row: WithLaptopName<Name> & { number: string }) => Item,
    ): AsyncGenerator<Item[]> =>
      streamRows(
        byNumber,
        async (after, limit) => {
          const [own, number] = [sql.table(table), sql.ref(`${table}.number`)];
          const { rows } = await sql<WithLaptopName<Name> & { number: string }>`
            select ${own}.*, laptops.name as laptop_name from ${own} ${join(own)}
             where ${sql.ref(`${table}.${user}`)} = ${userId} and ${number} > ${after}
             order by ${number} limit ${sql.lit(limit)}`.execute(database);
          return rows;
        },
        toItem,
      );

  /** The ids of the user's bookings as a buyer, or paid bookings as a seller, oldest first. */
  const bookingIds = (party: 'buyer' | 'seller') =>
    streamItems(
      byNumber,
      (after) => {
        const rows = database
          .selectFrom('bookings')
          .select(['id', 'number'])
          .where('number', '>', after)
          .orderBy('number');
        return party === 'buyer'
          ? rows.where('buyer_id', '=', userId)
          : rows
              .where('seller_id', '=', userId)
              .where(({ exists, selectFrom }) =>
                exists(selectFrom('orders').select('id').whereRef('orders.booking_id', '=', 'bookings.id')),
              );
      },
      ({ id }) => id,
    );

  return {
    byUser,
    /** Rows of a laptop, such as bookings, that name the user in a column. */
    byUserWithLaptop: withLaptop((own) => sql`join laptops on laptops.id = ${own}.laptop_id`),
    /** Rows of a conversation, such as messages, that name the user in a column. */
    byUserInConversations: withLaptop(
      (own) => sql`join conversations on conversations.id = ${own}.conversation_id
                   join laptops on laptops.id = conversations.laptop_id`,
    ),
    /** Rows that belong to the user's bookings, ordered by a time. */
    async *byBooking<Name extends BookingTable, Item>(
      party: 'buyer' | 'seller',
      [table, time]: readonly [table: Name, time: Column<Name>],
      toItem: (row: Row<Name>) => Item,
    ): AsyncGenerator<Item[]> {
      for await (const ids of bookingIds(party)) {
        const { rows } = await sql<Row<Name>>`
          select * from ${sql.table(table)} where booking_id = any(${ids}::uuid[])
           order by ${sql.ref(time)}`.execute(database);
        yield rows.map(toItem);
      }
    },
    /** Rows that belong to the user's laptops, laptop by laptop, with the laptop's name. */
    async *byLaptop<Name extends LaptopTable, Item>(
      table: Name,
      toItem: (row: WithLaptopName<Name>) => Item,
    ): AsyncGenerator<Item[]> {
      for await (const ids of byUser('laptops', ['seller_id', byId], ({ id }) => id)) {
        const { rows } = await sql<WithLaptopName<Name>>`
          select ${sql.table(table)}.*, laptops.name as laptop_name from ${sql.table(table)} join laptops on laptops.id = laptop_id
           where laptop_id = any(${ids}::uuid[]) order by ${sql.ref(`${table}.number`)}`.execute(database);
        yield rows.map(toItem);
      }
    },
  };
}
