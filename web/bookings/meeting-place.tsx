import type { Booking } from '#contract/sales/bookings.ts';
import { DateTime } from '../formats/date-time.tsx';

/** A link that searches for a place on OpenStreetMap. The place is sent only when the link is followed. */
function MapLink({ place }: { place: string }) {
  return (
    <a
      href={`https://www.openstreetmap.org/search?query=${encodeURIComponent(place)}`}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`Show on a map: ${place}, in a new tab`}
      className="link inline-flex min-h-6 items-center text-sm"
    >
      Show on a map
    </a>
  );
}

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
