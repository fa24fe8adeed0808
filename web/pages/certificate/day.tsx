const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** A date without its time. @param props.date ISO 8601 in UTC */
export function Day({ date }: { date: string }) {
  return (
    <time dateTime={date} className="figures whitespace-nowrap">
      {day.format(new Date(date))}
    </time>
  );
}
