import { type Kysely, sql } from 'kysely';

/**
 * Whether the identity provider has verified the account's email address. False until the account's next sign-in or token
 * states otherwise.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`alter table users add column email_verified boolean not null default false`.execute(database);
}
