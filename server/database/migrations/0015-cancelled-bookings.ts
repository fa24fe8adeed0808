import { type Kysely, sql } from 'kysely';

/**
 * Bookings that were cancelled while the laptop stays or returns. A cancelled booking is never paid: the previous version,
 * which does not read the column, fails to settle its payment and tries again until this version has replaced it.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table bookings
      add column cancelled_at timestamptz,
      add column cancelled_by text check (cancelled_by in ('buyer', 'withdrawal')),
      add constraint cancelled_by_somebody check ((cancelled_at is null) = (cancelled_by is null)),
      add constraint cancelled_or_paid check (cancelled_at is null or paid_at is null);
    alter table refunds
      drop constraint refunds_reason_check,
      add constraint refunds_reason_check check (
        reason in ('sold_to_another', 'left_the_shop', 'booking_cancelled', 'paid_twice', 'wrong_amount')
      );
  `.execute(database);
}
