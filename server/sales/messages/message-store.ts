import { type RawBuilder, sql } from 'kysely';
import { type Page, type PageRequest, rowsToRead, toPage } from '#server/platform/database/keyset-page.ts';
import { prepared } from '#server/platform/database/prepared-statements.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';
import { type MessageRow, NOTIFY_UNREAD_AFTER_MS, type Side } from './rules.ts';

interface NewMessage {
  /** The conversation's. */
  id: string;
  /** How many messages there are. */
  messages: number;
  senderId: string;
  side: Side;
  text: string;
  /** In their stored form. */
  photos: readonly string[];
}

/** Appends a message to a locked conversation. The sender has read what was there. */
export async function insertMessage(
  transaction: Transaction,
  { id, messages, side, senderId, text, photos }: NewMessage,
): Promise<{ sequence: number; at: Date }> {
  const sequence = messages + 1;
  const { number, sent_at } = await transaction
    .insertInto('messages')
    .values({ conversation_id: id, sequence, sender_id: senderId, text, photos: [...photos] })
    .returning(['number', 'sent_at'])
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('conversations')
    .set({
      messages: sequence,
      latest_number: number,
      ...(side === 'buyer'
        ? { buyer_read: sequence, buyer_notice_at: null, seller_notice_at: noticeAt('seller') }
        : { seller_read: sequence, seller_notice_at: null, buyer_notice_at: noticeAt('buyer') }),
    })
    .where('id', '=', id)
    .execute();
  return { sequence, at: sent_at };
}

/** When the reader of a new message is told of it. Once told, the reader is not told of more before reading. */
const noticeAt = (side: Side) =>
  sql<Date | null>`case when ${sql.ref(`${side}_told`)} <= ${sql.ref(`${side}_read`)}
    then coalesce(${sql.ref(`${side}_notice_at`)}, now() + ${NOTIFY_UNREAD_AFTER_MS} * interval '1 millisecond') end`;

/** Moves a read mark forward, at most to the latest message. @returns rows changed */
export async function moveReadMark(
  reader: Reader,
  id: string,
  side: Side,
  sequence: number,
): Promise<number> {
  const mark = sql.ref(`${side}_read`);
  const notice = sql.ref(`${side}_notice_at`);
  const { numAffectedRows = 0n } = await sql`
    update conversations
       set ${mark} = least(messages, ${sequence}::int),
           ${notice} = case when messages > ${sequence}::int then ${notice} end
     where id = ${id} and ${mark} < least(messages, ${sequence}::int)`.execute(reader);
  return Number(numAffectedRows);
}

/** Reads a page of those messages of a conversation that meet a condition, newest first. */
async function readMessages(
  reader: Reader,
  conversationId: string,
  condition: RawBuilder<unknown>,
  request: PageRequest,
): Promise<Page<MessageRow>> {
  const { after } = request;
  const isEarlier = after === null ? sql`true` : sql`sequence < ${after}::bigint`;
  const { rows } = await sql<MessageRow>`${prepared}
    select sequence, sender_id, text, photos, sent_at
      from messages
     where conversation_id = ${conversationId} and ${isEarlier} and ${condition}
     order by sequence desc limit ${sql.lit(rowsToRead(request))}`.execute(reader);
  return toPage(rows, request, ({ sequence }) => String(sequence));
}

/** Reads a page of a conversation's messages for a person of it. Others get none. */
export const messagesFor = (reader: Reader, id: string, readerId: string, request: PageRequest) =>
  readMessages(
    reader,
    id,
    sql`exists (select from conversations where id = ${id} and ${readerId} in (buyer_id, seller_id))`,
    request,
  );

/** Reads a page of a conversation's messages up to one. */
export const messagesUntil = (reader: Reader, id: string, until: number, request: PageRequest) =>
  readMessages(reader, id, sql`sequence <= ${until}`, request);

/** Overwrites the texts that a user wrote to people whose accounts have ended as well. */
export async function eraseUnreadableTexts(transaction: Transaction, userId: string): Promise<void> {
  await sql`
    update messages set text = '', photos = '{}'
      from conversations
      join users as buyers on buyers.id = conversations.buyer_id
      join users as sellers on sellers.id = conversations.seller_id
     where conversations.id = messages.conversation_id
       and (conversations.buyer_id = ${userId} or conversations.seller_id = ${userId})
       and buyers.ended_at is not null and sellers.ended_at is not null`.execute(transaction);
}

/** Whether a user has written to somebody whose account has not ended. */
export async function hasReadableMessages(transaction: Transaction, userId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('messages')
    .select('number')
    .where('sender_id', '=', userId)
    .where('text', '<>', '')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return row !== undefined;
}
