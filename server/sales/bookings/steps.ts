import * as z from 'zod/mini';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { type Enqueue, job } from '#server/platform/jobs/queue.ts';
import { priceChanged } from './notifications.ts';
import * as windowStore from './payment-window-store.ts';
import {
  decidePaymentWindow,
  MAXIMUM_PAYMENT_WINDOWS,
  type PaymentWindowDecision,
  QUEUE_PLACE_MILLISECONDS,
  USED_TIME_RETENTION_MILLISECONDS,
  windowLength,
} from './payment-windows.ts';
import * as store from './store.ts';

export { salePaused } from './notifications.ts';
export { deletePaymentWindow, paymentWindowEndOfSeller } from './payment-window-store.ts';
export type { PaymentWindowDecision } from './payment-windows.ts';
export {
  bookingsOfLaptop,
  findBooking,
  removeBuyerContacts,
  updateBooking,
} from './store.ts';

/** The job after a buyer cancelled a booking. Payments handles it: closes its open attempt. */
export const bookingCancelled = job(
  'bookings.booking-cancelled',
  z.object({ bookingId: z.string() }),
  'cards',
);

/** Another laptop for which a buyer has a payment window. */
export type OtherPaymentWindow = Awaited<ReturnType<typeof windowStore.otherPaymentWindows>>[number];

/**
 * Takes or renews the payment window of a booking's buyer, or renews the buyer's place in line. The buyer's account and then the
 * laptop must be locked, always in this order.
 */
export async function openPaymentWindow(
  transaction: Transaction,
  booking: { id: string; laptop_id: string; buyer_id: string },
  now: Date,
): Promise<PaymentWindowDecision & { others: readonly OtherPaymentWindow[] }> {
  const { id: bookingId, laptop_id: laptopId, buyer_id: buyerId } = booking;
  const current = await windowStore.findPaymentWindow(transaction, laptopId);
  const queue = await windowStore.findQueue(transaction, laptopId, now);
  const others = await windowStore.otherPaymentWindows(transaction, buyerId, { laptopId, now });
  const use = await windowStore.findUsedTime(transaction, bookingId);
  const answer = decidePaymentWindow({ bookingId, now, current, use, queue, otherWindows: others.length });
  if (answer.kind === 'busy' && answer.place !== null) {
    const expiresAt = new Date(now.getTime() + QUEUE_PLACE_MILLISECONDS);
    const isNew = !queue.some((wait) => wait.bookingId === bookingId);
    await windowStore.writeQueuePlace(transaction, booking, { expiresAt, isNew });
    return { ...answer, others };
  }
  if (answer.kind === 'open') {
    if (current !== null && current.bookingId !== bookingId) {
      const ended = { usedMilliseconds: windowLength(current), endedAt: current.expiresAt };
      await windowStore.writeUsedTime(transaction, current.bookingId, ended);
    }
    await windowStore.writePaymentWindow(transaction, laptopId, answer.paymentWindow);
    // A buyer at the maximum could not open another window and would only block the line.
    if (others.length + 1 >= MAXIMUM_PAYMENT_WINDOWS)
      await windowStore.deleteQueuePlacesOfBuyer(transaction, buyerId);
  }
  await windowStore.deleteQueuePlace(transaction, bookingId);
  return { ...answer, others };
}

/**
 * Ends a booking's payment window and deletes its place in line. The laptop must be locked.
 * @returns whether there was a payment window or a place
 */
export async function endPaymentWindow(
  transaction: Transaction,
  bookingId: string,
  now: Date,
): Promise<boolean> {
  const wasOpen = await windowStore.expirePaymentWindow(transaction, bookingId, now);
  const waited = await windowStore.deleteQueuePlace(transaction, bookingId);
  return wasOpen || waited;
}

/** Removes expired places in line, and the used time to pay of buyers after a day. */
export async function removeExpiredPaymentWindows(database: Database, now: Date): Promise<void> {
  await windowStore.removeExpiredQueuePlaces(database, now);
  await windowStore.removeUsedTimes(database, new Date(now.getTime() - USED_TIME_RETENTION_MILLISECONDS));
}

/** Until when one buyer alone can pay for a laptop; null without a payment window. The laptop must be locked. */
export async function paymentWindowEnd(
  transaction: Transaction,
  laptopId: string,
  now: Date,
): Promise<Date | null> {
  const paymentWindow = await windowStore.findPaymentWindow(transaction, laptopId);
  return paymentWindow !== null && paymentWindow.expiresAt > now ? paymentWindow.expiresAt : null;
}

/** Enqueues an email about the new price to each buyer with an unpaid booking. The laptop must be locked. */
export async function announcePrice(
  transaction: Transaction,
  { laptopId, priceVersion }: { laptopId: string; priceVersion: number },
  enqueue: Enqueue,
): Promise<void> {
  for (const bookingId of await store.unpaidBookings(transaction, laptopId)) {
    await enqueue(transaction, priceChanged, { bookingId, priceVersion });
  }
}

/**
 * Ends the bookings of a locked laptop that was withdrawn and is for sale again, with its payment window and its line. The withdrawal cancelled them by
 * the laptop's state, which is another now, so their cancellation is stored.
 */
export async function endWithdrawnBookings(transaction: Transaction, laptopId: string): Promise<void> {
  await store.cancelByWithdrawal(transaction, laptopId);
  await windowStore.deletePaymentWindow(transaction, laptopId);
  await windowStore.deleteQueuePlacesOfLaptop(transaction, laptopId);
}
