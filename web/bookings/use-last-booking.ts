import { useEffect, useEffectEvent } from 'react';
import { type Booking, listBookings } from '#contract/sales/bookings.ts';
import { useRead } from '../requests/reads.ts';

/** What {@link useLastBooking} asks for. */
export const lastBooking = { query: { limit: 1 } };

/**
 * Reads the buyer's latest booking, so that its phone number and meeting place need not be typed again.
 * @param onRead called once it is read; not without a booking
 */
export function useLastBooking(onRead: (booking: Booking) => void): void {
  const { data, isFetching } = useRead(listBookings, lastBooking);
  const [last] = data ?? [];
  const fill = useEffectEvent(onRead);
  useEffect(() => {
    // Not what was read before the latest booking.
    if (!isFetching && last !== undefined) fill(last);
  }, [isFetching, last]);
}
