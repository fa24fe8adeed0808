import { sql } from 'kysely';
import { DAY_MS } from '#contract/platform/durations.ts';
import type { Address } from '#contract/sales/addresses.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';

/** The columns of `shipping_addresses` where it is joined, as `AddressColumns` names them. */
export const addressColumns = [
  'shipping_addresses.name as ship_name',
  'shipping_addresses.line1 as ship_line1',
  'shipping_addresses.line2 as ship_line2',
  'shipping_addresses.city as ship_city',
  'shipping_addresses.region as ship_region',
  'shipping_addresses.postal_code as ship_postal_code',
  'shipping_addresses.country as ship_country',
] as const;

/** The columns of an address, as both tables of addresses name them. */
export const columnsOf = ({ postalCode, ...address }: Address) => ({
  stored_at: sql<Date>`now()`,
  ...address,
  line2: address.line2 ?? null,
  region: address.region ?? null,
  postal_code: postalCode?.toUpperCase() ?? null,
});

/** Stores where the laptop of a booking is sent, instead of an earlier address. */
export async function setAddress(
  transaction: Transaction,
  bookingId: string,
  address: Address,
): Promise<void> {
  const columns = columnsOf(address);
  await transaction
    .insertInto('shipping_addresses')
    .values({ booking_id: bookingId, ...columns })
    .onConflict((conflict) => conflict.column('booking_id').doUpdateSet(columns))
    .execute();
}

/** Erases the address of a booking. */
export async function deleteAddress(transaction: Transaction, bookingId: string): Promise<void> {
  await transaction.deleteFrom('shipping_addresses').where('booking_id', '=', bookingId).execute();
}

/** Erases all addresses of a buyer. */
export async function deleteAddressesOf(transaction: Transaction, buyerId: string): Promise<void> {
  await sql`
    delete from shipping_addresses using bookings
     where bookings.id = booking_id and bookings.buyer_id = ${buyerId}`.execute(transaction);
}

/**
 * Erases addresses that are not needed any more: of bookings that were not paid, and of orders that have ended.
 * @param days how long each is kept since it was given
 * @param limit the most that one statement erases
 */
export async function deleteOldAddresses(
  database: Database,
  now: Date,
  { unpaid, paid }: Record<'unpaid' | 'paid', number>,
  limit: number,
): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await sql`
    delete from shipping_addresses where booking_id in (
      select shipping_addresses.booking_id
        from shipping_addresses left join orders on orders.booking_id = shipping_addresses.booking_id
       where stored_at < ${before(unpaid)}
         and (orders.id is null
              or stored_at < ${before(paid)} and orders.state in ('completed', 'refunded', 'charged_back'))
       limit ${sql.lit(limit)})`.execute(database);
}
