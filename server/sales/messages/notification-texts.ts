import { nameIfVerified } from '#emails/user-text.ts';
import type { NotificationText } from '#server/people/notifications/rules.ts';
import { type ConversationRow, otherOf, type Side } from './rules.ts';

/** The names of a conversation, safe to use in notifications. */
export function namesInNotification(row: ConversationRow, side: Side): { person: string; laptop: string } {
  const seller = { emailVerified: row.seller_email_verified };
  const other = otherOf(row, side);
  return {
    person: nameIfVerified(other, other.name, side === 'buyer' ? 'The seller' : 'A buyer'),
    laptop: nameIfVerified(seller, row.laptop_name, `${row.laptop_brand} laptop`),
  };
}

/** The page of a conversation. */
export const conversationPath = ({ id }: Pick<ConversationRow, 'id'>) => `/dashboard/messages/${id}` as const;

/** The notification about unread messages. What they say is in the conversation only. */
export function unreadText(row: ConversationRow, side: Side): NotificationText {
  const { person, laptop } = namesInNotification(row, side);
  const other = otherOf(row, side);
  const count = row.unread === 1 ? 'a message' : `${row.unread} messages`;
  return {
    topic: 'messages',
    quoted: { id: other.id, name: other.name },
    title: `${person} wrote to you about ${laptop}`,
    paragraphs: [
      `You have ${count} from ${person} that you have not read.`,
      'Please pay in the shop only: it cannot give back what was paid elsewhere.',
    ],
    facts: [['Laptop', laptop]],
    action: { label: 'Read and answer', path: conversationPath(row) },
  };
}
