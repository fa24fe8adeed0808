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
import { contestedEmail, dueEmail, statementEmail } from './emails.ts';
import * as store from './store.ts';

// The emails about moves are those of orders. One job per recipient, so that a retry repeats no other email.

export interface NotificationDependencies {
  database: Database;
  emailSender: EmailSender;
  origin: string;
}

/** Somebody added words to a complaint. `tell` is the recipient. */
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
  const said = await store.findStatement(database, statementId);
  const author = said && (await findUser(database, said.author_id));
  if (!said || !author) return;
  const found = await findRecipient(database, said.order_id, ({ buyer_id, seller_id }) =>
    tell === 'buyer' ? buyer_id : seller_id,
  );
  if (found === null) return;
  const statement = { by: said.party, author: toRecipient(author), text: said.text };
  await emailSender.send(statementEmail({ ...found, orderId: said.order_id }, [tell, statement], origin));
}

/** Emails an admin that a complaint waits for a decision, unless it does not any more. */
export async function notifyContested(
  { database, emailSender, origin }: NotificationDependencies,
  { orderId, adminId }: z.infer<typeof complaintContested.data>,
): Promise<void> {
  const found = await findRecipient(database, orderId, () => adminId);
  if (found === null || found.order.state !== 'contested') return;
  await emailSender.send(contestedEmail({ ...found, orderId, dueAt: found.order.due_at }, origin));
}

/** Reminds somebody of an answer, unless it was given meanwhile. */
export async function notifyDue(
  { database, emailSender, origin }: NotificationDependencies,
  { orderId, state, tell, adminId }: z.infer<typeof answerIsDue.data>,
): Promise<void> {
  const people = ({ buyer_id, seller_id }: { buyer_id: string; seller_id: string }) => ({
    buyer: buyer_id,
    seller: seller_id,
    admin: adminId,
  });
  const found = await findRecipient(database, orderId, (order) => people(order)[tell]);
  if (found === null || found.order.state !== state) return;
  await emailSender.send(dueEmail({ ...found, orderId, dueAt: found.order.due_at }, state, origin));
}
