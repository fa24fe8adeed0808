import type { TimedOrderState } from '#contract/money/order-states.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { type ItemQueue, processItems } from '#server/platform/jobs/failed-items.ts';
import type { OrderedLaptop } from './rules.ts';
import * as store from './store.ts';

/** The most orders that one round moves, and of those it reminds of. */
const DEADLINE_BATCH = 100;

/** What is done with a locked order in its state. */
type Act<State> = (transaction: Transaction, order: OrderedLaptop, state: State) => Promise<void>;

/**
 * Moves the orders in some states whose deadline has passed, and reminds of others once in each state. Several processes can do this at
 * once.
 * @param options.reminders for the orders whose deadline is before a time
 * @returns whether a deadline had passed, and the failures: these orders are postponed, and all others are moved
 */
export async function applyOrderDeadlines<State extends TimedOrderState>(
  database: Database,
  now: Date,
  {
    states,
    move,
    reminders,
  }: {
    states: readonly State[];
    move: Act<State>;
    reminders?: { queue: ItemQueue; before: Date; remind: Act<State> };
  },
): Promise<{ isAnyOverdue: boolean; failures: unknown[] }> {
  const locked = (act: Act<State>) => (id: string) =>
    database.transaction().execute(async (transaction) => {
      const order = await store.selectOrderForUpdate(transaction, id);
      const state = states.find((each) => each === order?.state);
      if (order !== undefined && state !== undefined) await act(transaction, order, state);
    });
  const overdue = await store.findDueOrderIds(database, states, now, DEADLINE_BATCH);
  const moveOverdue = locked(async (transaction, order, state) => {
    if (order.due_at !== null && order.due_at <= now) await move(transaction, order, state);
  });
  const failures = await processItems(database, 'order deadlines', overdue, moveOverdue, { now });
  if (reminders !== undefined) {
    const { queue, before, remind } = reminders;
    const remindOnce = locked(async (transaction, order, state) => {
      if (order.reminded_in === state) return;
      await store.updateOrder(transaction, order.id, { reminded_in: state });
      await remind(transaction, order, state);
    });
    const ids = await store.ordersToRemind(database, { queue, states }, { now, before }, DEADLINE_BATCH);
    failures.push(...(await processItems(database, queue, ids, remindOnce, { now })));
  }
  return { isAnyOverdue: overdue.length > 0, failures };
}
