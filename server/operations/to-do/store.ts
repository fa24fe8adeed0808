import { type RawBuilder, sql } from 'kysely';
import { MAXIMUM_TO_DO, type ToDoKind } from '#contract/operations/to-do.ts';
import type { StaffArea } from '#contract/platform/staff-rights.ts';
import { COUNTED_CONVERSATIONS } from '#contract/sales/messages.ts';
import { LATE_DAYS } from '#contract/sales/shipping.ts';
import { isRefundWithheld } from '#server/money/refunds/steps.ts';
import { prepared } from '#server/platform/database/prepared-statements.ts';
import type { Reader } from '#server/platform/database/tables.ts';
import { isClaim } from '#server/sales/orders/steps.ts';
import { isLate } from '#server/sales/shipping/steps.ts';
import type { ToDoRow } from './rules.ts';

const limit = sql.lit(MAXIMUM_TO_DO);

/** A conversation counts as unanswered when its seller wrote none of so many latest messages. */
const RECENT_MESSAGES = sql.lit(20);

const news = sql`parcel_news(orders, ${sql.lit(LATE_DAYS)})`;

/**
 * The orders in which it is this user's turn, with the meeting on which both agreed. Before a hand-over the turn ends with a proposal to
 * meet: its answer waits for the other person, as an item of {@link conversations}, until it is given or the proposed time has come.
 */
const orders = (userId: string): RawBuilder<unknown> => sql`
  select own.kind, own.id, laptops.name as laptop, people.name as person, own.due_at as until, meetings.starts_at as meeting_at
    from ((select id, laptop_id, buyer_id, seller_id as person_id, due_at,
                  case state when 'held' then 'show_code' when 'shipped' then 'receive_parcel' when 'delivered' then 'look_at_laptop'
                             when 'offered' then 'answer_offer' else 'return_laptop' end as kind
             from orders where buyer_id = ${userId} and state in ('held', 'shipped', 'delivered', 'offered', 'awaiting_return')
              -- Of a parcel that does not come, a buyer has nothing to say; nor is there a way to send one without an address.
              and coalesce(${news} not in ('return_to_sender', 'failure', 'no_return_address'), true)
            order by due_at limit ${limit})
          union all
          (select id, laptop_id, buyer_id, buyer_id, due_at,
                  case state when 'held' then 'hand_over' when 'to_ship' then 'send_parcel'
                             when 'complaint' then 'answer_complaint' when 'awaiting_return' then 'give_return_address'
                             else 'confirm_return' end
             from orders where seller_id = ${userId}
              and state in ('held', 'to_ship', 'complaint', 'awaiting_return', 'return_reported')
              and (state <> 'awaiting_return' or ${news} = 'no_return_address')
            order by due_at limit ${limit})) as own
    join laptops on laptops.id = own.laptop_id
    join users as people on people.id = own.person_id
    left join conversations on conversations.laptop_id = own.laptop_id and conversations.buyer_id = own.buyer_id
    left join meetings
      on meetings.conversation_id = conversations.id and meetings.state = 'agreed' and is_planned(meetings)
   where own.kind not in ('show_code', 'hand_over') or people.ended_at is not null
      or not exists (select from meetings as proposed
                      where proposed.conversation_id = conversations.id and proposed.state = 'proposed'
                        and proposed.starts_at > now() and is_planned(proposed)
                        -- Of a blocked person no proposal is listed.
                        and (proposed.proposer_id = ${userId}
                             or not exists (select from message_blocks
                                             where blocker_id = ${userId} and blocked_id = own.person_id)))`;

/** The user's latest bookings that can be paid, or could after an agreement to the new price. */
const bookings = (userId: string): RawBuilder<unknown> => sql`
  select case when laptops.resale_price_cents > own.price_cents then 'agree_to_price' else 'pay' end,
         own.id, laptops.name, people.name, payment_windows.expires_at, null::timestamptz
    from (select id, laptop_id, seller_id, price_cents, cancelled_at, ended_at from bookings
           where buyer_id = ${userId} order by number desc limit ${limit}) as own
    join laptops on laptops.id = own.laptop_id and laptops.state = 'available'
    join users as people on people.id = own.seller_id and people.ended_at is null
    left join payment_windows on payment_windows.booking_id = own.id and payment_windows.expires_at > now()
   where own.cancelled_at is null and own.ended_at is null
     and not exists (select from orders where booking_id = own.id)`;

