import * as z from 'zod/mini';
import { toRecipient } from '../accounts/rules.ts';
import { findUser } from '../accounts/steps.ts';
import type { Database } from '../database/tables.ts';
import { job } from '../jobs/queue.ts';
import type { EmailSender } from '../vendors/email.ts';
import { bookedEmail, cancelledByBuyerEmail } from './emails.ts';
import type { BookedLaptop } from './rules.ts';
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
  { database, emailSender, origin }: NotificationDependencies,
  booking: BookedLaptop,
  write: typeof bookedEmail,
): Promise<void> {
  const seller = await findUser(database, booking.seller_id);
  if (!seller || seller.ended_at !== null) return;
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
