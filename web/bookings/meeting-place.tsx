import type { Booking } from '#contract/sales/bookings.ts';
import { MeetingTime } from '../formats/date-time.tsx';
import { firstName } from '../formats/first-name.ts';
import { ProposedMeeting } from './proposed-meeting.tsx';

/** The URL that searches for a place on OpenStreetMap. */
export const mapUrl = (place: string): string =>
  `https://www.openstreetmap.org/search?query=${encodeURIComponent(place)}`;

/** What a link to a map needs: the place is sent only when the link is followed. */
export const mapLink = (place: string) => ({
  target: '_blank',
  rel: 'noopener noreferrer',
  'aria-label': `Show on a map: ${place}, in a new tab`,
});

/** Where buyer and seller meet: as both agreed or one proposed, or else where the buyer wants to. Nothing after the buyer's account has ended. */
export function MeetingPlace({ booking: { location, meeting, proposal, sellerName } }: { booking: Booking }) {
  const place = meeting?.place ?? proposal?.place ?? location;
  if (place === undefined) return null;
  return (
    <span className="flex min-w-20 flex-col items-end text-right wrap-anywhere @2xl:items-start @2xl:text-left">
      {meeting !== undefined && (
        <strong className="font-semibold">
          <MeetingTime at={meeting.startsAt} />
        </strong>
      )}
      {proposal !== undefined && <ProposedMeeting proposal={proposal} name={firstName(sellerName)} />}
      {place}
      <a
        href={mapUrl(place)}
        {...mapLink(place)}
        className="link inline-flex min-h-6 items-center text-sm @max-2xl:min-h-11"
      >
        Show on a map
      </a>
    </span>
  );
}
