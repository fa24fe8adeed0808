import type { Reader, Transaction } from '../database/tables.ts';
import { askForHold, type BookedLaptop, type HoldAnswer } from './rules.ts';
import * as store from './store.ts';

/** A booking with its laptop and its buyer, or null. */
export async function findBooking(reader: Reader, id: string): Promise<BookedLaptop | null> {
  return (await store.find(reader, id)) ?? null;
}

/** All bookings of a laptop, the oldest first. */
export function bookingsOfLaptop(reader: Reader, laptopId: string): Promise<BookedLaptop[]> {
  return store.ofLaptop(reader, laptopId);
}

/** Takes or renews the hold that lets this booking's buyer pay before others. The laptop must be locked. */
export async function takeHold(
  transaction: Transaction,
  booking: { id: string; laptop_id: string },
  now: Date,
): Promise<HoldAnswer> {
  const current = await store.findHold(transaction, booking.laptop_id);
  const answer = askForHold(current, booking.id, now);
  if (answer.kind === 'held') await store.writeHold(transaction, booking.laptop_id, answer.hold);
  return answer;
}

/** Marks a booking as paid and ends the hold on its laptop. The laptop must be locked. */
export async function payBooking(
  transaction: Transaction,
  booking: { id: string; laptop_id: string },
  transactionId: string,
): Promise<void> {
  await store.markPaid(transaction, booking.id, transactionId);
  await store.deleteHold(transaction, booking.laptop_id);
}

/** Removes where and how somebody who booked wanted to be met. */
export function forgetMeetingsOf(transaction: Transaction, buyerId: string): Promise<void> {
  return store.removeContacts(transaction, buyerId);
}

/** Until when somebody holds one of a seller's laptops to pay for it, at the latest; null when nobody does. */
export function heldUntil(transaction: Transaction, sellerId: string, now: Date): Promise<Date | null> {
  return store.lastHoldAt(transaction, sellerId, now);
}
