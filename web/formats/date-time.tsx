const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const hour = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' });

/** A moment as people read it, in their own time zone. @param at ISO 8601 */
export function When({ at }: { at: string }) {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return null;
  return (
    <time dateTime={at} className="figures @2xl:whitespace-nowrap">
      {day.format(moment)} <span className="text-quiet @2xl:block @2xl:text-sm">{hour.format(moment)}</span>
    </time>
  );
}
