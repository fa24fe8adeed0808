import { type Kysely, sql } from 'kysely';

/** The used part of each quota; `server/http/limits.ts` describes the algorithm. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table rate_limits (
      key text primary key,
      empty_at timestamptz not null
    );
  `.execute(database);
}
