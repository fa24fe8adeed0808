import { DAY_MS } from '#contract/platform/durations.ts';
import type { Meeting } from '#contract/sales/meetings.ts';
import { type Conversation, MAXIMUM_UNREAD, type Message } from '#contract/sales/messages.ts';
import { type RatingColumns, ratingOf } from '#server/listings/catalogue/rules.ts';
import type { Prefixed, Row } from '#server/platform/database/tables.ts';
import { warningsOf } from './warnings.ts';

/** How many laptops a buyer can ask about within 24 hours without booking them. */
export const MAXIMUM_QUESTIONS_A_DAY = 20;

/** How long a message is unread before its reader is told of it. */
export const NOTIFY_UNREAD_AFTER_MS = 10 * 60_000;

/** The length of a preview in a list. */
const PREVIEW_LENGTH = 140;

/** A conversation joined with its laptop, its people and its latest message. */
export interface ConversationRow
  extends RatingColumns,
    Prefixed<'laptop', Pick<Row<'laptops'>, 'id' | 'name' | 'brand' | 'images'>>,
    Prefixed<'buyer', Pick<Row<'users'>, 'id' | 'name' | 'email_verified' | 'ended_at'>>,
    Prefixed<'seller', Pick<Row<'users'>, 'name' | 'email_verified'>> {
  id: string;
  messages: number;
  latest_number: string | null;
  buyer_read: number;
  seller_read: number;
  /** Null before the first message, like the next two columns. */
  latest_sender_id: string | null;
  latest_text: string | null;
  latest_at: Date | null;
  /** Whether the buyer has a booking of the laptop. */
  is_booked: boolean;
  /** Whether that booking is paid and its price did not go back, or it can be paid, unlike one of a laptop that was sold to somebody else. */
  is_sale_possible: boolean;
  /** Whether the laptop comes to the buyer by parcel, and is not there yet. */
  is_by_parcel: boolean;
  /** Where the buyer wants to meet, of an open booking; null without one. */
  booked_place: string | null;
  buyer_blocks: boolean;
  seller_blocks: boolean;
  /** The meeting that is planned, which a hand-over ends; null without one, like the next four columns. */
  meeting_id: string | null;
  meeting_place: string | null;
  meeting_at: Date | null;
  meeting_state: 'proposed' | 'agreed' | null;
  meeting_proposer_id: string | null;
  /** The other person's messages that the reader has not read, at most {@link MAXIMUM_UNREAD}. */
  unread: number;
}

/** A message. `photos` are in their stored form. */
export type MessageRow = Omit<Row<'messages'>, 'conversation_id' | 'number'>;

export type Side = Conversation['role'];

/** The user's part in a conversation; null for anybody else. */
export function sideOf(
  { buyer_id, seller_id }: Pick<ConversationRow, 'buyer_id' | 'seller_id'>,
  userId: string,
): Side | null {
  if (buyer_id === userId) return 'buyer';
  return seller_id === userId ? 'seller' : null;
}

/** The other person of a conversation. */
export const otherOf = (row: ConversationRow, side: Side) =>
  side === 'buyer'
    ? {
        id: row.seller_id,
        name: row.seller_name,
        emailVerified: row.seller_email_verified,
        endedAt: row.seller_ended_at,
        rating: ratingOf(row.seller_reviews, row.seller_stars),
        blocks: row.seller_blocks,
      }
    : {
        id: row.buyer_id,
        name: row.buyer_name,
        emailVerified: row.buyer_email_verified,
        endedAt: row.buyer_ended_at,
        rating: ratingOf(row.buyer_reviews, row.buyer_stars),
        blocks: row.buyer_blocks,
      };

/** Whether one side has blocked the other. */
export const blocksOther = (row: ConversationRow, side: Side) =>
  side === 'buyer' ? row.buyer_blocks : row.seller_blocks;

