import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id, Inserted, Modified, optionalText, Paging, text } from '#contract/platform/scalars.ts';

/** A reported conversation, for admins. What was written is read by a call of its own, which is recorded. */
export const ConversationReport = z.object({
  _id: Id,
  productName: z.string(),
  reporterName: z.string(),
  /** The other person. */
  reportedName: z.string(),
  note: z.string(),
  /** ISO 8601 in UTC. */
  reportedAt: z.string(),
  state: z.enum(['Open', 'Resolved']),
});
export type ConversationReport = z.infer<typeof ConversationReport>;

/** A message, as an admin sees it. */
export const ReportedMessage = z.object({
  sequence: z.int(),
  by: z.enum(['buyer', 'seller']),
  name: z.string(),
  text: z.string(),
  /** Signed addresses, which end after an hour or two. */
  photos: z.array(z.string()),
  /** ISO 8601 in UTC. */
  at: z.string(),
});
export type ReportedMessage = z.infer<typeof ReportedMessage>;

const ById = z.object({ _id: Id });

export const reportConversation = endpoint({
  method: 'POST',
  path: '/conversations/:_id/reports',
  access: 'signed-in',
  needsSecondFactor: true,
  summary: 'Reports the other person of a conversation: admins can then read what was written until now',
  params: ById,
  body: z.object({ note: text(1000, 'Say what is wrong, in a sentence') }),
  response: Inserted,
  refusals: ['not_found', 'message_refused', 'invalid_input'],
  idempotencyKey: true,
  limit: 'reporting',
});

export const listConversationReports = endpoint({
  method: 'GET',
  path: '/reportedConversations',
  access: ['Admin'],
  rights: ['complaints'],
  summary: 'Reports of conversations, newest first',
  query: Paging,
  response: z.array(ConversationReport),
});

export const readReportedMessages = endpoint({
  method: 'GET',
  path: '/reportedConversations/:_id/messages',
  access: ['Admin'],
  rights: ['complaints'],
  summary:
    'The messages of a reported conversation until the report, newest first. The audit trail records it',
  params: ById,
  query: Paging,
  response: z.array(ReportedMessage),
  refusals: ['not_found'],
});

export const readMessagesOfComplaint = endpoint({
  method: 'GET',
  path: '/complainedOrders/:_id/messages',
  access: ['Admin'],
  rights: ['complaints'],
  summary:
    'The messages of the two people of an order with a complaint, newest first. The audit trail records it',
  params: ById,
  query: Paging,
  response: z.array(ReportedMessage),
  refusals: ['not_found'],
});

export const resolveConversationReport = endpoint({
  method: 'PUT',
  path: '/reportedConversations/:_id/resolve',
  access: ['Admin'],
  rights: ['complaints'],
  summary: 'Marks a report of a conversation as resolved',
  params: ById,
  body: z.object({ note: optionalText(1000) }),
  response: Modified,
  refusals: ['not_found'],
});
