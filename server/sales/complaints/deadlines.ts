import { type OpenComplaintState, openComplaintStates } from '#contract/money/order-states.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { throwAll } from '#server/platform/jobs/batches.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { deadlineMoveAfter, type OrderedLaptop } from '../orders/rules.ts';
import {
  agreedMeetingAt,
  applyOrderDeadlines,
  isReturnUnaddressed,
  postponeDeadline,
} from '../orders/steps.ts';
import { isScanAwaited, labelOfLatestParcel, recordReturnTurnedBack } from '../shipping/steps.ts';
import { moveComplaint, selectCaseForUpdate } from './answers.ts';
import { answerIsDue } from './notifications.ts';
import { latestOffer, REMINDER_MS } from './rules.ts';

/** Moves the orders with a complaint whose deadline has passed, and reminds of others, see {@link applyOrderDeadlines}. @throws AggregateError */
export async function applyComplaintDeadlines(
  { database, enqueue }: { database: Database; enqueue: Enqueue },
  now: Date,
): Promise<void> {
  async function move(transaction: Transaction, order: OrderedLaptop, state: OpenComplaintState) {
    if (await recordReturnTurnedBack(transaction, enqueue, order)) return;
    // Both have agreed when the laptop is brought back, also without an address: nobody loses the money before.
    const people = { laptopId: order.laptop_id, buyerId: order.buyer_id };
    const meetingAt = state === 'awaiting_return' ? await agreedMeetingAt(transaction, people) : null;
    if (meetingAt !== null && meetingAt > now) return postponeDeadline(transaction, order, meetingAt);
    const found = await selectCaseForUpdate(transaction, order.id, () => true);
    // No money goes back by itself against what the carrier says.
    const isAgainstReport =
      found.complaint.kind === 'not_arrived' &&
      (await labelOfLatestParcel(transaction, order.id, 'out'))?.tracking === 'delivered';
    const isContested = isAgainstReport && state === 'contested';
    if (isContested || (await isScanAwaited(transaction, order)))
      return postponeDeadline(transaction, order, now);
    const lateMove =
      isAgainstReport && state === 'complaint' ? 'contest_late' : deadlineMoveAfter(order, state);
    const deadlineMove = (await isReturnUnaddressed(transaction, order)) ? 'not_addressed' : lateMove;
    const offered = deadlineMove === 'take_offer_late' ? latestOffer(found.statements) : null;
    await moveComplaint(transaction, enqueue, found, {
      move: deadlineMove,
      amountCents: offered ?? undefined,
    });
  }
  const remind = (transaction: Transaction, { id }: OrderedLaptop, state: OpenComplaintState) =>
    enqueue(transaction, answerIsDue, { orderId: id, state });
  const before = new Date(now.getTime() + REMINDER_MS);
  const { failures } = await applyOrderDeadlines(database, now, {
    states: openComplaintStates,
    move,
    reminders: { queue: 'complaint reminders', before, remind },
  });
  throwAll(failures, 'some orders with a complaint could not be moved or reminded of');
}
