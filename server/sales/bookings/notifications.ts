import * as z from 'zod/mini';
import { type NotificationDependencies, notification } from '#server/people/notifications/steps.ts';
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

/** A laptop was booked. The seller is told, unless the booking was cancelled since. */
export const bookingMade = notification(
  'bookings.booking-made',
  z.object({ bookingId: z.string() }),
  async ({ database }, { bookingId }) => {
    const booking = await store.findBooking(database, bookingId);
    if (booking === undefined || bookingState(booking) === 'Cancelled') return null;
    return { userId: booking.seller_id, laptopId: booking.laptop_id, notice: bookedNotice(booking) };
  },
);

/** A buyer cancelled a booking. The seller is told, unless the laptop was booked again since. */
export const bookingCancelledByBuyer = notification(
  'bookings.cancelled-by-buyer',
  z.object({ bookingId: z.string() }),
  async ({ database }, { bookingId }) => {
    const booking = await store.findBooking(database, bookingId);
    if (booking?.cancelled_by !== 'buyer') return null;
    const notice = cancelledByBuyerNotice(booking);
    return { userId: booking.seller_id, laptopId: booking.laptop_id, notice };
  },
);

/** A lock was found on a booked laptop, or was released. The buyer is told, unless that has changed since. */
export const salePaused = notification(
  'bookings.sale-paused',
  z.object({ bookingId: z.string(), isPaused: z.boolean() }),
  async ({ database }, { bookingId, isPaused }) => {
    const booking = await store.findBooking(database, bookingId);
    if (booking === undefined || bookingState(booking) !== (isPaused ? 'Paused' : 'Unpaid')) return null;
    const write = isPaused ? salePausedNotice : saleContinuesNotice;
    return { userId: booking.buyer_id, laptopId: booking.laptop_id, notice: write(booking) };
  },
);

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
