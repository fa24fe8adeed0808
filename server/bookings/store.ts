import { cut, type Slice, type Sliced } from '../database/slice.ts';
import type { Reader, Transaction } from '../database/tables.ts';
import type { BookedLaptop, Hold } from './rules.ts';

function booked(reader: Reader) {
  return reader
    .selectFrom('bookings')
    .innerJoin('laptops', 'laptops.id', 'bookings.laptop_id')
    .innerJoin('users', 'users.id', 'bookings.buyer_id')
    .selectAll('bookings')
    .select([
      'laptops.name as laptop_name',
      'laptops.images as laptop_images',
      'laptops.state as laptop_state',
      'laptops.seller_id',
      'users.name as buyer_name',
      'users.email as buyer_email',
      'users.ended_at as buyer_ended_at',
    ]);
}

async function slice(query: ReturnType<typeof booked>, wanted: Slice): Promise<Sliced<BookedLaptop>> {
  const from = wanted.before === null ? query : query.where('bookings.number', '<', wanted.before);
  return cut(await from.orderBy('bookings.number', 'desc').limit(wanted.limit).execute(), wanted);
}

/** A buyer's bookings, the newest first. */
export function ofBuyer(reader: Reader, buyerId: string, wanted: Slice): Promise<Sliced<BookedLaptop>> {
  return slice(booked(reader).where('bookings.buyer_id', '=', buyerId), wanted);
}

/** The bookings of a seller's laptops, the newest first. */
export function ofSeller(reader: Reader, sellerId: string, wanted: Slice): Promise<Sliced<BookedLaptop>> {
  return slice(booked(reader).where('laptops.seller_id', '=', sellerId), wanted);
}

/** All bookings of a laptop, the oldest first. */
export function ofLaptop(reader: Reader, laptopId: string): Promise<BookedLaptop[]> {
  return booked(reader).where('bookings.laptop_id', '=', laptopId).orderBy('bookings.number').execute();
}

export function find(reader: Reader, id: string): Promise<BookedLaptop | undefined> {
  return booked(reader).where('bookings.id', '=', id).executeTakeFirst();
}

export async function isBooked(reader: Reader, buyerId: string, laptopId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('bookings')
    .select('id')
    .where('buyer_id', '=', buyerId)
    .where('laptop_id', '=', laptopId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds a booking. @returns its id, or null when this buyer has booked this laptop already */
export async function insert(
  transaction: Transaction,
  booking: { laptop_id: string; buyer_id: string; price_cents: number; phone: string; location: string },
): Promise<string | null> {
  const row = await transaction
    .insertInto('bookings')
    .values(booking)
    .onConflict((conflict) => conflict.constraint('booked_once').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Marks a booking as paid. Its laptop must be locked. */
export async function markPaid(transaction: Transaction, id: string, transactionId: string): Promise<void> {
  await transaction
    .updateTable('bookings')
    .set({ paid_at: new Date(), transaction_id: transactionId })
    .where('id', '=', id)
    .execute();
}

/** Overwrites where and how a buyer wanted to be met, in all of that buyer's bookings. */
export async function removeContacts(transaction: Transaction, buyerId: string): Promise<void> {
  await transaction
    .updateTable('bookings')
    .set({ phone: 'removed', location: 'removed' })
    .where('buyer_id', '=', buyerId)
    .execute();
}

/** Until when somebody is paying for one of a seller's laptops, at the latest; null when nobody is. */
export async function lastHoldAt(
  transaction: Transaction,
  sellerId: string,
  now: Date,
): Promise<Date | null> {
  const row = await transaction
    .selectFrom('holds')
    .innerJoin('laptops', 'laptops.id', 'holds.laptop_id')
    .select((select) => select.fn.max('holds.expires_at').as('until'))
    .where('laptops.seller_id', '=', sellerId)
    .where('holds.expires_at', '>', now)
    .executeTakeFirst();
  return row?.until ?? null;
}

/** The last hold on a laptop, lapsed or not. Its laptop must be locked. */
export async function findHold(transaction: Transaction, laptopId: string): Promise<Hold | null> {
  const row = await transaction
    .selectFrom('holds')
    .selectAll()
    .where('laptop_id', '=', laptopId)
    .executeTakeFirst();
  return row === undefined
    ? null
    : { bookingId: row.booking_id, startedAt: row.started_at, expiresAt: row.expires_at };
}

/** Writes a laptop's only hold. Its laptop must be locked. */
export async function writeHold(transaction: Transaction, laptopId: string, hold: Hold): Promise<void> {
  const values = { booking_id: hold.bookingId, started_at: hold.startedAt, expires_at: hold.expiresAt };
  await transaction
    .insertInto('holds')
    .values({ laptop_id: laptopId, ...values })
    .onConflict((conflict) => conflict.column('laptop_id').doUpdateSet(values))
    .execute();
}

/** Ends whatever hold a laptop has. Its laptop must be locked. */
export async function deleteHold(transaction: Transaction, laptopId: string): Promise<void> {
  await transaction.deleteFrom('holds').where('laptop_id', '=', laptopId).execute();
}
