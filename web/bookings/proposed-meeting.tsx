import type { Booking } from '#contract/sales/bookings.ts';
import { MeetingTime } from '../formats/date-time.tsx';

interface ProposedMeetingProps {
  proposal: NonNullable<Booking['proposal']>;
  /** The first name of the other person. */
  name: string;
}

/** The sentence about a meeting that one of the two has proposed. */
export function ProposedMeeting({ proposal: { startsAt, mine }, name }: ProposedMeetingProps) {
  const time = (
    <strong className="font-semibold">
      <MeetingTime at={startsAt} />
    </strong>
  );
  return mine ? (
    <span>
      You proposed {time}. Waiting for {name}.
    </span>
  ) : (
    <span>
      {name} proposes {time}.
    </span>
  );
}
