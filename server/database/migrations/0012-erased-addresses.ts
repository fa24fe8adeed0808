import { type Kysely, sql } from 'kysely';

/** When the account of an address was erased, as long as an ID token of that account may be out. Holds no address. */
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
