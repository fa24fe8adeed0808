import { type Kysely, sql } from 'kysely';

/** Lets the shop compute all levels again: a listing no longer counts as measured without processor and memory. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`delete from battery_floors`.execute(database);
}
