import { sql } from 'kysely';
import type { OwnData } from '#contract/privacy.ts';
import type { Database, UserRow } from '../database/tables.ts';
import type { StreamedMembers } from '../http/json-stream.ts';
import * as items from './own-data-items.ts';

/** Personal data stored outside the shop's database. */
const elsewhere = [
  'The identity provider keeps your sign-in: your e-mail address, a hash of your password, your sessions with the type of device, and your second factors.',
  'Card numbers never reach this shop; the card processor keeps them and its record of each payment.',
  'The mail server keeps e-mails to you only until they are delivered.',
];

/** Rows per batch. No connection is held between two batches, so a slow client blocks none. */
const BATCH_ROWS = 100;

/** Values below all ids and row numbers. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const FIRST_NUMBER = '0';

/**
 * Reads rows in batches, ordered by a key.
 * @param read returns up to {@link BATCH_ROWS} rows after the given key
 */
async function* readBatches<Row>(
  first: string,
  read: (after: string) => Promise<Row[]>,
  keyOf: (row: Row) => string,
): AsyncGenerator<Row[]> {
  let after = first;
  for (;;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < BATCH_ROWS) return;
    after = keyOf(last);
  }
}

const byId = ({ id }: { id: string }) => id;
const byNumber = ({ number }: { number: string }) => number;

/** Converts each batch with `toItems`. */
async function* mapBatches<Row, Item>(
  rows: AsyncIterable<Row[]>,
  toItems: (batch: Row[]) => Item[] | Promise<Item[]>,
): AsyncGenerator<Item[]> {
  for await (const batch of rows) yield await toItems(batch);
}

/** Streams a user's account, laptops, bookings, wishlist, payments, reports and admin actions. */
export function streamOwnData(
  database: Database,
  user: UserRow,
  photoUrl: (photo: string) => string,
): StreamedMembers<OwnData> {
  const limit = sql.lit(BATCH_ROWS);

  /** The ids of the user's bookings as a buyer, or paid bookings as a seller, oldest first. */
  const bookingIds = (party: 'buyer' | 'seller') =>
    mapBatches(
      readBatches(
        FIRST_NUMBER,
        (after) => {
          const rows = database
            .selectFrom('bookings')
            .select(['id', 'number'])
            .where('number', '>', after)
            .orderBy('number')
            .limit(limit);
          return party === 'buyer'
            ? rows.where('buyer_id', '=', user.id).execute()
            : rows.where('seller_id', '=', user.id).where('paid_at', 'is not', null).execute();
        },
        byNumber,
      ),
      (rows) => rows.map(({ id }) => id),
    );

  async function* payments(): AsyncGenerator<items.Item<'payments'>[]> {
    for (const party of ['buyer', 'seller'] as const) {
      for await (const ids of bookingIds(party)) {
        const rows = await database
          .selectFrom('payments')
          .selectAll()
          .where('booking_id', 'in', ids)
          .orderBy('paid_at')
          .execute();
        yield rows.map((row) => items.paymentItem(row, party));
      }
    }
  }

  return {
    exportedAt: new Date().toISOString(),
    account: items.accountItem(user),
    laptops: mapBatches(
      readBatches(
        FIRST_ID,
        (after) =>
          database
            .selectFrom('laptops')
            .selectAll()
            .where('seller_id', '=', user.id)
            .where('id', '>', after)
            .orderBy('id')
            .limit(limit)
            .execute(),
        byId,
      ),
      (rows) => rows.map((row) => items.laptopItem(row, photoUrl)),
    ),
    bookings: mapBatches(
      readBatches(
        FIRST_NUMBER,
        (after) =>
          database
            .selectFrom('bookings')
            .innerJoin('laptops', 'laptops.id', 'bookings.laptop_id')
            .selectAll('bookings')
            .select('laptops.name')
            .where('bookings.buyer_id', '=', user.id)
            .where('bookings.number', '>', after)
            .orderBy('bookings.number')
            .limit(limit)
            .execute(),
        byNumber,
      ),
      (rows) => rows.map(items.bookingItem),
    ),
    wishlist: mapBatches(
      readBatches(
        FIRST_NUMBER,
        (after) =>
          database
            .selectFrom('wishlist_items')
            .innerJoin('laptops', 'laptops.id', 'wishlist_items.laptop_id')
            .selectAll('wishlist_items')
            .select('laptops.name')
            .where('wishlist_items.buyer_id', '=', user.id)
            .where('wishlist_items.number', '>', after)
            .orderBy('wishlist_items.number')
            .limit(limit)
            .execute(),
        byNumber,
      ),
      (rows) => rows.map(items.wishlistItem),
    ),
    paymentAttempts: mapBatches(bookingIds('buyer'), async (ids) => {
      const rows = await database
        .selectFrom('payment_intents')
        .selectAll()
        .where('booking_id', 'in', ids)
        .orderBy('created_at')
        .execute();
      return rows.map(items.attemptItem);
    }),
    payments: payments(),
    refunds: mapBatches(bookingIds('buyer'), async (ids) => {
      const rows = await database
        .selectFrom('refunds')
        .selectAll()
        .where('booking_id', 'in', ids)
        .orderBy('created_at')
        .execute();
      return rows.map(items.refundItem);
    }),
    disputes: mapBatches(bookingIds('buyer'), async (ids) => {
      const rows = await database
        .selectFrom('disputes')
        .selectAll()
        .where('booking_id', 'in', ids)
        .orderBy('opened_at')
        .execute();
      return rows.map(items.disputeItem);
    }),
    reports: mapBatches(
      readBatches(
        FIRST_NUMBER,
        (after) =>
          database
            .selectFrom('reports')
            .innerJoin('laptops', 'laptops.id', 'reports.laptop_id')
            .selectAll('reports')
            .select('laptops.name')
            .where('reports.reporter_id', '=', user.id)
            .where('reports.number', '>', after)
            .orderBy('reports.number')
            .limit(limit)
            .execute(),
        byNumber,
      ),
      (rows) => rows.map(items.reportItem),
    ),
    adminActs: mapBatches(
      readBatches(
        FIRST_ID,
        (after) =>
          database
            .selectFrom('audit_entries')
            .selectAll()
            .where('admin_id', '=', user.id)
            .where('id', '>', after)
            .orderBy('id')
            .limit(limit)
            .execute(),
        byId,
      ),
      (rows) => rows.map(items.auditItem),
    ),
    elsewhere,
  };
}
