import { type Kysely, sql } from 'kysely';

/** Measurements of sold laptops before the hand-over, compared with the one that the sale was about. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table same_laptop_checks (
      number bigint generated always as identity primary key,
      order_id uuid not null references orders,
      laptop_id uuid not null references laptops,
      code_sha256 text not null unique check (code_sha256 ~ '^[0-9a-f]{64}$'),
      code_expires_at timestamptz not null,
      checked_at timestamptz,
      result text check (result in ('same', 'different', 'unknown')),
      differences jsonb not null default '[]',
      unread text[] not null default '{}',
      constraint checked_with_result check ((checked_at is null) = (result is null))
    );
    create index same_laptop_checks_of_an_order on same_laptop_checks (order_id, number desc);
    create unique index one_code_per_order on same_laptop_checks (order_id) where checked_at is null;
    create index unused_same_laptop_codes on same_laptop_checks (code_expires_at) where checked_at is null;
  `.execute(database);
}
