import { type RawBuilder, sql } from 'kysely';
import { MAXIMUM_UNREAD } from '#contract/messages.ts';
import { type Page, type PageRequest, rowsToRead, toPage } from '../database/page.ts';
import { prepared } from '../database/prepared.ts';
import type { Reader, Row, Transaction } from '../database/tables.ts';
import type { ConversationRow, MessageRow, Side } from './rules.ts';

/** Joins conversations with what a response shows. @param readerId the person for whom the unread ones are counted */
const joined = (conversations: RawBuilder<unknown>, readerId: string) => sql<ConversationRow>`
  select conversations.id, conversations.laptop_id, conversations.buyer_id, conversations.seller_id,
         conversations.messages, conversations.latest_number, conversations.buyer_read, conversations.seller_read,
         laptops.name as laptop_name, laptops.images as laptop_images,
         buyers.name as buyer_name, buyers.ended_at as buyer_ended_at,
         sellers.name as seller_name, sellers.ended_at as seller_ended_at,
         latest.sender_id as latest_sender_id, latest.text as latest_text, latest.sent_at as latest_at,
         exists (select from bookings
                  where bookings.laptop_id = conversations.laptop_id and bookings.buyer_id = conversations.buyer_id
                    and bookings.cancelled_at is null) as is_booked,
         exists (select from message_blocks
                  where blocker_id = conversations.buyer_id and blocked_id = conversations.seller_id) as buyer_blocks,
         exists (select from message_blocks
                  where blocker_id = conversations.seller_id and blocked_id = conversations.buyer_id) as seller_blocks,
         (select count(*)::int
            from (select sender_id from messages
                   where conversation_id = conversations.id
                     and sequence > case when conversations.buyer_id = ${readerId} then conversations.buyer_read
                                         else conversations.seller_read end
                   limit ${sql.lit(MAXIMUM_UNREAD + 1)}) as later
           where sender_id <> ${readerId}) as unread
    from ${conversations} as conversations
    join laptops on laptops.id = conversations.laptop_id
    join users as buyers on buyers.id = conversations.buyer_id
    join users as sellers on sellers.id = conversations.seller_id
    left join messages as latest
      on latest.conversation_id = conversations.id and latest.sequence = conversations.messages`;

/** Finds a conversation. @param readerId the person for whom the unread messages are counted */
export async function findConversation(
  reader: Reader,
  id: string,
  readerId: string,
): Promise<ConversationRow | undefined> {
  const { rows } = await sql<ConversationRow>`${prepared}
    ${joined(sql`(select * from conversations where id = ${id})`, readerId)}`.execute(reader);
  return rows[0];
}

/** A user's conversations that have messages, as buyer or seller, those with the latest messages first. */
export async function conversationsOf(
  reader: Reader,
  userId: string,
  request: PageRequest,
): Promise<Page<ConversationRow>> {
  const { after } = request;
  const isLater = after === null ? sql`true` : sql`latest_number < ${after}`;
  const limit = sql.lit(rowsToRead(request));
  // A branch for each index, because an `or` would read and sort all conversations.
  const branch = (column: 'buyer_id' | 'seller_id') => sql`
    (select * from conversations where ${sql.ref(column)} = ${userId} and latest_number is not null and ${isLater}
      order by latest_number desc limit ${limit})`;
  const page = sql`(
    select * from (${branch('buyer_id')} union all ${branch('seller_id')}) as own
     order by latest_number desc limit ${limit})`;
  const { rows } = await sql<ConversationRow>`
    ${joined(page, userId)} order by conversations.latest_number desc`.execute(reader);
  return toPage(rows, request, ({ latest_number }) => latest_number ?? '0');
}

