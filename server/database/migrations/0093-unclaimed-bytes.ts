import { type Kysely, sql } from 'kysely';

/** Photos that nothing shows yet count in quotas of bytes. Earlier uploads count in none; they are removed within a day. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table photos
      add column bytes integer not null default 0 check (bytes >= 0),
      add column counted_for text[] not null default '{}'
  `.execute(database);
  await sql`create index unclaimed_photos on photos using gin (counted_for) where state = 'waiting'`.execute(
    database,
  );
}
