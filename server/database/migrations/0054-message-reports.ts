import { type Kysely, sql } from 'kysely';

/** Reports of conversations. An admin reads the messages up to the one that was the latest at the report. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table message_reports (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      conversation_id uuid not null references conversations,
      reporter_id uuid not null references users,
      until_sequence integer not null check (until_sequence > 0),
      note text not null check (char_length(note) <= 1000),
      reported_at timestamptz not null default now(),
      resolved_at timestamptz
    );
    create unique index message_reports_open_once on message_reports (conversation_id, reporter_id)
      where resolved_at is null;
    create index message_reports_of_a_reporter on message_reports (reporter_id, number);
  `.execute(database);
}
