import { latestMeeting, MAXIMUM_MEETING_DAYS } from '#contract/money/order-states.ts';
import { MAXIMUM_PROPOSALS_A_DAY } from '#contract/sales/meetings.ts';
import { formatUtc } from '#server/people/notifications/rules.ts';
import type { Database, Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { findHeldOrder, moveDeadlineToMeeting } from '../orders/steps.ts';
import { selectForWriting } from './actions.ts';
import { meetingChanged, meetingDue } from './meeting-notifications.ts';
import * as meetingStore from './meeting-store.ts';
import { type ConversationRow, meetRefusal, otherOf, type Side, writeRefusal } from './rules.ts';

/** Reminders that one transaction enqueues. */
const BATCH_ROWS = 100;

const orderOf = ({ laptop_id, buyer_id }: ConversationRow) => ({ laptopId: laptop_id, buyerId: buyer_id });

/** @throws Refusal when one side cannot write, or there is nothing to meet for */
function requireMeetable(row: ConversationRow, side: Side): void {
  const refusal = writeRefusal(row, side) ?? meetRefusal(row);
  if (refusal !== null) throw new Refusal('message_refused', refusal);
}

/**
 * Why a meeting cannot begin at a time; null when it can. The shop holds the money of an order for a limited time, and releases it some
 * days after the agreed meeting.
 */
async function timeRefusal(reader: Reader, row: ConversationRow, startsAt: Date): Promise<string | null> {
  const now = new Date();
  if (startsAt < now || startsAt > latestMeeting(now)) {
    return `Choose a time within the next ${MAXIMUM_MEETING_DAYS} days`;
  }
  const order = await findHeldOrder(reader, orderOf(row));
  const latest = order === undefined ? null : latestMeeting(order.state_since);
  if (latest === null || startsAt <= latest) return null;
  return `Choose a time before ${formatUtc(latest)}: the shop holds the buyer’s money for a meeting until then`;
}

/** @throws Refusal `invalid_input` when a meeting cannot begin at a time */
async function requirePossibleTime(reader: Reader, row: ConversationRow, startsAt: Date): Promise<void> {
  const detail = await timeRefusal(reader, row, startsAt);
  if (detail !== null) throw new Refusal('invalid_input', `${detail}.`, { errors: { startsAt: detail } });
}

/** Proposes a meeting, instead of the present one. @returns its id @throws Refusal */
export async function proposeMeeting(
  transaction: Transaction,
  enqueue: Enqueue,
  caller: Caller,
  { id, place, startsAt }: { id: string; place: string; startsAt: Date },
): Promise<string> {
  const { row, side } = await selectForWriting(transaction, caller, id);
  requireMeetable(row, side);
  await requirePossibleTime(transaction, row, startsAt);
  // Each proposal is an email. The conversation is locked, so concurrent requests do not exceed the number.
  const proposer = { conversationId: id, proposerId: caller.userId };
  const proposed = await meetingStore.countProposedToday(transaction, proposer, MAXIMUM_PROPOSALS_A_DAY);
  if (proposed >= MAXIMUM_PROPOSALS_A_DAY) {
    throw new Refusal(
      'message_refused',
      `You have proposed ${MAXIMUM_PROPOSALS_A_DAY} meetings in this conversation within a day, which is the limit. Nothing was changed. Agree on a place and time by message, or propose again tomorrow.`,
    );
  }
  const meetingId = await meetingStore.replaceMeeting(transaction, {
    conversation_id: id,
    proposer_id: caller.userId,
    place,
    starts_at: startsAt,
  });
  if (row.meeting_state === 'agreed') await moveDeadlineToMeeting(transaction, orderOf(row), new Date());
  await enqueue(transaction, meetingChanged, { meetingId, userId: otherOf(row, side).id, state: 'proposed' });
  return meetingId;
}

/** Why a person cannot agree to a meeting; null when the person can. */
function agreeRefusal({ state, proposer_id, starts_at }: Row<'meetings'>, { userId }: Caller) {
  if (state === 'cancelled') return 'This meeting was cancelled or moved. Please look at the present one.';
  if (proposer_id === userId) return 'You have proposed this meeting, so the other person agrees to it.';
  return starts_at < new Date() ? 'This time is over. Please propose another one.' : null;
}

/** Agrees to a meeting or cancels it. @returns rows changed: 0 when it was done before @throws Refusal */
export function answerMeeting(
  { database, enqueue }: { database: Database; enqueue: Enqueue },
  caller: Caller,
  { id, meetingId, answer }: { id: string; meetingId: string; answer: 'agree' | 'cancel' },
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const { row, side } = await selectForWriting(transaction, caller, id);
    const meeting = await meetingStore.findMeeting(transaction, meetingId);
    if (meeting?.conversation_id !== id) throw new Refusal('not_found', 'There is no such meeting.');
    const state = answer === 'agree' ? 'agreed' : 'cancelled';
    if (meeting.state === state) return 0;
    if (answer === 'agree') {
      requireMeetable(row, side);
      const refusal = agreeRefusal(meeting, caller);
      if (refusal !== null) throw new Refusal('message_refused', refusal);
      await requirePossibleTime(transaction, row, meeting.starts_at);
    }
    await meetingStore.setMeetingState(transaction, meetingId, state);
    if (state === 'agreed' || meeting.state === 'agreed') {
      await moveDeadlineToMeeting(transaction, orderOf(row), new Date());
    }
    await enqueue(transaction, meetingChanged, { meetingId, userId: otherOf(row, side).id, state });
    return 1;
  });
}

/** Enqueues the reminders of meetings that begin within a day. Several processes can do this at once. */
export async function enqueueReminders(
  { database, enqueue }: { database: Database; enqueue: Enqueue },
  now: Date,
): Promise<void> {
  for (;;) {
    const count = await database.transaction().execute(async (transaction) => {
      const meetings = await meetingStore.takeMeetingsToRemind(transaction, now, BATCH_ROWS);
      for (const { id, buyer_id, seller_id } of meetings) {
        await enqueue(transaction, meetingDue, { meetingId: id, people: [buyer_id, seller_id] });
      }
      return meetings.length;
    });
    if (count < BATCH_ROWS) return;
  }
}
