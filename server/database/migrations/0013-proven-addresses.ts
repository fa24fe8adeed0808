import { type Kysely, sql } from 'kysely';

/**
 * Whether the identity provider says that the person receives mail at the account's address. False until the next
 * sign-in or token of the account says otherwise.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`alter table users add column email_verified boolean not null default false`.execute(database);
}
