import * as z from 'zod/mini';
import { openComplaintStates } from '#contract/money/order-states.ts';
import { notification } from '#server/people/notifications/steps.ts';
import { findOrderForNotice } from '../orders/steps.ts';
import { answerDueNotice, contestedNotice, statementNotice } from './notices.ts';
import { findStatement } from './store.ts';

// The notices about moves are those of orders.

/** A statement was added to a complaint. `tell` is the recipient. */
export const statementAdded = notification(
  'complaints.statement-added',
  z.object({ statementId: z.string(), tell: z.enum(['buyer', 'seller']) }),
  async ({ database }, { statementId, tell }) => {
    const statement = await findStatement(database, statementId);
    const found = statement && (await findOrderForNotice(database, statement.order_id));
    return found && { ...found.recipient(tell), notice: statementNotice(found, tell, statement.party) };
  },
);

/** A complaint became contested. An admin is told, unless it was decided since. */
export const complaintContested = notification(
  'complaints.contested',
  z.object({ orderId: z.string(), adminId: z.string() }),
  async ({ database }, { orderId, adminId }) => {
    const found = await findOrderForNotice(database, orderId);
    if (found?.order.state !== 'contested') return null;
    return { ...found.recipient('admin', adminId), notice: contestedNotice(found) };
  },
);

/** An answer is due soon. `tell`, of the admins `adminId`, is reminded, unless the answer was given since. */
export const answerIsDue = notification(
  'complaints.answer-is-due',
  z.object({
    orderId: z.string(),
    state: z.enum(openComplaintStates),
    tell: z.enum(['buyer', 'seller', 'admin']),
    adminId: z.nullable(z.string()),
  }),
  async ({ database }, { orderId, state, tell, adminId }) => {
    const found = await findOrderForNotice(database, orderId);
    if (found?.order.state !== state) return null;
    const notice = answerDueNotice(found, state);
    return { ...found.recipient(tell, adminId), notice };
  },
);

export const all = [statementAdded, complaintContested, answerIsDue];
