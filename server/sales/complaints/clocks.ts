import { openComplaintStates, orderClocks } from '#contract/money/order-states.ts';
import { enqueueForAdmins } from '#server/people/accounts/steps.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { throwAll } from '#server/platform/jobs/batches.ts';
import { processItems } from '#server/platform/jobs/failed-items.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { type OrderedLaptop, responsibleParty } from '../orders/rules.ts';
import {
  findDueOrderIds,
  markReminded,
  ordersToRemind,
  putOffDeadline,
  selectOrderForUpdate,
} from '../orders/steps.ts';
import { isScanAwaited, labelOfLatestParcel, turnBack } from '../shipping/steps.ts';
import { moveComplaint, selectCaseForUpdate } from './answers.ts';
import { answerIsDue } from './notifications.ts';
import { latestOffer, REMINDER_MS } from './rules.ts';

interface ClockDependencies {
  database: Database;
  enqueue: Enqueue;
}

/** The maximum number of orders that one round moves, and of those it sends reminders about. */
const CLOCK_BATCH = 100;

const openComplaintState = ({ state }: Pick<OrderedLaptop, 'state'>) =>
  openComplaintStates.find((open) => open === state);

async function moveOverdue(transaction: Transaction, enqueue: Enqueue, id: string, now: Date): Promise<void> {
  const found = await selectCaseForUpdate(transaction, id, () => true);
  const { order, complaint, statements } = found;
  const state = openComplaintState(order);
  if (state === undefined || order.due_at === null || order.due_at > now) return;
  if (await turnBack(transaction, enqueue, order)) return;
  // No money goes back by itself against what the carrier says.
  const isDelivered =
    complaint.kind === 'not_arrived' &&
    (await labelOfLatestParcel(transaction, id, 'out'))?.tracking === 'delivered';
  const isContested = isDelivered && state === 'contested';
  if (isContested || (await isScanAwaited(transaction, order)))
    return putOffDeadline(transaction, order, now);
  const move = isDelivered && state === 'complaint' ? 'contest_late' : orderClocks[state].move;
  const offered = move === 'keep_offer' ? latestOffer(statements) : null;
  await moveComplaint(transaction, enqueue, found, { move, amountCents: offered ?? undefined });
}

async function remind(transaction: Transaction, enqueue: Enqueue, id: string): Promise<void> {
  const order = await selectOrderForUpdate(transaction, id);
  const state = order && openComplaintState(order);
  if (state === undefined || order?.reminded_in === state) return;
  await markReminded(transaction, id, state);
  const person = responsibleParty[state];
  if (person !== 'admin') {
    await enqueue(transaction, answerIsDue, { orderId: id, state, tell: person, adminId: null });
    return;
  }
  await enqueueForAdmins(transaction, enqueue, 'complaints', [
    answerIsDue,
    (adminId) => ({ orderId: id, state, tell: person, adminId }),
  ]);
}

/**
 * Moves the orders with a complaint whose deadline has passed, and sends one reminder in each state before its deadline. Several
 * processes can do this at once.
 * @throws AggregateError with the failures; these orders are postponed, and all others are moved
 */
export async function runComplaintClocks({ database, enqueue }: ClockDependencies, now: Date): Promise<void> {
  const inTransaction = (act: (transaction: Transaction, id: string) => Promise<void>) => (id: string) =>
    database.transaction().execute((transaction) => act(transaction, id));
  const move = inTransaction((transaction, id) => moveOverdue(transaction, enqueue, id, now));
  const overdue = await findDueOrderIds(database, openComplaintStates, now, CLOCK_BATCH);
  const failures = await processItems(database, 'order deadlines', overdue, move, { now });
  const before = new Date(now.getTime() + REMINDER_MS);
  const toRemind = await ordersToRemind(
    database,
    { queue: 'complaint reminders', states: openComplaintStates },
    { now, before },
    CLOCK_BATCH,
  );
  const sendReminder = inTransaction((transaction, id) => remind(transaction, enqueue, id));
  failures.push(...(await processItems(database, 'complaint reminders', toRemind, sendReminder, { now })));
  throwAll(failures, 'some orders with a complaint could not be moved or reminded of');
}
