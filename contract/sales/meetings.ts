import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id, Inserted, line, Modified } from '#contract/platform/scalars.ts';

/** How many meetings one person can propose in a conversation within 24 hours. */
export const MAXIMUM_PROPOSALS_A_DAY = 10;

/** The meeting that two people have proposed or agreed on, as one of them sees it. */
export const Meeting = z.object({
  _id: Id,
  place: z.string(),
  /** ISO 8601 in UTC. */
  startsAt: z.string(),
  state: z.enum(['proposed', 'agreed']),
  /** Whether the caller has proposed it. */
  mine: z.boolean(),
});
export type Meeting = z.infer<typeof Meeting>;

const OfConversation = z.object({ _id: Id });

export const proposeMeeting = endpoint({
  method: 'POST',
  path: '/conversations/:_id/meetings',
  access: ['Buyer', 'Seller'],
  summary: 'Proposes where and when the two people of a booking meet, instead of an earlier proposal',
  params: OfConversation,
  body: z.object({
    place: line(200, 'Name a place'),
    /** ISO 8601 with a time zone, such as `2026-11-24T10:00:00Z`. */
    startsAt: z.iso.datetime({ offset: true, error: 'Choose a day and a time' }),
  }),
  response: Inserted,
  refusals: ['not_found', 'message_refused', 'invalid_input'],
  idempotencyKey: true,
  limit: 'meeting',
});

export const answerMeeting = endpoint({
  method: 'PUT',
  path: '/conversations/:_id/meeting',
  access: ['Buyer', 'Seller'],
  summary: 'Agrees to the other person’s proposal, or cancels the meeting',
  params: OfConversation,
  body: z.object({
    /** The meeting that the caller has seen. */
    meeting: Id,
    answer: z.enum(['agree', 'cancel'], { error: 'Agree or cancel' }),
  }),
  response: Modified,
  refusals: ['not_found', 'message_refused'],
  limit: 'meeting',
});
