import type { Database, Reader, Transaction } from '#server/platform/database/tables.ts';
import type { PaymentWindow, PaymentWindowRequest, QueuePlace } from './payment-windows.ts';

/** The latest expiry of the active payment windows on a seller's laptops; null without one. */
export async function paymentWindowEndOfSeller(
  transaction: Transaction,
  sellerId: string,
  now: Date,
): Promise<Date | null> {
  const row = await transaction
    .selectFrom('payment_windows')
    .innerJoin('laptops', 'laptops.id', 'payment_windows.laptop_id')
    .select((select) => select.fn.max('payment_windows.expires_at').as('until'))
    .where('laptops.seller_id', '=', sellerId)
    .where('payment_windows.expires_at', '>', now)
    .executeTakeFirst();
  return row?.until ?? null;
}

/** The last payment window on a laptop, expired or not. Its laptop must be locked. */
export async function findPaymentWindow(
  transaction: Transaction,
  laptopId: string,
): Promise<PaymentWindow | null> {
  const row = await transaction
    .selectFrom('payment_windows')
    .selectAll()
    .where('laptop_id', '=', laptopId)
    .executeTakeFirst();
  return row === undefined
    ? null
    : { bookingId: row.booking_id, startedAt: row.started_at, expiresAt: row.expires_at };
}

/** Writes a laptop's only payment window. The buyer's account and then the laptop must be locked. */
export async function writePaymentWindow(
  transaction: Transaction,
  laptopId: string,
  paymentWindow: PaymentWindow,
): Promise<void> {
  const values = {
    booking_id: paymentWindow.bookingId,
    started_at: paymentWindow.startedAt,
    expires_at: paymentWindow.expiresAt,
  };
  await transaction
    .insertInto('payment_windows')
    .values({ laptop_id: laptopId, ...values })
    .onConflict((conflict) => conflict.column('laptop_id').doUpdateSet(values))
    .execute();
}

/** Deletes a laptop's payment window. The laptop must be locked. */
export async function deletePaymentWindow(transaction: Transaction, laptopId: string): Promise<void> {
  await transaction.deleteFrom('payment_windows').where('laptop_id', '=', laptopId).execute();
}

/** Ends a booking's active payment window. Its laptop must be locked. @returns whether there was one */
export async function expirePaymentWindow(
  transaction: Transaction,
  bookingId: string,
  now: Date,
): Promise<boolean> {
  const result = await transaction
    .updateTable('payment_windows')
    .set(({ fn, val }) => ({ expires_at: fn<Date>('greatest', ['started_at', val(now)]) }))
    .where('booking_id', '=', bookingId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The other laptops for which a buyer has an open payment window. The buyer's account must be locked. */
export function otherPaymentWindows(
  reader: Reader,
  buyerId: string,
  { laptopId, now }: { laptopId: string; now: Date },
): Promise<{ bookingId: string; productName: string; paymentWindowEndsAt: Date }[]> {
  return reader
    .selectFrom('payment_windows')
    .innerJoin('laptops', 'laptops.id', 'payment_windows.laptop_id')
    .select([
      'payment_windows.booking_id as bookingId',
      'laptops.name as productName',
      'payment_windows.expires_at as paymentWindowEndsAt',
    ])
    .where('payment_windows.buyer_id', '=', buyerId)
    .where('payment_windows.laptop_id', '<>', laptopId)
    .where('payment_windows.expires_at', '>', now)
    .orderBy('payment_windows.expires_at')
    .execute();
}

/** A booking's used time to pay before its present payment window. */
export async function findUsedTime(reader: Reader, bookingId: string): Promise<PaymentWindowRequest['use']> {
  const row = await reader
    .selectFrom('payment_window_uses')
    .select(['used_ms', 'ended_at'])
    .where('booking_id', '=', bookingId)
    .executeTakeFirst();
  return row === undefined ? null : { usedMilliseconds: row.used_ms, endedAt: row.ended_at };
}

/** Stores a booking's used time to pay. Its laptop must be locked. */
export async function writeUsedTime(
  transaction: Transaction,
  bookingId: string,
  { usedMilliseconds, endedAt }: { usedMilliseconds: number; endedAt: Date },
): Promise<void> {
  const values = { used_ms: usedMilliseconds, ended_at: endedAt };
  await transaction
    .insertInto('payment_window_uses')
    .values({ booking_id: bookingId, ...values })
    .onConflict((conflict) => conflict.column('booking_id').doUpdateSet(values))
    .execute();
}

/** The active places in line for a laptop, in order. The laptop must be locked. */
export function findQueue(transaction: Transaction, laptopId: string, now: Date): Promise<QueuePlace[]> {
  return transaction
    .selectFrom('payment_queue')
    .select(['booking_id as bookingId', 'expires_at as expiresAt'])
    .where('laptop_id', '=', laptopId)
    .where('expires_at', '>', now)
    .orderBy('number')
    .execute();
}

/** Renews a buyer's place in line, or appends it. The laptop must be locked. @param isNew whether it is appended */
export async function writeQueuePlace(
  transaction: Transaction,
  booking: { id: string; laptop_id: string; buyer_id: string },
  { expiresAt, isNew }: { expiresAt: Date; isNew: boolean },
): Promise<void> {
  // An expired place is deleted, because its number would keep its old position.
  if (isNew) await deleteQueuePlace(transaction, booking.id);
  await transaction
    .insertInto('payment_queue')
    .values({
      booking_id: booking.id,
      laptop_id: booking.laptop_id,
      buyer_id: booking.buyer_id,
      expires_at: expiresAt,
    })
    .onConflict((conflict) => conflict.column('booking_id').doUpdateSet({ expires_at: expiresAt }))
    .execute();
}

/** Deletes a booking's place in line. @returns whether there was one, expired or not */
export async function deleteQueuePlace(transaction: Transaction, bookingId: string): Promise<boolean> {
  const result = await transaction
    .deleteFrom('payment_queue')
    .where('booking_id', '=', bookingId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Deletes all of a buyer's places in line. The buyer's account must be locked. */
export async function deleteQueuePlacesOfBuyer(transaction: Transaction, buyerId: string): Promise<void> {
  await transaction.deleteFrom('payment_queue').where('buyer_id', '=', buyerId).execute();
}

/** Deletes all places in line for a laptop. The laptop must be locked. */
export async function deleteQueuePlacesOfLaptop(transaction: Transaction, laptopId: string): Promise<void> {
  await transaction.deleteFrom('payment_queue').where('laptop_id', '=', laptopId).execute();
}

/** Removes places in line that expired before a time, without those that a transaction has locked. */
export async function removeExpiredQueuePlaces(database: Database, before: Date): Promise<void> {
  await database
    .deleteFrom('payment_queue')
    .where('booking_id', 'in', (expired) =>
      expired
        .selectFrom('payment_queue')
        .select('booking_id')
        .where('expires_at', '<', before)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}

/** Removes the used time to pay of payment windows that ended before a time. */
export async function removeUsedTimes(database: Database, before: Date): Promise<void> {
  await database.deleteFrom('payment_window_uses').where('ended_at', '<', before).execute();
}
