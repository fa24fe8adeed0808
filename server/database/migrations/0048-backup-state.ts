import { type Kysely, sql } from 'kysely';

/** The state of periodic backups, in one row. Backups do not contain it: a restored shop makes a new one at once. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table backup_state (
      singleton boolean primary key default true check (singleton),
      every_ms bigint check (every_ms > 0),
      expected_since timestamptz,
      running_since timestamptz,
      last_name text,
      last_at timestamptz,
      last_bytes bigint check (last_bytes >= 0),
      last_duration_ms bigint check (last_duration_ms >= 0),
      verification text check (verification in ('passed', 'failed', 'not_done')),
      verified_at timestamptz,
      verification_detail text,
      last_passed_at timestamptz,
      last_usable_at timestamptz,
      failures integer not null default 0 check (failures >= 0),
      failure_count bigint not null default 0 check (failure_count >= 0),
      last_failure_at timestamptz,
      last_failure text,
      retry_at timestamptz,
      notified_at timestamptz,
      check (num_nulls(every_ms, expected_since) in (0, 2)),
      check (num_nulls(last_name, last_at, last_bytes, last_duration_ms) in (0, 4)),
      check (num_nulls(verification, verified_at) in (0, 2)),
      check (num_nulls(last_failure_at, last_failure) in (0, 2))
    )
  `.execute(database);
  await sql`insert into backup_state default values`.execute(database);
}
