import { sql } from 'kysely';
import { DAY_MS } from '#contract/platform/durations.ts';
import type { Sender } from '#contract/sales/labels.ts';
import type { Database, Reader, Transaction } from '#server/platform/database/tables.ts';
import { columnsOf } from './store.ts';

/** From where a seller sent last; null when it is not known. */
export async function findSender(reader: Reader, sellerId: string): Promise<Sender | null> {
  const row = await reader
    .selectFrom('sender_addresses')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    name: row.name,
    line1: row.line1,
    line2: row.line2 ?? undefined,
    city: row.city,
    region: row.region ?? undefined,
    postalCode: row.postal_code ?? undefined,
    country: row.country,
    phone: row.phone,
  };
}

const address = (row: 'sender_addresses' | 'excluded') => {
  const columns = ['name', 'line1', 'line2', 'city', 'region', 'postal_code', 'country', 'phone'];
  return sql`(${sql.join(columns.map((column) => sql.ref(`${row}.${column}`)))})`;
};

/** Stores from where a seller sends, instead of an earlier address. */
export async function setSender(transaction: Transaction, sellerId: string, sender: Sender): Promise<void> {
  const { phone, ...place } = sender;
  const columns = { ...columnsOf(place), phone };
  await transaction
    .insertInto('sender_addresses')
    .values({ seller_id: sellerId, ...columns })
    .onConflict((conflict) =>
      conflict.column('seller_id').doUpdateSet({
        ...columns,
        changed_at: sql<Date>`case when ${address('sender_addresses')} is distinct from ${address('excluded')}
          then now() else sender_addresses.changed_at end`,
      }),
    )
    .execute();
}

/** Erases from where a seller sends. */
export async function deleteSender(transaction: Transaction, sellerId: string): Promise<void> {
  await transaction.deleteFrom('sender_addresses').where('seller_id', '=', sellerId).execute();
}

/** Erases senders' addresses that nobody used for some days, unless an order of the seller is under way. */
export async function deleteOldSenders(database: Database, now: Date, days: number): Promise<void> {
  const before = new Date(now.getTime() - days * DAY_MS);
  await sql`
    delete from sender_addresses
     where stored_at < ${before}
       and not exists (select from orders where orders.seller_id = sender_addresses.seller_id
                          and state not in ('completed', 'refunded', 'charged_back'))`.execute(database);
}
