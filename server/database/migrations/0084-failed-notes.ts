import { type Kysely, sql } from 'kysely';

/**
 * Items of background work that failed, such as an order whose deadline has passed. Each is tried again later, and the others of its
 * queue meanwhile (`server/jobs/failed-items.ts`). A row is removed when its item succeeds.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table failed_items (
      queue text not null,
      -- The id of the item in its own table.
      item text not null,
      attempts integer not null check (attempts > 0),
      failed_at timestamptz not null,
      next_attempt_at timestamptz not null check (next_attempt_at > failed_at),
      primary key (queue, item)
    );
    create index failed_items_by_time on failed_items (failed_at);
  `.execute(database);
}
