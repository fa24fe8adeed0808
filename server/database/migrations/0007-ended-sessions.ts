import { type Kysely, sql } from 'kysely';

/** Sessions that have ended at the identity provider, until all their tokens have expired. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table ended_sessions (
      id text primary key check (length(id) between 1 and 300),
      forget_at timestamptz not null
    );
    create index ended_sessions_forget_at on ended_sessions (forget_at);
  `.execute(database);
}
