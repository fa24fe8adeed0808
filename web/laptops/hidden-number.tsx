const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' });

/** Stands in place of a telephone number when the reader has seen those of many sellers. @param props.until ISO 8601 */
export function HiddenNumber({ until }: { until: string }) {
  return (
    <span className="text-muted">
      Hidden until{' '}
      <time dateTime={until} className="figures whitespace-nowrap">
        {clock.format(new Date(until))}
      </time>
      : you have opened many sellers’ numbers.
    </span>
  );
}
