import { type RawBuilder, sql } from 'kysely';
import { COUNTED_CONVERSATIONS, MAXIMUM_UNREAD } from '#contract/sales/messages.ts';
import { type Page, type PageRequest, rowsToRead, toPage } from '#server/platform/database/keyset-page.ts';
import { prepared } from '#server/platform/database/prepared-statements.ts';
import type { Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import type { ConversationRow } from './rules.ts';

/** Joins conversations with what a response shows. @param readerId the person for whom the unread ones are counted */
const joined = (conversations: RawBuilder<unknown>, readerId: string) => sql<ConversationRow>`
  select conversations.id, conversations.laptop_id, conversations.buyer_id, conversations.seller_id,
         conversations.messages, conversations.latest_number, conversations.buyer_read, conversations.seller_read,
         laptops.name as laptop_name, laptops.brand as laptop_brand, laptops.images as laptop_images,
         buyers.name as buyer_name, buyers.ended_at as buyer_ended_at, buyers.email_verified as buyer_email_verified,
         sellers.name as seller_name, sellers.ended_at as seller_ended_at, sellers.email_verified as seller_email_verified,
         seller_sums.reviews as seller_reviews, seller_sums.stars as seller_stars,
         buyer_sums.buyer_reviews, buyer_sums.buyer_stars,
         latest.sender_id as latest_sender_id, latest.text as latest_text, latest.sent_at as latest_at,
         meetings.id as meeting_id, meetings.place as meeting_place, meetings.starts_at as meeting_at,
         meetings.state as meeting_state, meetings.proposer_id as meeting_proposer_id,
         bookings.location as booked_place,
         bookings.id is not null
           or exists (select from bookings as ended
                       where ended.laptop_id = conversations.laptop_id and ended.buyer_id = conversations.buyer_id
                         and ended.ended_at is not null) as is_booked,
         case when orders.id is null then bookings.id is not null and laptops.state in ('available', 'blocked')
              else orders.state not in ('refunded', 'charged_back') end as is_sale_possible,
         coalesce(bookings.delivery = 'ship' and orders.delivered_at is null, false) as is_by_parcel,
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
    left join bookings
      on bookings.laptop_id = conversations.laptop_id and bookings.buyer_id = conversations.buyer_id
     and bookings.cancelled_at is null and bookings.ended_at is null
    left join orders on orders.booking_id = bookings.id
    left join reputations as buyer_sums on buyer_sums.user_id = conversations.buyer_id
    left join reputations as seller_sums on seller_sums.user_id = conversations.seller_id
    left join meetings
      on meetings.conversation_id = conversations.id and meetings.state <> 'cancelled' and is_planned(meetings)
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

/** A user's conversations with messages or meetings, as buyer or seller, those with the latest ones first. */
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

/** Counts a user's latest conversations with messages that the user has neither read nor been told of. */
export async function countUnnotified(reader: Reader, userId: string): Promise<number> {
  const latest = (column: 'buyer_id' | 'seller_id', noticeAt: 'buyer_notice_at' | 'seller_notice_at') => sql`
    (select ${sql.ref(noticeAt)} as notice_at from conversations
      where ${sql.ref(column)} = ${userId} and latest_number is not null
      order by latest_number desc limit ${sql.lit(COUNTED_CONVERSATIONS)})`;
  const { rows } = await sql<{ count: number }>`
    select count(notice_at)::int as count
      from (${latest('buyer_id', 'buyer_notice_at')} union all ${latest('seller_id', 'seller_notice_at')}) as own`.execute(
    reader,
  );
  return rows[0]?.count ?? 0;
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

/** Deletes the blocks that a user has set. */
export async function deleteBlocksBy(transaction: Transaction, userId: string): Promise<void> {
  await transaction.deleteFrom('message_blocks').where('blocker_id', '=', userId).execute();
}
