import * as z from 'zod/mini';
import { openComplaintStates } from '#contract/order-states.ts';
import { toRecipient } from '../accounts/rules.ts';
import { findUser } from '../accounts/steps.ts';
import { emailTexts } from '../bookings/rules.ts';
import { findBooking } from '../bookings/steps.ts';
import type { Database } from '../database/tables.ts';
import { job } from '../jobs/queue.ts';
import { findOrder } from '../orders/steps.ts';
import type { EmailSender } from '../vendors/email.ts';
import { answerDueEmail, contestedEmail, statementEmail } from './emails.ts';
import * as store from './store.ts';

// The emails about moves are those of orders. One job per recipient, so that a retry repeats no other email.

export interface NotificationDependencies {
  database: Database;
  emailSender: EmailSender;
  origin: string;
}

/** A statement was added to a complaint. `tell` is the recipient. */
export const statementAdded = job(
  'complaints.statement-added',
  z.object({ statementId: z.string(), tell: z.enum(['buyer', 'seller']) }),
);

/** A complaint became contested. */
export const complaintContested = job(
  'complaints.contested',
  z.object({ orderId: z.string(), adminId: z.string() }),
);

/** An answer is due soon. `adminId` is the recipient where an admin must answer. */
export const answerIsDue = job(
  'complaints.answer-is-due',
  z.object({
    orderId: z.string(),
    state: z.enum(openComplaintStates),
    tell: z.enum(['buyer', 'seller', 'admin']),
    adminId: z.nullable(z.string()),
  }),
);

/** An order with its laptop's name for emails, and a recipient; null when the recipient's account has ended. */
async function findRecipient(
  database: Database,
  orderId: string,
  idOf: (order: { buyer_id: string; seller_id: string }) => string | null,
) {
  const order = await findOrder(database, orderId);
  const id = order && idOf(order);
  const booking = order && (await findBooking(database, order.booking_id));
  const person = id ? await findUser(database, id) : undefined;
  if (!order || !booking || !person || person.ended_at !== null) return null;
  return { order, laptop: emailTexts(booking).laptop, to: toRecipient(person) };
}

/** Emails the other side about a statement. */
export async function notifyStatement(
  { database, emailSender, origin }: NotificationDependencies,
  { statementId, tell }: z.infer<typeof statementAdded.data>,
): Promise<void> {
  const statement = await store.findStatement(database, statementId);
  const author = statement && (await findUser(database, statement.author_id));
  if (!statement || !author) return;
  const found = await findRecipient(database, statement.order_id, ({ buyer_id, seller_id }) =>
    tell === 'buyer' ? buyer_id : seller_id,
  );
  if (found === null) return;
  const content = { by: statement.party, author: toRecipient(author), text: statement.text };
  await emailSender.send(statementEmail({ ...found, orderId: statement.order_id }, [tell, content], origin));
}

/** Emails an admin that a complaint waits for a decision, unless it was decided meanwhile. */
export async function notifyContested(
  { database, emailSender, origin }: NotificationDependencies,
  { orderId, adminId }: z.infer<typeof complaintContested.data>,
): Promise<void> {
  const found = await findRecipient(database, orderId, () => adminId);
  if (found === null || found.order.state !== 'contested') return;
  await emailSender.send(contestedEmail({ ...found, orderId, dueAt: found.order.due_at }, origin));
}

/** Emails a reminder of an answer to the person who must give it, unless it was given meanwhile. */
export async function notifyAnswerDue(
  { database, emailSender, origin }: NotificationDependencies,
  { orderId, state, tell, adminId }: z.infer<typeof answerIsDue.data>,
): Promise<void> {
  const recipientIds = ({ buyer_id, seller_id }: { buyer_id: string; seller_id: string }) => ({
    buyer: buyer_id,
    seller: seller_id,
    admin: adminId,
  });
  const found = await findRecipient(database, orderId, (order) => recipientIds(order)[tell]);
  if (found === null || found.order.state !== state) return;
  await emailSender.send(answerDueEmail({ ...found, orderId, dueAt: found.order.due_at }, state, origin));
}
