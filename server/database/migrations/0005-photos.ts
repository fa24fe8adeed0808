import { type Kysely, sql } from 'kysely';

/** The photos of the built-in image host and their states, by which unused photos are found and deleted. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table photos (
      hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
      state text not null default 'waiting' check (state in ('waiting', 'listed', 'leaving', 'gone')),
      since timestamptz not null default now()
    );
    create index photos_in_question on photos (since) where state <> 'listed';
  `.execute(database);
}
