import { type Kysely, sql } from 'kysely';

/** Finds the failed items of a queue that are due again without reading those of others. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`create index failed_items_by_queue on failed_items (queue, next_attempt_at)`.execute(database);
}
