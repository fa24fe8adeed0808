import { type Kysely, sql } from 'kysely';

/**
 * A sale is its order (decision 47). A booking reserves: whether it was paid, and whether its sale stands, is what its order says. An
 * order stands until its money went back and its buyer does not have the laptop; then its booking has ended, its buyer can book
 * the laptop again with a new row, and the laptop is the seller's. An order that gave a part of its price back is released or completed.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await endOrders(database);
  await moveSales(database);
  await checkSales(database);
  await planMeetings(database);
}

async function endOrders(database: Kysely<never>): Promise<void> {
  await sql`
    -- A table cannot be altered while triggers wait for the end of the transaction.
    set constraints all immediate;
    alter table orders
      drop constraint refunded_in_part,
      drop constraint each_wait_ends,
      drop constraint orders_state_check,
      drop constraint orders_disputed_in_check;
    update orders set state = 'completed' where state = 'partly_refunded';
    update orders set disputed_in = 'completed' where disputed_in = 'partly_refunded';
    -- Nobody complained in time, or the buyer took a part of the price: the buyer has the laptop.
    update orders set laptop_with_buyer = true where coalesce(disputed_in, state) = 'completed';
    alter table orders
      add constraint orders_state_check check (state in (
        'held', 'complaint', 'offered', 'contested', 'awaiting_return', 'return_reported', 'released', 'charge_disputed',
        'completed', 'refunded', 'charged_back'
      )),
      add constraint orders_disputed_in_check check (disputed_in in (
        'held', 'complaint', 'offered', 'contested', 'awaiting_return', 'return_reported', 'released', 'completed'
      )),
      add constraint each_wait_ends check (
        (due_at is null) = (state in ('charge_disputed', 'completed', 'refunded', 'charged_back'))
      ),
      add column stands boolean not null generated always as (
        laptop_with_buyer or state not in ('refunded', 'charged_back')
      ) stored,
      add constraint order_of_a_laptop unique (id, laptop_id),
      add constraint paid_orders foreign key (transaction_id) references payments (transaction_id);
    drop index one_order_per_laptop;
    create unique index one_order_per_laptop on orders (laptop_id) where stands;
    alter table complaints
      drop constraint complaints_kind_check,
      add constraint complaints_kind_check check (
        kind in ('not_as_described', 'locked', 'does_not_work', 'not_handed_over', 'not_taken')
      );
  `.execute(database);
}

/** Moves what bookings and laptops say about sales to orders. */
async function moveSales(database: Kysely<never>): Promise<void> {
  await sql`
    drop trigger bookings_paid_at_price on bookings;
    drop trigger paid_bookings_keep_price on bookings;
    alter table orders drop constraint orders_booking_id_transaction_id_fkey;
    alter table payments
      drop constraint payments_booking_id_transaction_id_fkey,
      add foreign key (booking_id) references bookings;
    alter table laptops
      drop constraint sold_to_a_booker,
      add column sold_order_id uuid;
    update laptops set sold_order_id = orders.id from orders where orders.laptop_id = laptops.id and stands and laptops.state = 'sold';
    -- Charged back before the hand-over: it is still with its seller.
    update laptops set state = 'withdrawn', sold_to_id = null where state = 'sold' and sold_order_id is null;
    alter table laptops
      drop column sold_to_id,
      add constraint sold_in_an_order check ((state = 'sold') = (sold_order_id is not null)),
      add constraint sold_in_its_order foreign key (sold_order_id, id) references orders (id, laptop_id);

    alter table bookings
      drop column paid_at,
      drop column transaction_id,
      drop constraint booked_once,
      -- When its sale ended and the laptop was the seller's again.
      add column ended_at timestamptz;
    update bookings set ended_at = orders.state_since from orders where orders.booking_id = bookings.id and not stands;
    create unique index booked_once on bookings (buyer_id, laptop_id) where ended_at is null;
  `.execute(database);
}

async function checkSales(database: Kysely<never>): Promise<void> {
  await sql`
    create function check_sold_booking() returns trigger language plpgsql as $$
      begin
        if exists (select from orders where booking_id = new.id) then
          raise exception 'a booking that was paid keeps its price and is not cancelled'
            using errcode = 'check_violation', constraint = 'price_of_sale_stays', table = 'bookings';
        end if;
        return new;
      end
    $$;
    create trigger paid_bookings_stay before update of price_cents, cancelled_at on bookings for each row
      when (new.price_cents <> old.price_cents or new.cancelled_at is distinct from old.cancelled_at)
      execute function check_sold_booking();

    drop function check_price_of_sale;
    create function check_sale() returns trigger language plpgsql as $$
      declare
        booking bookings := (select bookings from bookings where id = new.booking_id);
      begin
        if new.price_cents <> (select resale_price_cents from laptops where id = new.laptop_id) then
          raise exception 'a booking is paid at the price of its laptop'
            using errcode = 'check_violation', constraint = 'paid_at_price_of_laptop', table = 'orders';
        end if;
        if new.price_cents > booking.price_cents then
          raise exception 'a booking is paid at a price to which its buyer agreed'
            using errcode = 'check_violation', constraint = 'paid_at_agreed_price', table = 'orders';
        end if;
        if booking.cancelled_at is not null or booking.ended_at is not null or booking.buyer_id <> new.buyer_id then
          raise exception 'an order is opened for a booking of its buyer that is open'
            using errcode = 'check_violation', constraint = 'open_bookings_are_paid', table = 'orders';
        end if;
        return new;
      end
    $$;
    create trigger orders_of_open_bookings before insert on orders for each row execute function check_sale();

    create or replace function lower_agreed_prices() returns trigger language plpgsql as $$
      begin
        update bookings
           set price_cents = new.resale_price_cents,
               told_agreed_cents = case when told_price_cents is null then price_cents
                                        else coalesce(told_agreed_cents, price_cents) end,
               told_price_cents = coalesce(told_price_cents, price_cents)
          from (select id from bookings as unpaid
                 where laptop_id = new.id and cancelled_at is null and price_cents > new.resale_price_cents
                   and not exists (select from orders where booking_id = unpaid.id)
                 -- Always in this order, so that two statements cannot wait for each other.
                 order by id for update) as lowered
         where bookings.id = lowered.id;
        return null;
      end
    $$;
  `.execute(database);
}

/**
 * A meeting is planned from its proposal until the laptop is handed over or its sale is undone, and counts for the booking that its
 * buyer had then.
 */
async function planMeetings(database: Kysely<never>): Promise<void> {
  await sql`
    create or replace function is_planned(meetings) returns boolean language sql stable as $$
      select $1.state <> 'cancelled'
         and exists (
               select from conversations
                 join laptops on laptops.id = conversations.laptop_id
                 join bookings on bookings.laptop_id = conversations.laptop_id
                              and bookings.buyer_id = conversations.buyer_id
                              and bookings.ended_at is null
                 left join orders on orders.booking_id = bookings.id
                where conversations.id = $1.conversation_id
                  and bookings.booked_at <= $1.state_since
                  and case when orders.id is null
                           then bookings.cancelled_at is null and laptops.state in ('available', 'blocked')
                           else orders.state not in ('refunded', 'charged_back') end
                  and not exists (
                        select from order_events
                         where order_events.order_id = orders.id and order_events.happened_at > $1.state_since
                           and order_events.event in ('hand_over', 'confirm')))
    $$`.execute(database);
}
