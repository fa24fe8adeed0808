import type * as z from 'zod/mini';
import type { NewBooking } from '#contract/bookings.ts';
import { lockActiveAccount, lockActiveAccountForShare } from '../accounts/steps.ts';
import { selectLaptopForShare, selectLaptopForUpdate } from '../catalogue/steps.ts';
import type { Database, Transaction } from '../database/tables.ts';
import { accountEnded, Refusal } from '../http/refusal.ts';
import type { Caller } from '../http/serve.ts';
import type { Enqueue } from '../jobs/queue.ts';
import { findWishlistLaptopId } from '../wishlist/steps.ts';
import { bookingMade } from './notifications.ts';
import { bookingObjection } from './rules.ts';
import { releaseHold } from './steps.ts';
import * as store from './store.ts';

/**
 * Books a laptop for a buyer.
 * @returns the new id, or the objection in words
 * @throws Refusal when there is no such laptop, or the caller is no buyer or has left meanwhile
 */
export async function book(
  transaction: Transaction,
  enqueue: Enqueue,
  caller: Caller,
  wanted: z.output<typeof NewBooking>,
): Promise<{ insertedId: string } | { objection: string }> {
  const laptopId =
    (await findWishlistLaptopId(transaction, caller.userId, wanted.productCode)) ?? wanted.productCode;
  if (!(await lockActiveAccountForShare(transaction, caller.userId))) throw accountEnded();
  const laptop = await selectLaptopForShare(transaction, laptopId);
  if (laptop === null) throw new Refusal('not_found', 'There is no such laptop in this shop.');
  if (caller.role !== 'Buyer' && laptop.seller_id !== caller.userId) {
    throw new Refusal('not_allowed', 'Only buyers book laptops. Please sign in with a buyer’s account.');
  }
  const objection = bookingObjection(laptop, {
    userId: caller.userId,
    priceCents: wanted.price,
    alreadyBooked: await store.isBooked(transaction, caller.userId, laptop.id),
  });
  if (objection !== null) return { objection };
  const insertedId = await store.insert(transaction, {
    laptop_id: laptop.id,
    buyer_id: caller.userId,
    price_cents: laptop.resale_price_cents,
    phone: wanted.phone,
    location: wanted.location,
  });
  // The same buyer's other click was faster.
  if (insertedId === null) return { objection: `You already booked ${laptop.name}. Can't book it again.` };
  await enqueue(transaction, bookingMade, { bookingId: insertedId });
  return { insertedId };
}

/**
 * Ends the caller's turn to pay for a booking, or gives up its place in line, so that the next buyer can pay.
 * @returns whether there was a turn or a place
 * @throws Refusal when there is no such booking of the caller's
 */
export async function release(database: Database, caller: Caller, bookingId: string): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    if (!(await lockActiveAccount(transaction, caller.userId))) throw accountEnded();
    const booking = await store.find(transaction, bookingId);
    if (booking?.buyer_id !== caller.userId) {
      throw new Refusal('not_found', 'There is no such booking of yours.');
    }
    await selectLaptopForUpdate(transaction, booking.laptop_id);
    return releaseHold(transaction, bookingId, new Date());
  });
}
