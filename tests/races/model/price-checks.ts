import type { TestShop } from '#tests/harness/operations/shop.ts';

/**
 * Installs triggers that follow the price of each booking by themselves: that of the booking, or of the last agreement, or the
 * lowest price of the laptop since. They record every sale above it. Their names sort after those of the shop's triggers,
 * which run before them.
 */
export async function installPriceChecks({ connection }: TestShop): Promise<void> {
  await connection.pool.query(`
    create table known_prices (booking_id uuid primary key, cents integer not null);
    create table price_violations (message text not null);

    create function follow_booking() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' or old.booked_at <> new.booked_at or new.price_cents > old.price_cents then
          if new.price_cents <> (select resale_price_cents from laptops where id = new.laptop_id) then
            insert into price_violations values (new.id || ' agreed to another price than the laptop''s.');
          end if;
          insert into known_prices values (new.id, new.price_cents)
            on conflict (booking_id) do update set cents = excluded.cents;
        end if;
        return null;
      end
    $$;
    create trigger z_follow_booking after insert or update on bookings for each row execute function follow_booking();

    create function follow_order() returns trigger language plpgsql as $$
      begin
        if new.price_cents > (select cents from known_prices where known_prices.booking_id = new.booking_id) then
          insert into price_violations
            values (new.booking_id || ' was paid at ' || new.price_cents || ' without an agreement.');
        end if;
        return null;
      end
    $$;
    create trigger z_follow_order after insert on orders for each row execute function follow_order();

    create function follow_laptop() returns trigger language plpgsql as $$
      begin
        update known_prices set cents = least(cents, new.resale_price_cents)
          from bookings where bookings.id = known_prices.booking_id and laptop_id = new.id
           and not exists (select from orders where orders.booking_id = bookings.id);
        return null;
      end
    $$;
    create trigger z_follow_laptop after update of resale_price_cents on laptops for each row
      execute function follow_laptop()`);
}

/** Lists the violations found by {@link installPriceChecks}. */
export async function findPriceViolations({ connection }: TestShop): Promise<string[]> {
  const { rows } = await connection.pool.query<{ message: string }>('select message from price_violations');
  return rows.map(({ message }) => message);
}
