import type { Database, Reader, Transaction } from '#server/platform/database/tables.ts';
import type { Hold, HoldRequest, Wait } from './payment-windows.ts';

/** The latest expiry of the active holds on a seller's laptops; null without one. */
export async function heldUntil(transaction: Transaction, sellerId: string, now: Date): Promise<Date | null> {
  const row = await transaction
    .selectFrom('holds')
    .innerJoin('laptops', 'laptops.id', 'holds.laptop_id')
    .select((select) => select.fn.max('holds.expires_at').as('until'))
    .where('laptops.seller_id', '=', sellerId)
    .where('holds.expires_at', '>', now)
    .executeTakeFirst();
  return row?.until ?? null;
}

/** The last hold on a laptop, expired or not. Its laptop must be locked. */
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

/** Writes a laptop's only hold. The buyer's account and then the laptop must be locked. */
export async function writeHold(transaction: Transaction, laptopId: string, hold: Hold): Promise<void> {
  const values = { booking_id: hold.bookingId, started_at: hold.startedAt, expires_at: hold.expiresAt };
  await transaction
    .insertInto('holds')
    .values({ laptop_id: laptopId, ...values })
    .onConflict((conflict) => conflict.column('laptop_id').doUpdateSet(values))
    .execute();
}

/** Deletes a laptop's hold. The laptop must be locked. */
export async function deleteHold(transaction: Transaction, laptopId: string): Promise<void> {
  await transaction.deleteFrom('holds').where('laptop_id', '=', laptopId).execute();
}

/** Ends a booking's active hold. Its laptop must be locked. @returns whether there was one */
export async function endHold(transaction: Transaction, bookingId: string, now: Date): Promise<boolean> {
  const result = await transaction
    .updateTable('holds')
    .set(({ fn, val }) => ({ expires_at: fn<Date>('greatest', ['started_at', val(now)]) }))
    .where('booking_id', '=', bookingId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The other laptops that a buyer holds. The buyer's account must be locked. */
export function otherHolds(
  reader: Reader,
  buyerId: string,
  { laptopId, now }: { laptopId: string; now: Date },
): Promise<{ bookingId: string; productName: string; heldUntil: Date }[]> {
  return reader
    .selectFrom('holds')
    .innerJoin('laptops', 'laptops.id', 'holds.laptop_id')
    .select(['holds.booking_id as bookingId', 'laptops.name as productName', 'holds.expires_at as heldUntil'])
    .where('holds.buyer_id', '=', buyerId)
    .where('holds.laptop_id', '<>', laptopId)
    .where('holds.expires_at', '>', now)
    .orderBy('holds.expires_at')
    .execute();
}

/** A booking's used hold time before its present hold. */
export async function findUse(reader: Reader, bookingId: string): Promise<HoldRequest['use']> {
  const row = await reader
    .selectFrom('hold_uses')
    .select(['used_ms', 'ended_at'])
    .where('booking_id', '=', bookingId)
    .executeTakeFirst();
  return row === undefined ? null : { usedMilliseconds: row.used_ms, endedAt: row.ended_at };
}

/** Stores a booking's used hold time. Its laptop must be locked. */
export async function writeUse(
  transaction: Transaction,
  bookingId: string,
  { usedMilliseconds, endedAt }: { usedMilliseconds: number; endedAt: Date },
): Promise<void> {
  const values = { used_ms: usedMilliseconds, ended_at: endedAt };
  await transaction
    .insertInto('hold_uses')
    .values({ booking_id: bookingId, ...values })
    .onConflict((conflict) => conflict.column('booking_id').doUpdateSet(values))
    .execute();
}

/** The active places in line for a laptop, in order. The laptop must be locked. */
export function findLine(transaction: Transaction, laptopId: string, now: Date): Promise<Wait[]> {
  return transaction
    .selectFrom('hold_waits')
    .select(['booking_id as bookingId', 'expires_at as expiresAt'])
    .where('laptop_id', '=', laptopId)
    .where('expires_at', '>', now)
    .orderBy('number')
    .execute();
}

/** Renews a buyer's place in line, or appends it. The laptop must be locked. @param isNew whether it is appended */
export async function writeWait(
  transaction: Transaction,
  booking: { id: string; laptop_id: string; buyer_id: string },
  { expiresAt, isNew }: { expiresAt: Date; isNew: boolean },
): Promise<void> {
  // An expired place is deleted, because its number would keep its old position.
  if (isNew) await deleteWait(transaction, booking.id);
  await transaction
    .insertInto('hold_waits')
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
export async function deleteWait(transaction: Transaction, bookingId: string): Promise<boolean> {
  const result = await transaction
    .deleteFrom('hold_waits')
    .where('booking_id', '=', bookingId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Deletes all of a buyer's places in line. The buyer's account must be locked. */
export async function deleteWaitsOf(transaction: Transaction, buyerId: string): Promise<void> {
  await transaction.deleteFrom('hold_waits').where('buyer_id', '=', buyerId).execute();
}

/** Deletes all places in line for a laptop. The laptop must be locked. */
export async function deleteWaitsFor(transaction: Transaction, laptopId: string): Promise<void> {
  await transaction.deleteFrom('hold_waits').where('laptop_id', '=', laptopId).execute();
}

/** Removes places in line that expired before a time, without those that a transaction has locked. */
export async function removeExpiredWaits(database: Database, before: Date): Promise<void> {
  await database
    .deleteFrom('hold_waits')
    .where('booking_id', 'in', (expired) =>
      expired
        .selectFrom('hold_waits')
        .select('booking_id')
        .where('expires_at', '<', before)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}

/** Removes the used hold time of holds that ended before a time. */
export async function removeUses(database: Database, before: Date): Promise<void> {
  await database.deleteFrom('hold_uses').where('ended_at', '<', before).execute();
}