/** The two people of a conversation. */
export function findPeople(
  reader: Reader,
  id: string,
): Promise<Pick<Row<'conversations'>, 'buyer_id' | 'seller_id'> | undefined> {
  return reader
    .selectFrom('conversations')
    .select(['buyer_id', 'seller_id'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Locks a conversation until the transaction ends. Both accounts must be locked before. */
export async function lockConversation(transaction: Transaction, id: string): Promise<void> {
  await transaction.selectFrom('conversations').select('id').where('id', '=', id).forUpdate().execute();
}

/** Locks all conversations of two people until the transaction ends. */
export async function lockConversationsOf(
  transaction: Transaction,
  people: readonly [string, string],
): Promise<void> {
  await transaction
    .selectFrom('conversations')
    .select('id')
    .where('seller_id', 'in', people)
    .where('buyer_id', 'in', people)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** The id of the conversation of a buyer about a laptop. */
export async function findByLaptop(
  reader: Reader,
  laptopId: string,
  buyerId: string,
): Promise<string | undefined> {
  const row = await reader
    .selectFrom('conversations')
    .select('id')
    .where('laptop_id', '=', laptopId)
    .where('buyer_id', '=', buyerId)
    .executeTakeFirst();
  return row?.id;
}

/** Inserts a conversation. @returns its id, also when it existed */
export async function insertConversation(
  transaction: Transaction,
  conversation: Pick<Row<'conversations'>, 'laptop_id' | 'buyer_id' | 'seller_id'>,
): Promise<string> {
  const { id } = await transaction
    .insertInto('conversations')
    .values(conversation)
    // Waits for a concurrent insert, and returns its row.
    .onConflict((conflict) =>
      conflict.constraint('conversations_once').doUpdateSet({ seller_id: conversation.seller_id }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Whether a buyer has not cancelled a booking of a laptop. */
export async function hasBooked(reader: Reader, laptopId: string, buyerId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('bookings')
    .select('id')
    .where('laptop_id', '=', laptopId)
    .where('buyer_id', '=', buyerId)
    .where('cancelled_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** How many conversations a buyer has opened within 24 hours, counted up to `limit`. */
export async function countOpenedToday(reader: Reader, buyerId: string, limit: number): Promise<number> {
  const rows = await reader
    .selectFrom('conversations')
    .select('id')
    .where('buyer_id', '=', buyerId)
    .where('opened_at', '>', sql<Date>`now() - interval '1 day'`)
    .limit(sql.lit(limit))
    .execute();
  return rows.length;
}

/** Whether one of two people has blocked the other. */
export async function isBlocked(reader: Reader, [one, other]: readonly [string, string]): Promise<boolean> {
  const row = await reader
    .selectFrom('message_blocks')
    .select('blocker_id')
    .where('blocker_id', 'in', [one, other])
    .where('blocked_id', 'in', [one, other])
    .executeTakeFirst();
  return row !== undefined;
}

/** Appends a message to a locked conversation. The sender has read what was there. */
export async function insertMessage(
  transaction: Transaction,
  {
    id,
    messages,
    side,
    senderId,
    text,
  }: Readonly<Record<'id' | 'senderId' | 'text', string>> & {
    /** How many messages there are. */
    messages: number;
    side: Side;
  },
): Promise<{ sequence: number; at: Date }> {
  const sequence = messages + 1;
  const { number, sent_at } = await transaction
    .insertInto('messages')
    .values({ conversation_id: id, sequence, sender_id: senderId, text })
    .returning(['number', 'sent_at'])
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('conversations')
    .set({
      messages: sequence,
      latest_number: number,
      ...(side === 'buyer' ? { buyer_read: sequence } : { seller_read: sequence }),
    })
    .where('id', '=', id)
    .execute();
  return { sequence, at: sent_at };
}

/** Moves a read mark forward, at most to the latest message. @returns rows changed */
export async function moveReadMark(
  reader: Reader,
  id: string,
  [side, sequence]: readonly [side: Side, sequence: number],
): Promise<number> {
  const mark = sql.ref(side === 'buyer' ? 'buyer_read' : 'seller_read');
  const { numAffectedRows = 0n } = await sql`
    update conversations set ${mark} = least(messages, ${sequence}::int)
     where id = ${id} and ${mark} < least(messages, ${sequence}::int)`.execute(reader);
  return Number(numAffectedRows);
}

/** Blocks or unblocks a person. @returns rows changed */
export async function writeBlock(
  transaction: Transaction,
  { blockerId, blockedId }: Readonly<Record<'blockerId' | 'blockedId', string>>,
  blocked: boolean,
): Promise<number> {
  if (blocked) {
    const { numInsertedOrUpdatedRows = 0n } = await transaction
      .insertInto('message_blocks')
      .values({ blocker_id: blockerId, blocked_id: blockedId })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return Number(numInsertedOrUpdatedRows);
  }
  const { numDeletedRows } = await transaction
    .deleteFrom('message_blocks')
    .where('blocker_id', '=', blockerId)
    .where('blocked_id', '=', blockedId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * A page of a conversation's messages, newest first.
 * @param readerId only a person of the conversation gets messages
 */
export async function messagesOf(
  reader: Reader,
  [conversationId, readerId]: readonly [conversationId: string, readerId: string],
  request: PageRequest,
): Promise<Page<MessageRow>> {
  const { after } = request;
  const isEarlier = after === null ? sql`true` : sql`messages.sequence < ${after}::bigint`;
  const { rows } = await sql<MessageRow>`${prepared}
    select messages.sequence, messages.sender_id, messages.sent_at, messages.text
      from messages
     where messages.conversation_id = ${conversationId} and ${isEarlier}
       and exists (select from conversations
                    where conversations.id = ${conversationId} and ${readerId} in (buyer_id, seller_id))
     order by messages.sequence desc limit ${sql.lit(rowsToRead(request))}`.execute(reader);
  return toPage(rows, request, ({ sequence }) => String(sequence));
}

/** Deletes the blocks that a user has set. */
export async function deleteBlocksBy(transaction: Transaction, userId: string): Promise<void> {
  await transaction.deleteFrom('message_blocks').where('blocker_id', '=', userId).execute();
}

/** Overwrites the texts that a user wrote to people whose accounts have ended as well. */
export async function eraseUnreadableTexts(transaction: Transaction, userId: string): Promise<void> {
  await sql`
    update messages set text = ''
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
