import { type Kysely, sql } from 'kysely';

/** Records which folder has the photos of a shop that stores them on disk, so that a process with another one is refused. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table photo_folder (
      singleton boolean primary key default true check (singleton),
      id uuid not null,
      since timestamptz not null default now()
    )
  `.execute(database);
}