/** Why one side cannot write now; null when it can. */
export function writeRefusal(row: ConversationRow, side: Side): string | null {
  const other = otherOf(row, side);
  if (other.endedAt !== null) {
    return 'The other account has ended, so nobody would read this. The conversation stays here.';
  }
  if (blocksOther(row, side)) return `You have blocked ${other.name}. Unblock to write.`;
  if (other.blocks) return `${other.name} does not take messages from you.`;
  if (side === 'buyer' && !row.is_booked && row.latest_sender_id === row.buyer_id) {
    return `You have asked ${other.name} a question. You can write again after the answer, or when you have booked the laptop.`;
  }
  return null;
}

/** Why there is nothing to meet for; null when there is. */
export function meetRefusal({ is_booked, is_sale_possible, is_by_parcel }: ConversationRow): string | null {
  if (is_sale_possible) {
    return is_by_parcel
      ? 'The laptop is sent by parcel, so there is nothing to meet for. Before the payment, the buyer can choose a meeting instead in the booking. Nothing was changed.'
      : null;
  }
  return is_booked
    ? 'This booking can no longer lead to a sale, so there is nothing to meet for. Nothing was changed.'
    : 'A meeting is agreed on after the laptop is booked. Nothing was changed.';
}

/** The beginning of a text in one line, cut between characters. */
export function toPreview(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  if (line.length <= PREVIEW_LENGTH) return line;
  return `${Array.from(line).slice(0, PREVIEW_LENGTH).join('')}…`;
}

/** How long a meeting is shown after it began. */
const MEETING_SHOWN_MS = DAY_MS;

function toMeeting(row: ConversationRow, otherId: string, now: Date): Meeting | null {
  const { meeting_id, meeting_place, meeting_at, meeting_state } = row;
  if (meeting_id === null || meeting_place === null || meeting_at === null || meeting_state === null)
    return null;
  if (now.getTime() - meeting_at.getTime() > MEETING_SHOWN_MS) return null;
  return {
    _id: meeting_id,
    place: meeting_place,
    startsAt: meeting_at.toISOString(),
    state: meeting_state,
    mine: row.meeting_proposer_id !== otherId,
  };
}

/** The response for a conversation at a time. @param photoUrl makes the public URL of a stored photo */
export function toConversation(
  row: ConversationRow,
  side: Side,
  photoUrl: (photo: string) => string,
  now: Date,
): Conversation {
  const other = otherOf(row, side);
  const closed = writeRefusal(row, side);
  const canMeet = meetRefusal(row) === null && closed === null;
  return {
    _id: row.id,
    productCode: row.laptop_id,
    productName: row.laptop_name,
    image: photoUrl(row.laptop_images[0] ?? ''),
    role: side,
    personName: other.endedAt === null ? other.name : null,
    ...(other.endedAt === null && other.rating !== null && { personRating: other.rating }),
    ...(other.endedAt === null && side === 'buyer' && { sellerId: other.id }),
    latest: row.messages,
    read: side === 'buyer' ? row.buyer_read : row.seller_read,
    readByOther: side === 'buyer' ? row.seller_read : row.buyer_read,
    unread: Math.min(row.unread, MAXIMUM_UNREAD),
    preview:
      row.latest_text === null || row.latest_at === null
        ? null
        : {
            text: toPreview(row.latest_text),
            mine: row.latest_sender_id !== other.id,
            at: row.latest_at.toISOString(),
          },
    meeting: toMeeting(row, other.id, now),
    canMeet,
    ...(canMeet && row.booked_place !== null && { bookedPlace: row.booked_place }),
    blocked: blocksOther(row, side),
    closed,
  };
}

/** The response for a message. @param photoUrl makes the address of a stored photo */
export function toMessage(
  { sequence, sender_id, text, photos, sent_at }: MessageRow,
  readerId: string,
  photoUrl: (photo: string) => string,
): Message {
  const mine = sender_id === readerId;
  return {
    sequence,
    mine,
    text,
    at: sent_at.toISOString(),
    photos: photos.map(photoUrl),
    warnings: mine ? [] : warningsOf(text),
  };
}
