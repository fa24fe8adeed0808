import { type Kysely, sql } from 'kysely';

/** When an address's account was erased, while an ID token of that account may be valid. Stores hashes only. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table erased_addresses (
      email_sha256 text primary key check (length(email_sha256) = 64),
      erased_at timestamptz not null,
      forget_at timestamptz not null
    );
    create index erased_addresses_forget_at on erased_addresses (forget_at);
  `.execute(database);
}
