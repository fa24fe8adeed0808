import { sql } from 'kysely';
import { DAY_MS } from '#contract/platform/durations.ts';
import type { Sender } from '#contract/sales/labels.ts';
import type { Database, Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import { columnsOf } from './store.ts';

const toSender = (row: Row<'sender_addresses'>): Sender => ({
  name: row.name,
  line1: row.line1,
  line2: row.line2 ?? undefined,
  city: row.city,
  region: row.region ?? undefined,
  postalCode: row.postal_code ?? undefined,
  country: row.country,
  phone: row.phone,
});

/** From where the laptop of an order is sent, and to where it returns; null when its seller has not said it. */
export async function findSender(reader: Reader, orderId: string): Promise<Sender | null> {
  const row = await reader
    .selectFrom('sender_addresses')
    .selectAll()
    .where('order_id', '=', orderId)
    .executeTakeFirst();
  return row === undefined ? null : toSender(row);
}

/** The latest address of a seller in the country from which a laptop is sent, to be proposed for its order; null without one. */
export async function findLatestSender(
  reader: Reader,
  { seller_id, laptop_id }: { seller_id: string; laptop_id: string },
): Promise<Sender | null> {
  const row = await reader
    .selectFrom('sender_addresses')
    .selectAll()
    .where('seller_id', '=', seller_id)
    .where('country', '=', sql<string>`(select ships_from from laptops where id = ${laptop_id})`)
    .orderBy('stored_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : toSender(row);
}

/** The address in a row, to be compared. @param row the table's name or alias */
export const senderIn = (row: string) => {
  const columns = ['name', 'line1', 'line2', 'city', 'region', 'postal_code', 'country', 'phone'];
  return sql`(${sql.join(columns.map((column) => sql.ref(`${row}.${column}`)))})`;
};

/** Stores from where the laptop of an order is sent, instead of an earlier address. */
export async function setSender(
  transaction: Transaction,
  { id, seller_id }: { id: string; seller_id: string },
  sender: Sender,
): Promise<void> {
  const { phone, ...place } = sender;
  const columns = { ...columnsOf(place), phone };
  await transaction
    .insertInto('sender_addresses')
    .values({ order_id: id, seller_id, ...columns })
    .onConflict((conflict) =>
      conflict.column('order_id').doUpdateSet({
        ...columns,
        changed_at: sql<Date>`case when ${senderIn('sender_addresses')} is distinct from ${senderIn('excluded')}
          then now() else sender_addresses.changed_at end`,
      }),
    )
    .execute();
}

/** Erases all addresses of a seller. */
export async function deleteSender(transaction: Transaction, sellerId: string): Promise<void> {
  await transaction.deleteFrom('sender_addresses').where('seller_id', '=', sellerId).execute();
}

/** Erases the addresses of senders that were given some days ago, of orders that have ended. */
export async function deleteOldSenders(database: Database, now: Date, days: number): Promise<void> {
  const before = new Date(now.getTime() - days * DAY_MS);
  await sql`
    delete from sender_addresses using orders
     where orders.id = order_id and stored_at < ${before}
       and orders.state in ('completed', 'refunded', 'charged_back')`.execute(database);
}
