import { type Kysely, sql } from 'kysely';

/**
 * A bank can take the whole price of an order of which the buyer got a part as goodwill. Then more than the price went back, also while
 * another dispute of the payment keeps the order from being charged back.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table orders
      drop constraint returned_within_price,
      add constraint returned_within_price check (
        goodwill_cents >= 0
        and (state in ('charged_back', 'charge_disputed') or refunded_cents + goodwill_cents <= price_cents)
      )
  `.execute(database);
}
