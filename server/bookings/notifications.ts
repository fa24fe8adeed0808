import * as z from 'zod/mini';
import { toRecipient } from '../accounts/rules.ts';
import type { Database } from '../database/tables.ts';
import { job } from '../jobs/queue.ts';
import type { EmailSender } from '../vendors/email.ts';
import {
  bookedEmail,
  cancelledByBuyerEmail,
  priceChangedEmail,
  saleContinuesEmail,
  salePausedEmail,
} from './emails.ts';
import { type BookedLaptop, bookingState } from './rules.ts';
import * as store from './store.ts';

export interface NotificationDependencies {
  database: Database;
  emailSender: EmailSender;
  origin: string;
}

/** A laptop was booked. */
export const bookingMade = job('bookings.booking-made', z.object({ bookingId: z.string() }));

/** A buyer cancelled a booking. */
export const bookingCancelledByBuyer = job(
  'bookings.cancelled-by-buyer',
  z.object({ bookingId: z.string() }),
);

/** Emails the seller of a booking's laptop, unless the account has ended. */
async function emailSeller(
  { emailSender, origin }: NotificationDependencies,
  booking: BookedLaptop,
  write: typeof bookedEmail,
): Promise<void> {
  if (booking.seller_ended_at !== null) return;
  const seller = {
    name: booking.seller_name,
    email: booking.seller_email,
    email_verified: booking.seller_email_verified,
  };
  await emailSender.send(write(booking, toRecipient(seller), origin));
}

/** Emails the seller of a booked laptop. */
export async function notifySeller(dependencies: NotificationDependencies, bookingId: string): Promise<void> {
  const booking = await store.findBooking(dependencies.database, bookingId);
  if (booking !== undefined) await emailSeller(dependencies, booking, bookedEmail);
}

/** Emails the seller about a booking that its buyer cancelled, unless the laptop was booked again since. */
export async function notifySellerOfCancellation(
  dependencies: NotificationDependencies,
  bookingId: string,
): Promise<void> {
  const booking = await store.findBooking(dependencies.database, bookingId);
  if (booking?.cancelled_by === 'buyer') await emailSeller(dependencies, booking, cancelledByBuyerEmail);
}

/** The price of a booked laptop changed. `priceVersion` is the laptop's version with the new price. */
export const priceChanged = job(
  'bookings.price-changed',
  z.object({ bookingId: z.string(), priceVersion: z.int() }),
);

/**
 * Emails a buyer about the price of a booked laptop, unless the buyer knows it: of several changes, the job of the last one
 * does. A price that changes while the email is sent is told as well.
 */
export async function notifyPriceChanged(
  { database, emailSender, origin }: NotificationDependencies,
  { bookingId, priceVersion }: { bookingId: string; priceVersion: number },
): Promise<void> {
  let told = false;
  for (;;) {
    const booking = await store.findBooking(database, bookingId);
    if (booking === undefined || bookingState(booking) !== 'Unpaid') return;
    const known = booking.told_price_cents ?? booking.price_cents;
    if (booking.laptop_price_cents === known) return;
    if (!told && booking.laptop_price_version !== priceVersion) return;
    await emailSender.send(priceChangedEmail(booking, known, origin));
    await store.recordToldPrice(database, booking, booking.laptop_price_cents);
    told = true;
  }
}

/** A lock was found on a booked laptop, or was released: it cannot be paid, or can be again. */
export const salePaused = job(
  'bookings.sale-paused',
  z.object({ bookingId: z.string(), isPaused: z.boolean() }),
);

/** Emails a buyer whose booking cannot be paid, or can be again, unless that has changed since. */
export async function notifySalePaused(
  { database, emailSender, origin }: NotificationDependencies,
  { bookingId, isPaused }: { bookingId: string; isPaused: boolean },
): Promise<void> {
  const booking = await store.findBooking(database, bookingId);
  if (booking === undefined || bookingState(booking) !== (isPaused ? 'Paused' : 'Unpaid')) return;
  const write = isPaused ? salePausedEmail : saleContinuesEmail;
  await emailSender.send(write(booking, origin));
}
