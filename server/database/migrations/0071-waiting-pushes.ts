import { type Kysely, sql } from 'kysely';

/** The notifications that wait for a browser whose push service does not take them, so that their number is bounded. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`alter table push_subscriptions add column waiting uuid[] not null default '{}'`.execute(database);
}
