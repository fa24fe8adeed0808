import { type Kysely, sql } from 'kysely';

/**
 * A booking's agreed price follows the laptop's price down (decision 42). A trigger does it, so that a price that a process of
 * the previous version lowers counts as well; that version then asks for an agreement before it takes more. A buyer is told of
 * the price that applied before the lowering, which is no longer in `price_cents`.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table bookings
      -- The agreed price when told_price_cents was told; null when a process of the previous version told it. Without meaning
      -- while told_price_cents is null.
      add column told_agreed_cents integer check (told_agreed_cents > 0);

    create function lower_agreed_prices() returns trigger language plpgsql as $$
      begin
        update bookings
           set price_cents = new.resale_price_cents,
               told_agreed_cents = case when told_price_cents is null then price_cents
                                        else coalesce(told_agreed_cents, price_cents) end,
               told_price_cents = coalesce(told_price_cents, price_cents)
          from (select id from bookings as unpaid
                 where laptop_id = new.id and paid_at is null and cancelled_at is null
                   and price_cents > new.resale_price_cents
                 -- Always in this order, so that two statements cannot wait for each other.
                 order by id for update) as lowered
         where bookings.id = lowered.id;
        return null;
      end
    $$;
    create trigger laptops_price_lowered after update of resale_price_cents on laptops for each row
      when (new.resale_price_cents < old.resale_price_cents)
      execute function lower_agreed_prices();

    create or replace function check_price_of_sale() returns trigger language plpgsql as $$
      begin
        if new.price_cents <> (select resale_price_cents from laptops where id = new.laptop_id) then
          raise exception 'a booking is paid at the price of its laptop'
            using errcode = 'check_violation', constraint = 'paid_at_price_of_laptop', table = 'bookings';
        end if;
        if new.price_cents > old.price_cents then
          raise exception 'a booking is paid at a price to which its buyer agreed'
            using errcode = 'check_violation', constraint = 'paid_at_agreed_price', table = 'bookings';
        end if;
        return new;
      end
    $$;
  `.execute(database);
}
