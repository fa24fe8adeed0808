import { createHash } from 'node:crypto';
import {
  type ChosenTopic,
  chosenTopics,
  type NotificationEntry,
  type NotificationTopic,
} from '#contract/people/notifications.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import type { StaffArea } from '#contract/platform/staff-rights.ts';
import { toSingleLine } from '#emails/user-text.ts';
import type { Row } from '#server/platform/database/tables.ts';

/** The page with a person's notifications and their settings. */
export const SETTINGS_PATH = '/dashboard/notifications';

/** A page of the shop, such as `/dashboard/myBuyers`. */
export type PagePath = `/${string}`;

/**
 * What the shop tells a person. Every value is plain text. Of what other users typed it has names only, which must come through
 * `nameIfVerified`: an email and a push message look like words of the shop. The list of notifications and push messages show the
 * title and the first paragraph; the email has all of it.
 */
export interface NotificationText {
  topic: NotificationTopic;
  title: string;
  paragraphs: readonly [string, ...string[]];
  /**
   * The other person whose name the title or the first paragraph contains, as it was at the time. The notification is
   * removed with that account.
   */
  quoted?: { id: string; name: string };
  /** Rows of a two-column table in the email. */
  facts?: readonly (readonly [name: string, value: string])[];
  /** A list of links in the email, with a line about each. */
  items?: readonly { title: string; path: PagePath; details: string }[];
  /** A sentence after the list. */
  afterItems?: string;
  /** The page that shows more, and the button that leads to it. */
  action: { label: string; path: PagePath };
}

/** Why an email of a subscription was sent, and the link that ends it. */
export interface Unsubscribe {
  reason: string;
  label: string;
  url: string;
}

/** Whom the shop tells. An admin is told only while working in the area. */
export type Recipient = { userId: string } | { adminId: string; area: StaffArea };

/** Tells people what happened. */
export interface Notifier {
  /**
   * Stores a notification, pushes it to the person's browsers and emails it, as the person has chosen. Does nothing when the
   * account has ended, or the admin has no right to the area any more. Called by jobs only: it contacts the mail server.
   * @param recipient.event identifies the event, such as by the id of the job: a second call for it stores and pushes nothing, and
   *   emails only what the first one did not
   * @param recipient.laptopId the laptop that the event is about: lists show one line for each
   * @param unsubscribe for emails of a subscription other than that to a topic
   * @throws Error when the mail server does not accept the email, and when the quoted person has another name by now; the job's
   *   retry reads the name again and sends the email
   */
  notify(
    recipient: Recipient & { event: string; laptopId?: string },
    text: NotificationText,
    unsubscribe?: Unsubscribe,
  ): Promise<void>;
}

const MAXIMUM_TITLE_LENGTH = 300;
const MAXIMUM_BODY_LENGTH = 1_000;

const truncate = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;

/** The columns of a notification that show its text. */
export function toColumns({ topic, title, paragraphs, quoted, action }: NotificationText) {
  return {
    topic,
    quoted_id: quoted?.id ?? null,
    title: truncate(toSingleLine(title), MAXIMUM_TITLE_LENGTH),
    body: truncate(toSingleLine(paragraphs[0]), MAXIMUM_BODY_LENGTH),
    path: action.path,
  };
}

/** Whether people choose when this topic is emailed. */
export const isChosenTopic = (topic: NotificationTopic): topic is ChosenTopic =>
  chosenTopics.some((chosen) => chosen === topic);

/** The id of a person's notification of an event: always the same UUID. */
export function idOf(userId: string, event: string): string {
  const bytes = createHash('sha256').update(userId).update('\n').update(event).digest().subarray(0, 16);
  // Version 8 of RFC 9562: the content is the application's.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The hour of the daily email, in UTC. */
const DIGEST_HOUR = 8;

/** The next time at which daily emails go out: 08:00 UTC. */
export function nextDigestAt(now: Date): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), DIGEST_HOUR);
  return new Date(now.getTime() < today ? today : today + DAY_MS);
}

/** The columns of a notification that lists read. */
export const shownColumns = [
  'id',
  'number',
  'topic',
  'title',
  'body',
  'path',
  'created_at',
  'seen_at',
  'laptop_id',
] as const;
export type NotificationRow = Pick<Row<'notifications'>, (typeof shownColumns)[number]>;

export const toEntry = (row: NotificationRow): NotificationEntry => ({
  _id: row.id,
  topic: row.topic,
  title: row.title,
  body: row.body,
  path: row.path,
  at: row.created_at.toISOString(),
  seen: row.seen_at !== null,
  ...(row.laptop_id !== null && { laptop: row.laptop_id }),
});

/** The number of notifications that a daily email lists. */
export const MAXIMUM_LISTED = 30;

/** The subject of a daily email. */
export const digestSubject = (count: number): string =>
  count === 1 ? 'One notification of yesterday and today' : `${count} notifications of yesterday and today`;

/** The text of a push message, which is encrypted and at most 4,096 bytes with its encryption (RFC 8291). */
export function toPushMessage({
  id,
  title,
  body,
  path,
}: Pick<NotificationRow, 'id' | 'title' | 'body' | 'path'>): string {
  return JSON.stringify({ id, title: truncate(title, 200), body: truncate(body, 300), path });
}

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** A day in UTC, for readers in any time zone. */
export const formatUtcDay = (date: Date): string => `${dayFormat.format(date)} (UTC)`;

/** A date and time, with the name of its time zone. @param timeZone of the IANA */
export const formatTime = (date: Date, timeZone: string): string =>
  date.toLocaleString('en-US', {
    ...{ month: 'long', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit' },
    ...{ timeZone, timeZoneName: 'short' },
  });

/** A date and time in UTC, for readers in any time zone. */
export const formatUtc = (date: Date): string => formatTime(date, 'UTC');
