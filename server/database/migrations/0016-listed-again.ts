import { type Kysely, sql } from 'kysely';

/** Laptops that are listed again after their withdrawal. They get a new number, which orders the lists. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    -- The search index knows laptops by number: it removes these, also if it missed the withdrawal before.
    create table retired_laptop_numbers (
      number bigint primary key,
      changed_in xid8 not null default pg_current_xact_id()
    );
    create index retired_laptop_numbers_by_change on retired_laptop_numbers (changed_in);
    create index laptops_withdrawn_by_seller on laptops (seller_id, number desc) where state = 'withdrawn';
    create index reports_that_took_down on reports (laptop_id) where resolution = 'taken_down';
  `.execute(database);
}