/** The user's latest conversations, without those that the user has blocked, with what waits in them. */
const conversations = (userId: string): RawBuilder<unknown> => {
  const latest = (column: 'buyer_id' | 'seller_id') => sql`
    (select id, laptop_id, buyer_id, seller_id, messages, buyer_read, seller_read from conversations
      where ${sql.ref(column)} = ${userId} and latest_number is not null
      order by latest_number desc limit ${sql.lit(COUNTED_CONVERSATIONS)})`;
  return sql`
    select waiting.kind, own.id, laptops.name, people.name, waiting.at, waiting.at
      from (select *, case when buyer_id = ${userId} then seller_id else buyer_id end as person_id,
                   case when buyer_id = ${userId} then buyer_read else seller_read end as own_read
              from (${latest('buyer_id')} union all ${latest('seller_id')}) as latest) as own
      join laptops on laptops.id = own.laptop_id
      join users as people on people.id = own.person_id and people.ended_at is null
      cross join lateral (
        select 'answer_meeting' as kind, starts_at as at from meetings
         where conversation_id = own.id and state = 'proposed' and proposer_id <> ${userId} and starts_at > now()
           and is_planned(meetings)
        union all
        select case when own.seller_id = ${userId} then 'answer_question' else 'read_message' end, null
          from messages
         where conversation_id = own.id and sequence = own.messages and sender_id <> ${userId}
           and (own.messages > own.own_read
                or (own.seller_id = ${userId} and laptops.state = 'available'
                    and not exists (select from messages as written
                                     where written.conversation_id = own.id and written.sender_id = ${userId}
                                       and written.sequence > own.messages - ${RECENT_MESSAGES})))
      ) as waiting
     where not exists (select from message_blocks
                        where blocker_id = ${userId} and blocked_id = own.person_id)`;
};

/** What waits for a buyer or a seller, at most {@link MAXIMUM_TO_DO} of each kind, what ends first before the others. */
export async function toDoOf(reader: Reader, userId: string): Promise<ToDoRow[]> {
  const { rows } = await sql<ToDoRow>`${prepared}
    ${orders(userId)} union all ${bookings(userId)} union all ${conversations(userId)}
    order by until`.execute(reader);
  return rows;
}

/** The contested complaints, which an admin decides, what ends first before the others. */
export async function contestedOrders(reader: Reader): Promise<ToDoRow[]> {
  const { rows } = await sql<ToDoRow>`${prepared}
    select 'decide_complaint' as kind, orders.id, laptops.name as laptop, null as person, due_at as until,
           null::timestamptz as meeting_at
      from orders join laptops on laptops.id = orders.laptop_id
     where orders.state = 'contested' order by due_at limit ${limit}`.execute(reader);
  return rows;
}

/** The orders whose payment a bank disputes or asks about, as long as the shop can send evidence, what ends first before the others. */
export async function disputedOrders(reader: Reader): Promise<ToDoRow[]> {
  const { rows } = await sql<ToDoRow>`${prepared}
    select 'answer_dispute' as kind, orders.id, laptops.name as laptop, null as person, evidence_due_at as until,
           null::timestamptz as meeting_at
      from disputes
      join orders on orders.booking_id = disputes.booking_id and orders.transaction_id = disputes.transaction_id
      join laptops on laptops.id = orders.laptop_id
     where closed_at is null and evidence_due_at > now() order by evidence_due_at limit ${limit}`.execute(
    reader,
  );
  return rows;
}

/** The lists of which admins see the number: their area, and the rows that are counted. Each has an index of the open ones. */
const counted: Partial<Record<ToDoKind, readonly [area: StaffArea, rows: RawBuilder<unknown>]>> = {
  resolve_item_report: ['complaints', sql`select from reported_laptops where has_open`],
  resolve_conversation_report: ['complaints', sql`select from message_reports where resolved_at is null`],
  resolve_review_report: ['complaints', sql`select from review_reports where resolution is null`],
  late_parcel: [
    'complaints',
    sql`select from orders join laptops on laptops.id = orders.laptop_id where ${isLate}`,
  ],
  record_claim_payment: [
    'complaints',
    sql`select from labels join orders on orders.id = labels.order_id where claim in ('open', 'paid') and ${isClaim}`,
  ],
  approve_name: ['people', sql`select from waiting_names`],
  decide_waiting_refund: [
    'money',
    sql`select from refunds where state = 'waiting' and not ${isRefundWithheld}`,
  ],
  failed_refund: [
    'money',
    sql`select from refunds where state = 'failed' and reason <> 'unexplained' and not ${isRefundWithheld}`,
  ],
  refused_transfer: ['money', sql`select from transfers where state = 'refused' and is_still_due(transfers)`],
};

/** How much waits in the lists of an admin's areas, each counted up to {@link MAXIMUM_TO_DO}. */
export async function countForAdmins(
  reader: Reader,
  isFor: (area: StaffArea) => boolean,
): Promise<Partial<Record<ToDoKind, number>>> {
  const counts = Object.entries(counted).flatMap(([kind, [area, rows]]) =>
    isFor(area)
      ? [sql`(select count(*)::int from (${rows} limit ${limit}) as rows) as ${sql.ref(kind)}`]
      : [],
  );
  if (counts.length === 0) return {};
  const { rows } = await sql<Partial<Record<ToDoKind, number>>>`${prepared}
    select ${sql.join(counts)}`.execute(reader);
  return rows[0] ?? {};
}
