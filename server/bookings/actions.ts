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
 * @returns the new id, or the objection as a sentence
 * @throws Refusal for an unknown laptop, a caller who is not a buyer, or an account that has ended
 */
export async function book(
  transaction: Transaction,
  enqueue: Enqueue,
  caller: Caller,
  input: z.output<typeof NewBooking>,
): Promise<{ insertedId: string } | { objection: string }> {
  const laptopId =
    (await findWishlistLaptopId(transaction, caller.userId, input.productCode)) ?? input.productCode;
  if (!(await lockActiveAccountForShare(transaction, caller.userId))) throw accountEnded();
  const laptop = await selectLaptopForShare(transaction, laptopId);
  if (laptop === undefined) throw new Refusal('not_found', 'There is no such laptop in this shop.');
  if (caller.role !== 'Buyer' && laptop.seller_id !== caller.userId) {
    throw new Refusal('not_allowed', 'Only buyers book laptops. Please sign in with a buyer’s account.');
  }
  const objection = bookingObjection(laptop, {
    userId: caller.userId,
    priceCents: input.price,
    alreadyBooked: await store.isBooked(transaction, caller.userId, laptop.id),
  });
  if (objection !== null) return { objection };
  const insertedId = await store.insert(transaction, {
    laptop_id: laptop.id,
    buyer_id: caller.userId,
    price_cents: laptop.resale_price_cents,
    phone: input.phone,
    location: input.location,
  });
  // A concurrent request of the same buyer was faster.
  if (insertedId === null) return { objection: `You already booked ${laptop.name}. Can't book it again.` };
  await enqueue(transaction, bookingMade, { bookingId: insertedId });
  return { insertedId };
}

/**
 * Releases the caller's hold or place in line for a booking, so that the next buyer can pay.
 * @returns whether there was one
 * @throws Refusal when the caller has no such booking
 */
export async function release(database: Database, caller: Caller, bookingId: string): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    if (!(await lockActiveAccount(transaction, caller.userId))) throw accountEnded();
    const booking = await store.findBooking(transaction, bookingId);
    if (booking?.buyer_id !== caller.userId) {
      throw new Refusal('not_found', 'There is no such booking of yours.');
    }
    await selectLaptopForUpdate(transaction, booking.laptop_id);
    return releaseHold(transaction, bookingId, new Date());
  });
}
