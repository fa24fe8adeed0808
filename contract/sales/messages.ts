import * as z from 'zod/mini';
import { Rating } from '#contract/people/ratings.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id, Inserted, Modified, optionalText, Paging } from '#contract/platform/scalars.ts';
import { Meeting } from './meetings.ts';
import { photoUrls } from './photo-urls.ts';

/** The maximum length of a message. */
export const MAXIMUM_MESSAGE_LENGTH = 2000;
/** The number of photos of one message. */
export const MAXIMUM_MESSAGE_PHOTOS = 4;
/** The number of messages of a page. */
export const MESSAGES_PER_PAGE = 50;
/** Above this, unread messages are not counted any further. */
export const MAXIMUM_UNREAD = 99;

/** Of a person's conversations as buyer, and as seller, this many are looked through for new messages. */
export const COUNTED_CONVERSATIONS = 25;

/** Why a message deserves a second look by its reader. */
export const messageWarnings = ['link', 'payment'] as const;
export type MessageWarning = (typeof messageWarnings)[number];

/** A conversation of two people about a laptop, as one of them sees it. */
export const Conversation = z.object({
  _id: Id,
  productCode: Id,
  productName: z.string(),
  image: z.string(),
  /** The caller's part. */
  role: z.enum(['buyer', 'seller']),
  /** The other person; null after that account has ended. */
  personName: z.nullable(z.string()),
  /** The other person's rating; missing before the first review. */
  personRating: z.optional(Rating),
  /** The other person's page, `/seller/{sellerId}`; only of a seller whose account is active. */
  sellerId: z.optional(Id),
  /** The sequence number of the latest message; 0 before the first one. */
  latest: z.int(),
  /** The messages up to this one were read by the caller. */
  read: z.int(),
  /** The messages up to this one were read by the other person. */
  readByOther: z.int(),
  /** The unread messages of the other person, at most {@link MAXIMUM_UNREAD}. */
  unread: z.int(),
  /** The beginning of the latest message; null before the first one. */
  preview: z.nullable(
    z.object({
      text: z.string(),
      mine: z.boolean(),
      /** ISO 8601 in UTC. */
      at: z.string(),
    }),
  ),
  /** The proposed or agreed meeting, until a day after it; null without one. */
  meeting: z.nullable(Meeting),
  /** Whether the two can agree on a meeting: the laptop is booked, and the caller can write. */
  canMeet: z.boolean(),
  /** Where the buyer wants to meet, as the booking says; only while the two can agree on a meeting. */
  bookedPlace: z.optional(z.string()),
  /** Whether the caller has blocked the other person. */
  blocked: z.boolean(),
  /** Why the caller cannot write now, as a sentence; null when the caller can. */
  closed: z.nullable(z.string()),
});
export type Conversation = z.infer<typeof Conversation>;

/** A message, as one of the two people sees it. */
export const Message = z.object({
  /** Ascends by one in each conversation, from 1. */
  sequence: z.int(),
  mine: z.boolean(),
  text: z.string(),
  /** ISO 8601 in UTC. */
  at: z.string(),
  /** Signed addresses, which end after an hour or two. Another page of messages has new ones. */
  photos: z.array(z.string()),
  /** Only of messages of the other person. */
  warnings: z.array(z.enum(messageWarnings)),
});
export type Message = z.infer<typeof Message>;

const OfConversation = z.object({ _id: Id });

export const listConversations = endpoint({
  method: 'GET',
  path: '/conversations',
  access: 'signed-in',
  needsSecondFactor: true,
  summary: 'The caller’s conversations, those with the latest messages or proposed meetings first',
  query: Paging,
  response: z.array(Conversation),
});

export const countUnreadConversations = endpoint({
  method: 'GET',
  path: '/unreadConversations',
  access: 'signed-in',
  summary:
    'The number of the caller’s latest conversations with unread messages of which no notification has told yet',
  response: z.object({ count: z.int().check(z.maximum(2 * COUNTED_CONVERSATIONS)) }),
});

export const openConversation = endpoint({
  method: 'POST',
  path: '/conversations',
  access: ['Buyer', 'Seller'],
  summary:
    'Finds or starts the conversation about a laptop: of a buyer with its seller, or of the two people of a booking',
  body: z
    .object({
      /** A laptop for sale, about which a buyer asks. */
      productCode: z.optional(Id),
      /** A booking, of which the caller is the buyer or the seller. */
      bookingId: z.optional(Id),
    })
    .check(
      z.refine(({ productCode, bookingId }) => (productCode === undefined) !== (bookingId === undefined), {
        error: 'Name a laptop or a booking',
      }),
    ),
  response: Inserted,
  refusals: ['not_found', 'not_allowed', 'no_longer_for_sale', 'message_refused'],
  limit: 'conversing',
});

export const readConversation = endpoint({
  method: 'GET',
  path: '/conversations/:_id',
  access: 'signed-in',
  needsSecondFactor: true,
  summary: 'A conversation of the caller',
  params: OfConversation,
  response: Conversation,
  refusals: ['not_found'],
});

export const listMessages = endpoint({
  method: 'GET',
  path: '/conversations/:_id/messages',
  access: 'signed-in',
  needsSecondFactor: true,
  summary: 'The messages of a conversation, newest first',
  params: OfConversation,
  query: Paging,
  response: z.array(Message),
  refusals: ['not_found'],
});

export const sendMessage = endpoint({
  method: 'POST',
  path: '/conversations/:_id/messages',
  access: ['Buyer', 'Seller'],
  summary: 'Sends a message to the other person of a conversation',
  params: OfConversation,
  body: z
    .object({
      text: z._default(optionalText(MAXIMUM_MESSAGE_LENGTH), ''),
      /** Photos that the caller has uploaded for this conversation. */
      photos: z._default(
        photoUrls(MAXIMUM_MESSAGE_PHOTOS, `A message can have up to ${MAXIMUM_MESSAGE_PHOTOS} photos`),
        [],
      ),
    })
    .check(
      z.refine(({ text, photos }) => (text ?? '') !== '' || photos.length > 0, {
        path: ['text'],
        error: 'Write a message',
      }),
    ),
  response: z.object({
    acknowledged: z.boolean(),
    sequence: z.int(),
    /** ISO 8601 in UTC. */
    at: z.string(),
  }),
  refusals: ['not_found', 'message_refused', 'invalid_input'],
  idempotencyKey: true,
  limit: 'messaging',
});

export const markRead = endpoint({
  method: 'PUT',
  path: '/conversations/:_id/read',
  access: 'signed-in',
  needsSecondFactor: true,
  summary: 'Marks the messages of a conversation as read, up to one of them; earlier marks stay',
  params: OfConversation,
  body: z.object({
    sequence: z
      .int({ error: 'Name a message' })
      .check(z.minimum(0, { error: 'Name a message' }), z.maximum(2 ** 31 - 1, { error: 'Name a message' })),
  }),
  response: Modified,
  refusals: ['not_found'],
});

export const blockPerson = endpoint({
  method: 'PUT',
  path: '/conversations/:_id/block',
  access: 'signed-in',
  needsSecondFactor: true,
  summary: 'Blocks or unblocks the other person of a conversation, in all conversations of the two',
  params: OfConversation,
  body: z.object({ blocked: z.boolean({ error: 'Say whether the person is blocked' }) }),
  response: Modified,
  refusals: ['not_found'],
  limit: 'conversing',
});
