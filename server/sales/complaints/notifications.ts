import * as z from 'zod/mini';
import { openComplaintStates } from '#contract/money/order-states.ts';
import type { Notifier, Recipient } from '#server/people/notifications/rules.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { job } from '#server/platform/jobs/queue.ts';
import { findOrderForNotice } from '../orders/steps.ts';
import { answerDueNotice, contestedNotice, statementNotice } from './notices.ts';
import * as store from './store.ts';

// The notices about moves are those of orders. One job per recipient, so that a retry repeats no other one.

export interface NotificationDependencies {
  database: Database;
  notifier: Notifier;
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

/** An order with its laptop's name for notices, and the id of the person to notify; null without such an order or person. */
async function findRecipient(
  database: Database,
  orderId: string,
  idOf: (order: { buyer_id: string; seller_id: string }) => string | null,
) {
  const found = await findOrderForNotice(database, orderId);
  const userId = found && idOf(found.order);
  if (found === null || userId === null) return null;
  const { order, laptop } = found;
  return { order, userId, about: { orderId, laptop, dueAt: order.due_at } };
}

/** Notifies the other side about a statement. */
export async function notifyStatement(
  { database, notifier }: NotificationDependencies,
  { statementId, tell }: z.infer<typeof statementAdded.data>,
  jobId: string,
): Promise<void> {
  const statement = await store.findStatement(database, statementId);
  if (statement === undefined) return;
  const found = await findRecipient(database, statement.order_id, ({ buyer_id, seller_id }) =>
    tell === 'buyer' ? buyer_id : seller_id,
  );
  if (found === null) return;
  const notice = statementNotice(found.about, tell, statement.party);
  await notifier.notify({ userId: found.userId, event: jobId, laptopId: found.order.laptop_id }, notice);
}

/** Notifies an admin that a complaint waits for a decision, unless it was decided meanwhile. */
export async function notifyContested(
  { database, notifier }: NotificationDependencies,
  { orderId, adminId }: z.infer<typeof complaintContested.data>,
  jobId: string,
): Promise<void> {
  const found = await findRecipient(database, orderId, () => adminId);
  if (found === null || found.order.state !== 'contested') return;
  await notifier.notify(
    { adminId, area: 'complaints', event: jobId, laptopId: found.order.laptop_id },
    contestedNotice(found.about),
  );
}

/** Reminds the person who must answer, unless the answer was given meanwhile. */
export async function notifyAnswerDue(
  { database, notifier }: NotificationDependencies,
  { orderId, state, tell, adminId }: z.infer<typeof answerIsDue.data>,
  jobId: string,
): Promise<void> {
  const recipientIds = ({ buyer_id, seller_id }: { buyer_id: string; seller_id: string }) => ({
    buyer: buyer_id,
    seller: seller_id,
    admin: adminId,
  });
  const found = await findRecipient(database, orderId, (order) => recipientIds(order)[tell]);
  if (found === null || found.order.state !== state) return;
  const recipient: Recipient = adminId === null ? { userId: found.userId } : { adminId, area: 'complaints' };
  await notifier.notify(
    { ...recipient, event: jobId, laptopId: found.order.laptop_id },
    answerDueNotice(found.about, state),
  );
}
