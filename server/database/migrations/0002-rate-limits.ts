import { type Kysely, sql } from 'kysely';

/** How much of its allowance somebody has used up; `server/http/limits.ts` says how it is counted. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table rate_limits (
      key text primary key,
      empty_at timestamptz not null
    );
  `.execute(database);
}
