import { type Kysely, sql } from 'kysely';

/**
 * Laptops whose seller changes them while they are for sale. A sale has the laptop's present price, to which the booking's
 * buyer has agreed. The previous version, which does not set the booking's price, fails to settle a payment after the price
 * was lowered and tries again until this version has replaced it.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table laptops
      -- Counts the edits: an edit names the version that its form was filled with.
      add column version integer not null default 1 check (version > 0),
      -- The version with which the price last changed.
      add column price_version integer not null default 1 check (price_version > 0),
      add column edited_at timestamptz,
      add constraint price_version_exists check (price_version <= version);
    alter table bookings
      -- The last price of which the buyer was told by email; null when the buyer knows no other than price_cents.
      add column told_price_cents integer check (told_price_cents > 0);

    alter table refunds
      drop constraint refunds_reason_check,
      add constraint refunds_reason_check check (
        reason in ('sold_to_another', 'left_the_shop', 'booking_cancelled', 'paid_twice', 'wrong_amount', 'price_changed')
      );

    create function keep_price_of_sale() returns trigger language plpgsql as $$
      begin
        raise exception 'the price of a sale stays'
          using errcode = 'check_violation', constraint = 'price_of_sale_stays', table = tg_table_name;
      end
    $$;
    create trigger sold_laptops_keep_price before update of resale_price_cents on laptops for each row
      when (old.state = 'sold' and new.resale_price_cents <> old.resale_price_cents)
      execute function keep_price_of_sale();
    create trigger paid_bookings_keep_price before update of price_cents on bookings for each row
      when (old.paid_at is not null and new.price_cents <> old.price_cents)
      execute function keep_price_of_sale();

    create function check_price_of_sale() returns trigger language plpgsql as $$
      begin
        if new.price_cents <> (select resale_price_cents from laptops where id = new.laptop_id) then
          raise exception 'a booking is paid at the price of its laptop'
            using errcode = 'check_violation', constraint = 'paid_at_price_of_laptop', table = 'bookings';
        end if;
        return new;
      end
    $$;
    create trigger bookings_paid_at_price before update of paid_at on bookings for each row
      when (old.paid_at is null and new.paid_at is not null)
      execute function check_price_of_sale();
  `.execute(database);
}
