import { useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { book, NewBooking } from '#contract/sales/bookings.ts';
import { createIdempotencyKeys } from '../requests/idempotency-keys.ts';
import { ownListKeys } from '../requests/own-lists.ts';
import { useApi, usePerson } from '../session/session.tsx';

/** The fields of a booking that the buyer types. */
export const MeetingDetails = z.pick(NewBooking, { phone: true, location: true });
export type MeetingDetails = z.output<typeof MeetingDetails>;

/** The fields as typed, before validation. */
type MeetingInput = z.input<typeof MeetingDetails>;

const drafts = new Map<string, MeetingInput>();

/** The typed values by the buyer's email address, kept in memory so that the next booking form starts with them. */
export const meetingDraft = {
  get: (email: string): MeetingInput => drafts.get(email) ?? { phone: '', location: '' },
  set: (email: string, details: MeetingInput) => void drafts.set(email, details),
};

/** The laptop to book, as the card or the wishlist shows it. */
export interface BookableLaptop {
  _id: string;
  name: string;
  /** In dollars. */
  price: number;
  image: string;
}

export interface BookingResult {
  /** False when the server refused the booking, for example because the buyer booked the laptop before. */
  acknowledged: boolean;
  message: string;
}

const idempotencyKeys = createIdempotencyKeys();

/** Returns the request that books a laptop for the signed-in buyer. It throws a Problem. */
export function useBookLaptop(): (laptop: BookableLaptop, details: MeetingDetails) => Promise<BookingResult> {
  const api = useApi();
  const cache = useQueryClient();
  const { name: buyerName, email } = usePerson();
  return async ({ _id: productCode, name: productName, price, image }, { phone, location }) => {
    const body = { productName, price, buyerName, email, phone, location, image, productCode };
    const answer = await idempotencyKeys.send(`${email} ${productCode}`, body, ({ idempotencyKey }) =>
      api.call(book, { body, idempotencyKey }),
    );
    void cache.invalidateQueries({ queryKey: ownListKeys.bookings });
    return answer;
  };
}
