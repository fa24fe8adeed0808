import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id } from '#contract/platform/scalars.ts';

/** Of each kind, what waits is counted up to this number. */
export const MAXIMUM_TO_DO = 50;

/** Of each kind, this many items are listed: those that end first. */
export const LISTED_TO_DO = 5;

/** What can wait for somebody, by the part of the person whose turn it is. */
export const toDoKinds = [
  // A buyer. Of bookings:
  'pay',
  'agree_to_price',
  // Of orders:
  'show_code',
  'receive_parcel',
  'look_at_laptop',
  'answer_offer',
  'return_laptop',
  // A buyer or a seller. Of conversations:
  'answer_meeting',
  'read_message',
  // A seller:
  'answer_question',
  // Of orders:
  'answer_complaint',
  'give_return_address',
  'confirm_return',
  'hand_over',
  'send_parcel',
  'open_payout_account',
  // An admin. Of orders:
  'decide_complaint',
  'answer_dispute',
  // Lists, of which only the number is told:
  'inspect_laptop',
  'resolve_item_report',
  'resolve_conversation_report',
  'resolve_review_report',
  'late_parcel',
  'record_claim_payment',
  'approve_name',
  'decide_waiting_refund',
  'failed_refund',
  'refused_transfer',
  'failed_backup',
] as const;
export type ToDoKind = (typeof toDoKinds)[number];

/** Something that waits. */
export const ToDoItem = z.object({
  /** The id of the booking, the order or the conversation. */
  _id: Id,
  productName: z.string(),
  /** The other person; null in items for admins. */
  personName: z.nullable(z.string()),
  /** When it ends by itself, ISO 8601 in UTC; null when it does not. */
  until: z.nullable(z.string()),
  /** The meeting that is proposed or agreed on, ISO 8601 in UTC; null without one. */
  meetingAt: z.nullable(z.string()),
});
export type ToDoItem = z.infer<typeof ToDoItem>;

/** What waits of one kind. */
export const ToDo = z.object({
  kind: z.enum(toDoKinds),
  /** From 1; {@link MAXIMUM_TO_DO} stands for more as well. */
  count: z.int().check(z.minimum(1), z.maximum(MAXIMUM_TO_DO)),
  /** At most {@link LISTED_TO_DO}; none of kinds that an admin does in a list. */
  items: z.array(ToDoItem),
});
export type ToDo = z.infer<typeof ToDo>;

export const listToDo = endpoint({
  method: 'GET',
  path: '/to-do',
  access: 'signed-in',
  summary: 'What waits for the caller, by kind, with the date on which it ends',
  response: z.array(ToDo),
});
