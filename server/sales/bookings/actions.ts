import type * as z from 'zod/mini';
import type { ChosenDelivery, NewBooking } from '#contract/sales/bookings.ts';
import { selectLaptopForUpdate } from '#server/listings/catalogue/steps.ts';
import { lockActiveAccount, lockActiveAccountForShare } from '#server/people/accounts/steps.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { accountEnded, Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { requireAddress } from '../addresses/refusals.ts';
import { deleteAddress, setAddress } from '../addresses/steps.ts';
import { agreementRefusal, payablePrice } from '../order-price.ts';
import { bookingCancelledByBuyer, bookingMade } from './notifications.ts';
import { alreadyBooked, type BookedLaptop, bookingRefusal, bookingState, deliveryRefusal } from './rules.ts';
import { bookingCancelled, endPaymentWindow } from './steps.ts';
import * as store from './store.ts';

/**
 * The columns of how a buyer gets a laptop.
 * @throws Refusal for a way that the seller does not offer, or an address to which the laptop is not sent
 */
function deliveryColumns(
  laptop: { name: string; delivery: BookedLaptop['laptop_delivery']; ships_from: string | null },
  chosen: z.output<typeof ChosenDelivery>,
): Pick<BookedLaptop, 'delivery' | 'location'> {
  const delivery = chosen.delivery ?? 'meet';
  const refusal = deliveryRefusal(laptop, delivery);
  if (refusal !== null) {
    throw new Refusal('invalid_input', `${refusal}. Nothing was changed.`, {
      errors: { delivery: refusal },
    });
  }
  if (chosen.delivery !== 'ship') return { delivery: 'meet', location: chosen.location };
  requireAddress(chosen.address, laptop.ships_from ?? '', 'address.');
  return { delivery: 'ship', location: null };
}

/** Stores or erases the address of a booking, as its buyer chose. */
const storeAddress = (
  transaction: Transaction,
  bookingId: string,
  chosen: z.output<typeof ChosenDelivery>,
) =>
  chosen.delivery === 'ship'
    ? setAddress(transaction, bookingId, chosen.address)
    : deleteAddress(transaction, bookingId);

/**
 * Books a laptop for a buyer.
 * @returns the booking's id, or the refusal as a sentence
 * @throws Refusal for a changed currency, an unknown laptop, a caller who is not a buyer, or an account that has ended
 */
export async function book(
  transaction: Transaction,
  enqueue: Enqueue,
  caller: Caller,
  input: z.output<typeof NewBooking>,
): Promise<{ insertedId: string } | { refusal: string }> {
  const laptop = await store.lockBuyerAndLaptop(transaction, caller.userId, input.productCode);
  if (laptop === undefined) {
    if (!(await lockActiveAccountForShare(transaction, caller.userId))) throw accountEnded();
    throw new Refusal('not_found', 'There is no such laptop in this shop.');
  }
  if (!laptop.is_buyer && laptop.seller_id !== caller.userId) {
    throw new Refusal(
      'not_allowed',
      'Only buyers book laptops. If you sell, you can start to buy, too, on your account page.',
    );
  }
  const refusal = bookingRefusal(laptop, {
    userId: caller.userId,
    priceCents: input.price,
    alreadyBooked: laptop.booking_id !== null && !laptop.booking_cancelled,
    sellerBlocks: laptop.seller_blocks,
    buyerBlocks: laptop.buyer_blocks,
  });
  if (refusal !== null) return { refusal };
  const details = {
    price_cents: laptop.resale_price_cents,
    phone: input.phone,
    ...deliveryColumns(laptop, input),
  };
  const id =
    laptop.booking_id === null
      ? await store.insert(transaction, {
          laptop_id: laptop.id,
          buyer_id: caller.userId,
          seller_id: laptop.seller_id,
          ...details,
        })
      : await store.bookAgain(transaction, laptop.booking_id, details);
  // A concurrent request of the same buyer committed first.
  if (id === undefined) return { refusal: alreadyBooked(laptop.name) };
  // The first booking of a laptop has no address to erase.
  if (input.delivery === 'ship' || laptop.booking_id !== null) await storeAddress(transaction, id, input);
  await enqueue(transaction, bookingMade, { bookingId: id });
  return { insertedId: id };
}

/** Locks the laptop of the caller's own booking. @throws Refusal when the caller has no such booking */
async function lockOwnBooking(transaction: Transaction, caller: Caller, id: string): Promise<BookedLaptop> {
  if (!(await lockActiveAccount(transaction, caller.userId))) throw accountEnded();
  const known = await store.findBooking(transaction, id);
  if (known?.buyer_id === caller.userId) {
    await selectLaptopForUpdate(transaction, known.laptop_id);
    // Read again: another transaction may have changed it before the lock.
    const booking = await store.findBooking(transaction, id);
    if (booking !== undefined) return booking;
  }
  throw new Refusal('not_found', 'There is no such booking of yours.');
}

