import { longUtcDay } from '../../formats/utc-dates.ts';

/** A date without its time. @param props.date ISO 8601 in UTC */
export function Day({ date }: { date: string }) {
  return (
    <time dateTime={date} className="figures whitespace-nowrap">
      {longUtcDay(date)}
    </time>
  );
}
