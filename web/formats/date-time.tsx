import { utcDay } from './utc-dates.ts';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const hour = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' });

/** A date in the browser's time zone. @param props.at ISO 8601 */
export function Day({ at }: { at: string }) {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return null;
  return (
    <time dateTime={at} className="figures whitespace-nowrap">
      {day.format(moment)}
    </time>
  );
}

/** A day that the shop counted in its own time zone, the same for everybody. @param props.date such as `2026-11-30` */
export function ShopDay({ date }: { date: string }) {
  return (
    <time dateTime={date} className="figures whitespace-nowrap">
      {utcDay(date)}
    </time>
  );
}

/** A date and time in the browser's time zone. @param props.at ISO 8601 */
export function DateTime({ at }: { at: string }) {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return null;
  return (
    <time dateTime={at} className="figures @2xl:whitespace-nowrap">
      {day.format(moment)} <span className="text-muted @2xl:block @2xl:text-sm">{hour.format(moment)}</span>
    </time>
  );
}

const meeting = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});

/**
 * When two people meet, such as `Sat, Nov 28, 3:00 PM PST`, in the browser's time zone, which need not be that of the other's
 * browser. @param props.at ISO 8601
 */
export function MeetingTime({ at }: { at: string }) {
  return (
    <time dateTime={at} className="figures">
      {meeting.format(new Date(at))}
    </time>
  );
}
