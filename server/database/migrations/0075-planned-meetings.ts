import { type Kysely, sql } from 'kysely';

/**
 * Whether the two people of a meeting still plan to meet: it was not cancelled, the buyer's booking can be paid or is paid,
 * and since the last proposal or answer the laptop was neither handed over nor the sale undone. A meeting for the return of a
 * laptop is proposed after the hand-over, so it is planned.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create function is_planned(meetings) returns boolean language sql stable as $$
      select $1.state <> 'cancelled'
         and exists (
               select from conversations
                 join laptops on laptops.id = conversations.laptop_id
                 join bookings on bookings.laptop_id = conversations.laptop_id
                              and bookings.buyer_id = conversations.buyer_id
                where conversations.id = $1.conversation_id
                  and (bookings.paid_at is not null
                       or bookings.cancelled_at is null and laptops.state in ('available', 'blocked'))
                  and not exists (
                        select from orders join order_events on order_events.order_id = orders.id
                         where orders.booking_id = bookings.id and order_events.happened_at > $1.state_since
                           and (order_events.event in ('hand_over', 'confirm')
                                or orders.state in ('refunded', 'charged_back'))))
    $$`.execute(database);
}
