import * as z from 'zod/mini';
import type { Notifier } from '#server/people/notifications/rules.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { job } from '#server/platform/jobs/queue.ts';
import {
  bookedNotice,
  cancelledByBuyerNotice,
  priceChangedNotice,
  saleContinuesNotice,
  salePausedNotice,
} from './notices.ts';
import { bookingState, isLoweringUnreported, knownPrice } from './rules.ts';
import * as store from './store.ts';

export interface NotificationDependencies {
  database: Database;
  notifier: Notifier;
}

/** A laptop was booked. */
export const bookingMade = job('bookings.booking-made', z.object({ bookingId: z.string() }));

/** A buyer cancelled a booking. */
export const bookingCancelledByBuyer = job(
  'bookings.cancelled-by-buyer',
  z.object({ bookingId: z.string() }),
);

/** Notifies the seller of a booked laptop. */
export async function notifySeller(
  { database, notifier }: NotificationDependencies,
  bookingId: string,
  jobId: string,
): Promise<void> {
  const booking = await store.findBooking(database, bookingId);
  if (booking === undefined) return;
  await notifier.notify(
    { userId: booking.seller_id, event: jobId, laptopId: booking.laptop_id },
    bookedNotice(booking),
  );
}

/** Notifies the seller about a booking that its buyer cancelled, unless the laptop was booked again since. */
export async function notifySellerOfCancellation(
  { database, notifier }: NotificationDependencies,
  bookingId: string,
  jobId: string,
): Promise<void> {
  const booking = await store.findBooking(database, bookingId);
  if (booking?.cancelled_by !== 'buyer') return;
  await notifier.notify(
    { userId: booking.seller_id, event: jobId, laptopId: booking.laptop_id },
    cancelledByBuyerNotice(booking),
  );
}

/** The price of a booked laptop changed. `priceVersion` is the laptop's version with the new price. */
export const priceChanged = job(
  'bookings.price-changed',
  z.object({ bookingId: z.string(), priceVersion: z.int() }),
);

/**
 * Emails a buyer about the price of a booked laptop, unless the buyer knows it and whether to agree to it: of several changes,
 * the job of the last one does. A price that changes while the person is notified is told as well.
 */
export async function notifyPriceChanged(
  { database, notifier }: NotificationDependencies,
  { bookingId, priceVersion }: { bookingId: string; priceVersion: number },
  jobId: string,
): Promise<void> {
  let told = false;
  for (;;) {
    const booking = await store.findBooking(database, bookingId);
    if (booking === undefined || bookingState(booking) !== 'Unpaid') return;
    if (booking.laptop_price_cents === knownPrice(booking) && !isLoweringUnreported(booking)) return;
    if (!told && booking.laptop_price_version !== priceVersion) return;
    const event = `${jobId} ${booking.laptop_price_version}`;
    await notifier.notify(
      { userId: booking.buyer_id, event, laptopId: booking.laptop_id },
      priceChangedNotice(booking),
    );
    await store.recordToldPrice(database, booking);
    told = true;
  }
}

/** A lock was found on a booked laptop, or was released: it cannot be paid, or can be again. */
export const salePaused = job(
  'bookings.sale-paused',
  z.object({ bookingId: z.string(), isPaused: z.boolean() }),
);

/** Notifies a buyer whose booking cannot be paid, or can be again, unless that has changed since. */
export async function notifySalePaused(
  { database, notifier }: NotificationDependencies,
  { bookingId, isPaused }: { bookingId: string; isPaused: boolean },
  jobId: string,
): Promise<void> {
  const booking = await store.findBooking(database, bookingId);
  if (booking === undefined || bookingState(booking) !== (isPaused ? 'Paused' : 'Unpaid')) return;
  const write = isPaused ? salePausedNotice : saleContinuesNotice;
  await notifier.notify(
    { userId: booking.buyer_id, event: jobId, laptopId: booking.laptop_id },
    write(booking),
  );
}
