import type { Booking } from '#contract/sales/bookings.ts';
import { EmailLink } from '../../../formats/email-address.tsx';
import { PhoneLink } from '../../../formats/phone-link.tsx';
import { ratedName } from '../../../formats/rating.ts';

/** The buyer's name, and the contact while the booking is open. */
export function Buyer({ booking }: { booking: Booking }) {
  return (
    <span className="flex min-w-36 flex-col @min-[52rem]:min-w-56 items-end text-right wrap-anywhere @2xl:items-start @2xl:text-left @max-2xl:[&_a]:min-h-11 @max-2xl:[&_a]:items-center">
      {ratedName(booking.buyerName, booking.buyerRating)}
      {booking.email !== undefined && <EmailLink>{booking.email}</EmailLink>}
      {booking.phone !== undefined && <PhoneLink>{booking.phone}</PhoneLink>}
    </span>
  );
}
