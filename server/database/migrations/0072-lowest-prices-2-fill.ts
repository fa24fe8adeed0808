import { type Kysely, sql } from 'kysely';

/**
 * Lowers the agreed prices of the bookings from before the trigger: to the laptop's price, or to the last one of which the
 * buyer was told, if that is lower. A raised price that the previous version told without asking for an agreement stays payable.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    with changed as materialized (
      select bookings.id from bookings join laptops on laptops.id = laptop_id
       where paid_at is null and cancelled_at is null
         and (told_price_cents is not null or price_cents > resale_price_cents)
       order by bookings.id for update of bookings
    )
    update bookings
       set price_cents = least(price_cents, told_price_cents, resale_price_cents),
           told_agreed_cents = least(price_cents, told_price_cents),
           told_price_cents = coalesce(told_price_cents, price_cents)
      from laptops, changed
     where bookings.id = changed.id and laptops.id = laptop_id
  `.execute(database);
}
