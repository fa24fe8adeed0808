import * as z from 'zod/mini';
import { formatTime, type NotificationText } from '#server/people/notifications/rules.ts';
import { type NotificationDependencies, notification } from '#server/people/notifications/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Row } from '#server/platform/database/tables.ts';
import { findMeeting } from './meeting-store.ts';
import { conversationPath, namesInNotification } from './notification-texts.ts';
import { blocksOther, type ConversationRow, otherOf, type Side, sideOf } from './rules.ts';
import { findConversation } from './store.ts';

type About = 'proposed' | 'agreed' | 'cancelled' | 'due';

const titles: Record<About, (person: string, laptop: string) => string> = {
  proposed: (person, laptop) => `${person} proposes a meeting about ${laptop}`,
  agreed: (person, laptop) => `${person} agrees to meet about ${laptop}`,
  cancelled: (person, laptop) => `${person} has cancelled the meeting about ${laptop}`,
  due: (person, laptop) => `You meet ${person} about ${laptop} within a day`,
};

const sentences: Record<About, string> = {
  proposed: 'The conversation says where. Please agree, or propose another place or time.',
  agreed: 'The conversation says where, and has the meeting as a file for your calendar.',
  cancelled: 'You can propose another place and time.',
  due: 'The conversation says where. If you cannot come, please cancel the meeting there.',
};

/** The notification about a meeting. The place is in the conversation only: it is a text of the other person. */
function meetingText(
  row: ConversationRow,
  side: Side,
  { starts_at }: Row<'meetings'>,
  { about, timeZone }: { about: About; timeZone: string },
): NotificationText {
  const { person, laptop } = namesInNotification(row, side);
  const other = otherOf(row, side);
  return {
    topic: 'messages',
    quoted: { id: other.id, name: other.name },
    title: titles[about](person, laptop),
    paragraphs: [sentences[about]],
    facts: [
      ['Laptop', laptop],
      ['Time', formatTime(starts_at, timeZone)],
    ],
    action: { label: 'See the conversation', path: conversationPath(row) },
  };
}

type MeetingDependencies = Pick<Context, 'shop'> & NotificationDependencies;

/** The notification about a meeting; null if it has changed or begun since, or the other person was blocked or has left. */
async function writeAbout(
  { database, shop }: MeetingDependencies,
  { meetingId, userId, about }: { meetingId: string; userId: string; about: About },
) {
  const meeting = await findMeeting(database, meetingId);
  if (meeting === undefined || meeting.state !== (about === 'due' ? 'agreed' : about)) return null;
  if (about !== 'cancelled' && meeting.starts_at <= new Date()) return null;
  const row = await findConversation(database, meeting.conversation_id, userId);
  const side = row === undefined ? null : sideOf(row, userId);
  if (row === undefined || side === null) return null;
  // A meeting that was replaced by a new proposal is told of with that. A hand-over ends a meeting without a notification.
  if (row.meeting_id !== (about === 'cancelled' ? null : meeting.id)) return null;
  if (blocksOther(row, side) || otherOf(row, side).endedAt !== null) return null;
  return {
    userId,
    laptopId: row.laptop_id,
    text: meetingText(row, side, meeting, { about, timeZone: shop().timeZone }),
  };
}

/** A meeting was proposed, agreed on or cancelled. `userId` is the other person. */
export const meetingChanged = notification(
  'messages.meeting-changed',
  z.object({
    meetingId: z.string(),
    userId: z.string(),
    state: z.enum(['proposed', 'agreed', 'cancelled']),
  }),
  (dependencies: MeetingDependencies, { state, ...data }) =>
    writeAbout(dependencies, { ...data, about: state }),
);

/** A meeting begins within a day. Both people are told. */
export const meetingDue = notification(
  'messages.meeting-due',
  z.object({ meetingId: z.string(), people: z.array(z.string()) }),
  (dependencies: MeetingDependencies, { meetingId, people }) =>
    Promise.all(people.map((userId) => writeAbout(dependencies, { meetingId, userId, about: 'due' }))),
);
