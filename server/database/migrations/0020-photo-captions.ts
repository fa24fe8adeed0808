import { type Kysely, sql } from 'kysely';

/** Captions of photos, keyed by the entries of `laptops.images`, so that a reordered or removed photo needs no change. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table laptops
      add column photo_captions jsonb not null default '{}' check (jsonb_typeof(photo_captions) = 'object');
  `.execute(database);
}
