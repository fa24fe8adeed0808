import { type Kysely, sql } from 'kysely';

/**
 * The buyer and the seller of payments whose accounts were deleted, which bookkeeping must retain. A separate table,
 * because no endpoint reads it.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table bookkeeping (
      transaction_id text not null,
      party text not null check (party in ('buyer', 'seller')),
      name text not null,
      email text not null,
      kept_at timestamptz not null default now(),
      primary key (transaction_id, party)
    );
  `.execute(database);
}
