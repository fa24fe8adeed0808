import { sql } from 'kysely';
import { type Page, type PageRequest, readPage } from '../database/page.ts';
import type { Reader, Transaction } from '../database/tables.ts';
import type { BookedLaptop } from './rules.ts';

function bookingsWithLaptops(reader: Reader) {
  return reader
    .selectFrom('bookings')
    .innerJoin('laptops', 'laptops.id', 'bookings.laptop_id')
    .innerJoin('users', 'users.id', 'bookings.buyer_id')
    .innerJoin('users as sellers', 'sellers.id', 'laptops.seller_id')
    .selectAll('bookings')
    .select([
      'laptops.name as laptop_name',
      'laptops.brand as laptop_brand',
      'laptops.images as laptop_images',
      'laptops.state as laptop_state',
      'sellers.email_verified as seller_email_verified',
      'users.name as buyer_name',
      'users.email as buyer_email',
      'users.email_verified as buyer_email_verified',
      'users.ended_at as buyer_ended_at',
    ]);
}

/** A buyer's bookings, newest first. */
export function ofBuyer(reader: Reader, buyerId: string, request: PageRequest): Promise<Page<BookedLaptop>> {
  const bookings = bookingsWithLaptops(reader).where('bookings.buyer_id', '=', buyerId);
  return readPage(bookings, 'bookings.number', request);
}

/** The bookings of a seller's laptops, newest first. */
export function ofSeller(
  reader: Reader,
  sellerId: string,
  request: PageRequest,
): Promise<Page<BookedLaptop>> {
  const bookings = bookingsWithLaptops(reader).where('bookings.seller_id', '=', sellerId);
  return readPage(bookings, 'bookings.number', request);
}

/** All bookings of a laptop, oldest first. */
export function bookingsOfLaptop(reader: Reader, laptopId: string): Promise<BookedLaptop[]> {
  return bookingsWithLaptops(reader)
    .where('bookings.laptop_id', '=', laptopId)
    .orderBy('bookings.number')
    .execute();
}

/** Finds a booking with its laptop and its buyer. */
export function findBooking(reader: Reader, id: string): Promise<BookedLaptop | undefined> {
  return bookingsWithLaptops(reader).where('bookings.id', '=', id).executeTakeFirst();
}

/** Whether a buyer has a booking of a laptop that was not cancelled. */
export async function isBooked(reader: Reader, buyerId: string, laptopId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('bookings')
    .select('id')
    .where('buyer_id', '=', buyerId)
    .where('laptop_id', '=', laptopId)
    .where('cancelled_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Inserts a booking. A buyer's cancelled booking of the same laptop becomes the new one: the buyer's used hold time and
 * payments that are under way belong to it.
 * @returns its id, or null when this buyer has already booked the laptop
 */
export async function insert(
  transaction: Transaction,
  booking: { laptop_id: string; buyer_id: string; price_cents: number; phone: string; location: string },
): Promise<string | null> {
  const { laptop_id, buyer_id, price_cents, phone, location } = booking;
  const { rows } = await sql<{ id: string }>`
    insert into bookings (laptop_id, buyer_id, price_cents, phone, location)
      values (${laptop_id}, ${buyer_id}, ${price_cents}, ${phone}, ${location})
      on conflict on constraint booked_once do update
        set number = default, price_cents = excluded.price_cents, phone = excluded.phone,
            location = excluded.location, booked_at = excluded.booked_at, cancelled_at = null, cancelled_by = null
        where bookings.cancelled_at is not null
      returning id`.execute(transaction);
  return rows[0]?.id ?? null;
}

/** Cancels an unpaid booking. Its laptop must be locked. */
export async function cancel(transaction: Transaction, id: string): Promise<void> {
  await transaction
    .updateTable('bookings')
    .set({ cancelled_at: new Date(), cancelled_by: 'buyer' })
    .where('id', '=', id)
    .execute();
}

/** Stores the cancellation of a laptop's bookings by its withdrawal. The laptop must be locked. */
export async function cancelByWithdrawal(transaction: Transaction, laptopId: string): Promise<void> {
  await transaction
    .updateTable('bookings')
    .set({ cancelled_at: new Date(), cancelled_by: 'withdrawal' })
    .where('laptop_id', '=', laptopId)
    .where('paid_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .execute();
}

/** Marks a booking as paid. Its laptop must be locked. */
export async function markPaid(transaction: Transaction, id: string, transactionId: string): Promise<void> {
  await transaction
    .updateTable('bookings')
    .set({ paid_at: new Date(), transaction_id: transactionId })
    .where('id', '=', id)
    .execute();
}

/** Overwrites the telephone number and meeting place in all of a buyer's bookings. */
export async function removeBuyerContacts(transaction: Transaction, buyerId: string): Promise<void> {
  await transaction
    .updateTable('bookings')
    .set({ phone: 'removed', location: 'removed' })
    .where('buyer_id', '=', buyerId)
    .execute();
}
