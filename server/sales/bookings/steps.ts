import * as z from 'zod/mini';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { type Enqueue, job } from '#server/platform/jobs/queue.ts';
import { priceChanged } from './notifications.ts';
import * as holdStore from './payment-window-store.ts';
import {
  decideHold,
  type HoldDecision,
  lengthOf,
  MAXIMUM_HOLDS,
  USED_TIME_RETENTION_MILLISECONDS,
  WAIT_MILLISECONDS,
} from './payment-windows.ts';
import * as store from './store.ts';

export { salePaused } from './notifications.ts';
export { deleteHold as endHold, heldUntil } from './payment-window-store.ts';
export type { HoldDecision } from './payment-windows.ts';
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

/** Another laptop that a buyer holds. */
export type OtherHold = Awaited<ReturnType<typeof holdStore.otherHolds>>[number];

/**
 * Takes or renews the hold of a booking's buyer, or renews the buyer's place in line. The buyer's account and then the
 * laptop must be locked, always in this order.
 */
export async function takeHold(
  transaction: Transaction,
  booking: { id: string; laptop_id: string; buyer_id: string },
  now: Date,
): Promise<HoldDecision & { others: readonly OtherHold[] }> {
  const { id: bookingId, laptop_id: laptopId, buyer_id: buyerId } = booking;
  const current = await holdStore.findHold(transaction, laptopId);
  const line = await holdStore.findLine(transaction, laptopId, now);
  const others = await holdStore.otherHolds(transaction, buyerId, { laptopId, now });
  const use = await holdStore.findUse(transaction, bookingId);
  const answer = decideHold({ bookingId, now, current, use, line, otherHolds: others.length });
  if (answer.kind === 'busy' && answer.place !== null) {
    const expiresAt = new Date(now.getTime() + WAIT_MILLISECONDS);
    const isNew = !line.some((wait) => wait.bookingId === bookingId);
    await holdStore.writeWait(transaction, booking, { expiresAt, isNew });
    return { ...answer, others };
  }
  if (answer.kind === 'held') {
    if (current !== null && current.bookingId !== bookingId) {
      const ended = { usedMilliseconds: lengthOf(current), endedAt: current.expiresAt };
      await holdStore.writeUse(transaction, current.bookingId, ended);
    }
    await holdStore.writeHold(transaction, laptopId, answer.hold);
    // A buyer at the maximum could not take another hold and would only block the line.
    if (others.length + 1 >= MAXIMUM_HOLDS) await holdStore.deleteWaitsOf(transaction, buyerId);
  }
  await holdStore.deleteWait(transaction, bookingId);
  return { ...answer, others };
}

/**
 * Ends a booking's hold and deletes its place in line. The laptop must be locked.
 * @returns whether there was a hold or a place
 */
export async function releaseHold(transaction: Transaction, bookingId: string, now: Date): Promise<boolean> {
  const held = await holdStore.endHold(transaction, bookingId, now);
  const waited = await holdStore.deleteWait(transaction, bookingId);
  return held || waited;
}

/** Removes expired places in line, and the used hold time of buyers after a day. */
export async function removeExpiredHolds(database: Database, now: Date): Promise<void> {
  await holdStore.removeExpiredWaits(database, now);
  await holdStore.removeUses(database, new Date(now.getTime() - USED_TIME_RETENTION_MILLISECONDS));
}

/** Until when a buyer holds a laptop to pay for it; null without a hold. The laptop must be locked. */
export async function laptopHeldUntil(
  transaction: Transaction,
  laptopId: string,
  now: Date,
): Promise<Date | null> {
  const hold = await holdStore.findHold(transaction, laptopId);
  return hold !== null && hold.expiresAt > now ? hold.expiresAt : null;
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
 * Ends the bookings of a locked laptop that was withdrawn and is for sale again, with its hold and its line. The withdrawal cancelled them by
 * the laptop's state, which is another now, so their cancellation is stored.
 */
export async function endWithdrawnBookings(transaction: Transaction, laptopId: string): Promise<void> {
  await store.cancelByWithdrawal(transaction, laptopId);
  await holdStore.deleteHold(transaction, laptopId);
  await holdStore.deleteWaitsFor(transaction, laptopId);
}
