import type { Booking } from '#contract/sales/bookings.ts';
import { DateTime } from '../formats/date-time.tsx';
import { MapLink } from '../formats/map-link.tsx';

/** Where buyer and seller meet: as both agreed, or else where the buyer wants to. Nothing after the buyer's account has ended. */
export function MeetingPlace({ booking: { location, meeting } }: { booking: Booking }) {
  const place = meeting?.place ?? location;
  if (place === undefined) return null;
  return (
    <span className="flex min-w-20 flex-col items-end text-right wrap-anywhere @2xl:items-start @2xl:text-left">
      {meeting !== undefined && <DateTime at={meeting.startsAt} />}
      {place}
      <MapLink place={place} />
    </span>
  );
}
