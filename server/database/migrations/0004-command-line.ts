import { type Kysely, sql } from 'kysely';

/** Actions from the command line are audited too, without an admin's account. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`alter table audit_entries alter column admin_id drop not null`.execute(database);
}
