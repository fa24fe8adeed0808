import type { Booking } from '#contract/bookings.ts';
import { dollarsFromCents, formatDollars } from '#contract/scalars.ts';
import { isFormerAddress } from '../accounts/rules.ts';

/** A booking joined with its laptop and its buyer. */
export interface BookedLaptop {
  id: string;
  number: string;
  laptop_id: string;
  buyer_id: string;
  price_cents: number;
  phone: string;
  location: string;
  booked_at: Date;
  paid_at: Date | null;
  transaction_id: string | null;
  laptop_name: string;
  laptop_images: string[];
  laptop_state: 'available' | 'sold' | 'withdrawn' | 'taken_down';
  seller_id: string;
  buyer_name: string;
  buyer_email: string;
  buyer_ended_at: Date | null;
}

/**
 * How a booking stands. Only being paid is the booking's own; that it was overtaken by another buyer's payment, or
 * cancelled, follows from its laptop and its buyer.
 */
export function bookingState(
  booking: Pick<BookedLaptop, 'paid_at' | 'laptop_state' | 'buyer_ended_at'>,
): Booking['state'] {
  if (booking.paid_at !== null) return 'Paid';
  if (booking.laptop_state === 'sold') return 'Sold';
  if (booking.laptop_state !== 'available' || booking.buyer_ended_at !== null) return 'Cancelled';
  return 'Unpaid';
}

/** A booking as it travels. @param shown how a stored photo travels */
export function bookingOnTheWire(row: BookedLaptop, shown: (photo: string) => string): Booking {
  const state = bookingState(row);
  return {
    _id: row.id,
    productName: row.laptop_name,
    price: dollarsFromCents(row.price_cents),
    buyerName: row.buyer_name,
    ...(!isFormerAddress(row.buyer_email) && {
      email: row.buyer_email,
      phone: row.phone,
      location: row.location,
    }),
    image: shown(row.laptop_images[0] ?? ''),
    productCode: row.laptop_id,
    paid: state === 'Paid',
    state,
    bookedAt: row.booked_at.toISOString(),
    ...(row.paid_at !== null && { paidAt: row.paid_at.toISOString() }),
    ...(row.transaction_id !== null && { transactionId: row.transaction_id }),
  };
}

/** Why a laptop cannot be booked, in the words of the specification where it has them; null when it can. */
export function bookingObjection(
  laptop: {
    name: string;
    state: BookedLaptop['laptop_state'];
    seller_id: string;
    resale_price_cents: number;
  },
  wanted: { userId: string; priceCents: number | null; alreadyBooked: boolean },
): string | null {
  if (laptop.seller_id === wanted.userId) return `${laptop.name} is your own product. Can't book it.`;
  if (wanted.alreadyBooked) return `You already booked ${laptop.name}. Can't book it again.`;
  if (laptop.state === 'sold') return `${laptop.name} is already sold. Can't book it.`;
  if (laptop.state !== 'available') return `${laptop.name} is no longer for sale. Can't book it.`;
  if (laptop.resale_price_cents !== wanted.priceCents) {
    const price = formatDollars(dollarsFromCents(laptop.resale_price_cents));
    return `The price of ${laptop.name} is ${price} now. Please have another look before you book it.`;
  }
  return null;
}

/** How long a hold lasts unless it is renewed, in milliseconds. */
export const HOLD_MILLISECONDS = 3 * 60_000;
/** How long one buyer may hold a laptop in all, in milliseconds (reading.md, Rules of sale). */
export const LONGEST_HOLD_MILLISECONDS = 20 * 60_000;
/** How long a buyer who has used that up leaves the others a turn, in milliseconds. */
export const HOLD_PAUSE_MILLISECONDS = 5 * 60_000;

/** An exclusive turn at paying for a laptop. */
export interface Hold {
  bookingId: string;
  startedAt: Date;
  expiresAt: Date;
}

/**
 * What comes of asking for a hold: `held`, or `busy` while somebody else has it. `unheld`: the turn is used up but
 * nobody else wants one, so the buyer may go on to pay without the exclusive right.
 */
export type HoldAnswer = { kind: 'held'; hold: Hold } | { kind: 'busy'; until: Date } | { kind: 'unheld' };

/** Who may pay now. @param current the laptop's last hold, lapsed or not */
export function askForHold(current: Hold | null, bookingId: string, now: Date): HoldAnswer {
  const time = now.getTime();
  const fresh: HoldAnswer = {
    kind: 'held',
    hold: { bookingId, startedAt: now, expiresAt: new Date(time + HOLD_MILLISECONDS) },
  };
  if (current === null) return fresh;
  if (current.bookingId !== bookingId) {
    return current.expiresAt.getTime() > time ? { kind: 'busy', until: current.expiresAt } : fresh;
  }
  const end = current.startedAt.getTime() + LONGEST_HOLD_MILLISECONDS;
  if (time < end) {
    const expiresAt = new Date(Math.min(time + HOLD_MILLISECONDS, end));
    return { kind: 'held', hold: { bookingId, startedAt: current.startedAt, expiresAt } };
  }
  return time < end + HOLD_PAUSE_MILLISECONDS ? { kind: 'unheld' } : fresh;
}
