import type { Meeting } from '#contract/sales/meetings.ts';
import { downloadFile } from '../ui/download-file.ts';

/** The longest line of a calendar file, in bytes (RFC 5545, 3.1). */
const MAXIMUM_LINE_BYTES = 75;

/** How long a meeting takes in the calendar. */
const DURATION = 'PT1H';

/** Escapes a text value (RFC 5545, 3.3.11). */
const escapeText = (text: string) => text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replace(/\r?\n/g, '\\n');

/** Folds a line that is too long: each further line begins with a space. */
function fold(line: string): string {
  const encoder = new TextEncoder();
  let folded = '';
  let bytes = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (bytes + size > MAXIMUM_LINE_BYTES) {
      folded += '\r\n ';
      bytes = 1;
    }
    folded += character;
    bytes += size;
  }
  return folded;
}

/** A time in UTC, such as `20261124T100000Z`. */
const stamp = (at: Date) => at.toISOString().replace(/[-:]|\.\d+/g, '');

interface CalendarEntry extends Pick<Meeting, '_id' | 'place' | 'startsAt'> {
  title: string;
  shopName: string;
  /** The address of the conversation. */
  url: string;
}

/** A calendar file with one meeting (RFC 5545). */
export function calendarFile(
  { _id, place, startsAt, title, shopName, url }: CalendarEntry,
  now: Date,
): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeText(shopName)}//Meetings//EN`,
    'BEGIN:VEVENT',
    `UID:${_id}@${new URL(url).hostname}`,
    `DTSTAMP:${stamp(now)}`,
    `DTSTART:${stamp(new Date(startsAt))}`,
    `DURATION:${DURATION}`,
    `SUMMARY:${escapeText(title)}`,
    `LOCATION:${escapeText(place)}`,
    `URL:${url}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
    .map(fold)
    .join('\r\n');
}

/** Starts a download of a meeting for calendars. */
export const downloadMeeting = (entry: CalendarEntry): void =>
  downloadFile('meeting.ics', { text: calendarFile(entry, new Date()), type: 'text/calendar' });
