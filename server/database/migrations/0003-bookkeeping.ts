import { type Kysely, sql } from 'kysely';

/**
 * Who paid and who was paid, of accounts whose people have had everything else about them removed. Apart from the
 * shop's other tables, because no call reads it.
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
