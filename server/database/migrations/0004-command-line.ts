import { type Kysely, sql } from 'kysely';

/** What is done from the command line is on record too: by nobody who has an account. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`alter table audit_entries alter column admin_id drop not null`.execute(database);
}
