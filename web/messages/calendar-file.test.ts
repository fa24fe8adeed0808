import { expect, test } from 'vitest';
import { calendarFile } from './calendar-file.ts';

const entry = {
  _id: '00000000-0000-4000-8000-000000000001',
  place: 'Café; Rua Nova, 5\\2',
  startsAt: '2026-11-24T10:30:00.000Z',
  title: 'Meet Marta',
  url: 'https://shop.example/dashboard/messages/1',
};
const now = new Date('2026-11-20T08:00:00Z');

test('a calendar file has the meeting in UTC, with escaped texts', () => {
  expect(calendarFile(entry, now).split('\r\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Coomercio//Meetings//EN',
    'BEGIN:VEVENT',
    'UID:00000000-0000-4000-8000-000000000001@coomercio',
    'DTSTAMP:20261120T080000Z',
    'DTSTART:20261124T103000Z',
    'DURATION:PT1H',
    'SUMMARY:Meet Marta',
    'LOCATION:Café\\; Rua Nova\\, 5\\\\2',
    'URL:https://shop.example/dashboard/messages/1',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
});

test('long lines are folded between characters, and a text cannot add a line', () => {
  const text = calendarFile({ ...entry, place: `${'ü'.repeat(100)}\r\nATTENDEE:mailto:a@b.example` }, now);
  const lines = text.split('\r\n');
  expect(Math.max(...lines.map((line) => new TextEncoder().encode(line).length))).toBeLessThanOrEqual(75);
  expect(lines.filter((line) => line.startsWith('ATTENDEE'))).toEqual([]);
  expect(text.replaceAll('\r\n ', '')).toContain(`LOCATION:${'ü'.repeat(100)}\\nATTENDEE`);
});
