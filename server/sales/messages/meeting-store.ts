import { sql } from 'kysely';
import type { Reader, Row, Transaction } from '#server/platform/database/tables.ts';

/**
 * Stores a proposal instead of the present meeting, and lists the conversation before the others. The conversation must be locked.
 * @returns its id
 */
export async function replaceMeeting(
  transaction: Transaction,
  meeting: Pick<Row<'meetings'>, 'conversation_id' | 'proposer_id' | 'place' | 'starts_at'>,
): Promise<string> {
  await sql`
    update meetings set state = 'cancelled', state_since = now()
     where conversation_id = ${meeting.conversation_id} and state <> 'cancelled'`.execute(transaction);
  await sql`
    update conversations set latest_number = nextval(pg_get_serial_sequence('messages', 'number'))
     where id = ${meeting.conversation_id}`.execute(transaction);
  const { id } = await transaction
    .insertInto('meetings')
    .values(meeting)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** How many meetings a person has proposed in a conversation within 24 hours, counted up to `limit`. */
export async function countProposedToday(
  reader: Reader,
  { conversationId, proposerId }: Readonly<Record<'conversationId' | 'proposerId', string>>,
  limit: number,
): Promise<number> {
  const rows = await reader
    .selectFrom('meetings')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where('proposer_id', '=', proposerId)
    // `state_since` is the time of the proposal or of a later answer, so an older proposal answered today counts too.
    .where('state_since', '>', sql<Date>`now() - interval '1 day'`)
    .limit(sql.lit(limit))
    .execute();
  return rows.length;
}

/** Finds a meeting. */
export function findMeeting(reader: Reader, id: string): Promise<Row<'meetings'> | undefined> {
  return reader.selectFrom('meetings').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Changes the state of a meeting of a locked conversation. */
export async function setMeetingState(
  transaction: Transaction,
  id: string,
  state: 'agreed' | 'cancelled',
): Promise<void> {
  await transaction
    .updateTable('meetings')
    .set({ state, state_since: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** A meeting with its two people. */
export interface MeetingToRemind {
  id: string;
  buyer_id: string;
  seller_id: string;
}

/**
 * Takes agreed meetings that begin within a day, so that each is taken once. One that was agreed on within that day is not taken:
 * both people know of it.
 */
export async function takeMeetingsToRemind(
  transaction: Transaction,
  now: Date,
  limit: number,
): Promise<MeetingToRemind[]> {
  const { rows } = await sql<MeetingToRemind>`
    update meetings set reminded_at = ${now}
      from conversations
     where conversations.id = meetings.conversation_id
       and meetings.id in (select id from meetings
                            where state = 'agreed' and reminded_at is null
                              and starts_at between ${now} and ${now}::timestamptz + interval '1 day'
                              and state_since < starts_at - interval '1 day'
                            order by starts_at limit ${sql.lit(limit)} for update skip locked)
    returning meetings.id, conversations.buyer_id, conversations.seller_id`.execute(transaction);
  return rows;
}

/** Cancels the meetings of a user and removes the places that the user has named. */
export async function removeMeetingsOf(transaction: Transaction, userId: string): Promise<void> {
  await sql`
    update meetings set state = 'cancelled', state_since = now()
      from conversations
     where conversations.id = meetings.conversation_id and meetings.state <> 'cancelled'
       and (conversations.buyer_id = ${userId} or conversations.seller_id = ${userId})`.execute(transaction);
  await sql`update meetings set place = '' where proposer_id = ${userId} and place <> ''`.execute(
    transaction,
  );
}
