import { openComplaintStates, orderClocks } from '#contract/order-states.ts';
import { activeAdmins } from '../accounts/steps.ts';
import type { Database, Transaction } from '../database/tables.ts';
import type { Enqueue } from '../jobs/queue.ts';
import type { OrderedLaptop } from '../orders/rules.ts';
import { dueOrders, selectOrderForUpdate } from '../orders/steps.ts';
import { moveComplaint, selectCaseForUpdate } from './answers.ts';
import { answerIsDue } from './notifications.ts';
import { latestOffer, REMINDER_MS } from './rules.ts';
import * as store from './store.ts';

interface ClockDependencies {
  database: Database;
  enqueue: Enqueue;
}

/** How many orders one round moves, and about how many it reminds. */
const CLOCK_BATCH = 100;

const openStateOf = ({ state }: Pick<OrderedLaptop, 'state'>) =>
  openComplaintStates.find((open) => open === state);

async function moveDue(transaction: Transaction, enqueue: Enqueue, id: string, now: Date): Promise<void> {
  const found = await selectCaseForUpdate(transaction, id, () => true);
  const { order, statements } = found;
  const state = openStateOf(order);
  if (state === undefined || order.due_at === null || order.due_at > now) return;
  const { move } = orderClocks[state];
  const offered = move === 'keep_offer' ? latestOffer(statements) : null;
  await moveComplaint(transaction, enqueue, found, { move, amountCents: offered ?? undefined });
}

/** Who must act in each state before its clock runs out. */
const awaited = {
  complaint: 'seller',
  offered: 'buyer',
  contested: 'admin',
  awaiting_return: 'buyer',
  return_reported: 'seller',
} as const satisfies Record<(typeof openComplaintStates)[number], 'buyer' | 'seller' | 'admin'>;

async function remind(transaction: Transaction, enqueue: Enqueue, id: string): Promise<void> {
  const order = await selectOrderForUpdate(transaction, id);
  const state = order && openStateOf(order);
  if (state === undefined || !(await store.markReminded(transaction, id))) return;
  const person = awaited[state];
  if (person !== 'admin') {
    await enqueue(transaction, answerIsDue, { orderId: id, state, tell: person, adminId: null });
    return;
  }
  for (const { id: adminId } of await activeAdmins(transaction)) {
    await enqueue(transaction, answerIsDue, { orderId: id, state, tell: person, adminId });
  }
}

/**
 * Moves the orders with a complaint whose time is over, and reminds once in each state of an answer that is due. Several
 * processes can do this at once. One failure stops no other order.
 * @throws AggregateError with the failures
 */
export async function runComplaintClocks({ database, enqueue }: ClockDependencies, now: Date): Promise<void> {
  const failures: unknown[] = [];
  const each = async (
    ids: readonly string[],
    act: (transaction: Transaction, id: string) => Promise<void>,
  ) => {
    for (const id of ids) {
      await database
        .transaction()
        .execute((transaction) => act(transaction, id))
        .catch((error: unknown) => failures.push(error));
    }
  };
  await each(await dueOrders(database, openComplaintStates, now, CLOCK_BATCH), (transaction, id) =>
    moveDue(transaction, enqueue, id, now),
  );
  const soon = new Date(now.getTime() + REMINDER_MS);
  const toRemind = await store.ordersToRemind(database, [openComplaintStates, soon], CLOCK_BATCH);
  await each(toRemind, (transaction, id) => remind(transaction, enqueue, id));
  if (failures.length > 0) throw new AggregateError(failures, 'the clocks of some complaints failed');
}
