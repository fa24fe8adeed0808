import { type Kysely, sql } from 'kysely';

/** Tests made in a laptop's browser. A code now allows one report and one of them. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table measurement_codes
      add column report_taken boolean not null default false,
      add column check_taken boolean not null default false;
    create table browser_checks (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      laptop_id uuid not null references laptops (id) on delete cascade,
      -- One check per code. It recognizes a check that is sent again because its response was lost.
      code_sha256 text not null unique check (code_sha256 ~ '^[0-9a-f]{64}$'),
      checked_at timestamptz not null default now(),
      results jsonb not null check (jsonb_typeof(results) = 'array' and octet_length(results::text) <= 8192),
      browser jsonb not null check (jsonb_typeof(browser) = 'object' and octet_length(browser::text) <= 2048)
    );
    create index browser_checks_of_laptop on browser_checks (laptop_id, number desc);
    create function keep_browser_checks() returns trigger language plpgsql as $$
      begin
        raise exception 'browser checks are never changed';
      end
    $$;
    create trigger browser_checks_stay before update on browser_checks
      for each row execute function keep_browser_checks();
    create trigger laptop_checked after insert on browser_checks
      for each row execute function tell_laptop_measured();
  `.execute(database);
}