/** @throws Refusal when a booking is paid, or its laptop is sold to another buyer */
function requireUnsold(booking: BookedLaptop, consequence: { paid: string; sold: string }): void {
  const { laptop_name } = booking;
  const state = bookingState(booking);
  if (state === 'Paid') {
    throw new Refusal('already_paid', `You have paid for ${laptop_name}, so ${consequence.paid}.`);
  }
  if (state === 'Sold') {
    throw new Refusal('already_sold', `${laptop_name} was sold to another buyer, so ${consequence.sold}.`);
  }
}

/**
 * Cancels the caller's unpaid booking. A payment that was captured and not applied before is refunded.
 * @returns whether it was cancelled now, and not before
 * @throws Refusal when the caller has no such booking, or it is paid, or its laptop is sold
 */
export async function cancel(
  { database, enqueue }: { database: Database; enqueue: Enqueue },
  caller: Caller,
  bookingId: string,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const booking = await lockOwnBooking(transaction, caller, bookingId);
    requireUnsold(booking, {
      paid: 'this booking cannot be cancelled',
      sold: 'there is nothing to cancel',
    });
    if (bookingState(booking) === 'Cancelled') return false;
    await store.updateBooking(transaction, bookingId, { cancelled_at: new Date(), cancelled_by: 'buyer' });
    await deleteAddress(transaction, bookingId);
    await endPaymentWindow(transaction, bookingId, new Date());
    await enqueue(transaction, bookingCancelled, { bookingId });
    await enqueue(transaction, bookingCancelledByBuyer, { bookingId });
    return true;
  });
}

/**
 * Agrees to the laptop's price in the caller's unpaid booking.
 * @param priceCents the price that the caller has seen
 * @returns whether it was agreed now, and not before
 * @throws Refusal when the caller has no such booking, it cannot be paid any more, or the price is another one
 */
export async function agreeToPrice(
  database: Database,
  caller: Caller,
  { bookingId, priceCents }: { bookingId: string; priceCents: number },
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const booking = await lockOwnBooking(transaction, caller, bookingId);
    requireUnsold(booking, { paid: 'its price stays', sold: 'there is no price to agree to' });
    if (bookingState(booking) === 'Cancelled') {
      throw new Refusal('booking_cancelled', `Your booking of ${booking.laptop_name} was cancelled.`);
    }
    const refusal = agreementRefusal(booking, priceCents);
    if (refusal !== null) throw new Refusal(refusal.code, refusal.detail);
    if (payablePrice(booking) !== null) return false;
    await store.updateBooking(transaction, bookingId, {
      price_cents: priceCents,
      notified_price_cents: null,
      agreed_when_notified_cents: null,
    });
    return true;
  });
}

/** @throws Refusal when the buyer has agreed to meet: the seller would wait there. */
async function requireNoMeeting(transaction: Transaction, { userId }: Caller, id: string): Promise<void> {
  const booking = await store.findShownBooking(transaction, id, userId);
  const meetingAt = booking?.meeting_state === 'agreed' ? booking.meeting_at : null;
  if (meetingAt === null || meetingAt <= new Date()) return;
  const detail = 'You have agreed to meet the seller; cancel that meeting in Messages first';
  throw new Refusal('invalid_input', `${detail}.`, { errors: { delivery: detail } });
}

/**
 * Chooses how the buyer of an unpaid booking gets the laptop.
 * @returns true @throws Refusal when the caller has no such booking, it cannot be paid any more, or the laptop is not given so
 */
export async function chooseBookingDelivery(
  database: Database,
  caller: Caller,
  bookingId: string,
  chosen: z.output<typeof ChosenDelivery>,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const booking = await lockOwnBooking(transaction, caller, bookingId);
    requireUnsold(booking, { paid: 'how you get it stays', sold: 'there is nothing to choose' });
    const { laptop_name: name, laptop_delivery, laptop_ships_from } = booking;
    if (bookingState(booking) === 'Cancelled') {
      throw new Refusal('booking_cancelled', `Your booking of ${name} was cancelled.`);
    }
    const laptop = { name, delivery: laptop_delivery, ships_from: laptop_ships_from };
    if (chosen.delivery === 'ship') await requireNoMeeting(transaction, caller, bookingId);
    await store.updateBooking(transaction, bookingId, deliveryColumns(laptop, chosen));
    await storeAddress(transaction, bookingId, chosen);
    return true;
  });
}

/**
 * Releases the caller's payment window or place in line for a booking, so that the next buyer can pay.
 * @returns whether there was one
 * @throws Refusal when the caller has no such booking
 */
export async function closePaymentWindow(
  database: Database,
  caller: Caller,
  bookingId: string,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    await lockOwnBooking(transaction, caller, bookingId);
    return endPaymentWindow(transaction, bookingId, new Date());
  });
}
