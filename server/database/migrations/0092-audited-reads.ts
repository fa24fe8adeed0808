import { type Kysely, sql } from 'kysely';

/** Finds whether an admin has read the same lately, without the admin's other entries. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`create index audit_entries_by_subject on audit_entries (admin_id, subject, created_at)`.execute(
    database,
  );
}
