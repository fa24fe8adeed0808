import * as z from 'zod/mini';
import { toRecipient } from '../accounts/rules.ts';
import { findUser } from '../accounts/steps.ts';
import { findLaptop } from '../catalogue/steps.ts';
import type { Database } from '../database/tables.ts';
import { job } from '../jobs/queue.ts';
import type { EmailSender } from '../vendors/email.ts';
import { bookedEmail } from './emails.ts';
import * as store from './store.ts';

export interface NotificationDependencies {
  database: Database;
  emailSender: EmailSender;
  origin: string;
}

/** A laptop was booked. */
export const bookingMade = job('bookings.booking-made', z.object({ bookingId: z.string() }));

/** Emails the seller of a booked laptop, unless the account has ended. */
export async function notifySeller(
  { database, emailSender, origin }: NotificationDependencies,
  bookingId: string,
): Promise<void> {
  const booking = await store.findBooking(database, bookingId);
  const laptop = booking && (await findLaptop(database, booking.laptop_id));
  const seller = laptop && (await findUser(database, laptop.seller_id));
  if (!booking || !seller || seller.ended_at !== null) return;
  await emailSender.send(bookedEmail(booking, toRecipient(seller), origin));
}
