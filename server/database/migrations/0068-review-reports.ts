import { type Kysely, sql } from 'kysely';

/** Reports of reviews: one per person and review. A review's text never changes, so a report needs no copy of it. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table review_reports (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      review_id uuid not null references reviews,
      reporter_id uuid not null references users,
      reason text not null check (char_length(reason) between 1 and 100),
      note text not null check (char_length(note) <= 1000),
      reported_at timestamptz not null default now(),
      resolution text check (resolution in ('dismissed', 'removed')),
      constraint review_reported_once unique (review_id, reporter_id)
    );
    create index review_reports_of_a_review on review_reports (review_id, number);
    create index review_reports_open on review_reports (review_id) where resolution is null;
    create index review_reports_of_a_reporter on review_reports (reporter_id, number);
  `.execute(database);
}
