import { type Kysely, sql } from 'kysely';

/** Measurements that laptops report about themselves, and the one-time codes that allow them. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table measurement_codes (
      -- A new code of a laptop replaces the one before.
      laptop_id uuid primary key references laptops (id) on delete cascade,
      code_sha256 text not null unique check (code_sha256 ~ '^[0-9a-f]{64}$'),
      expires_at timestamptz not null
    );
    create table measurements (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      laptop_id uuid not null references laptops (id) on delete cascade,
      measured_at timestamptz not null default now(),
      measured_with text not null check (measured_with in ('linux', 'windows', 'macos')),
      machine jsonb not null check (octet_length(machine::text) <= 32768),
      machine_hash text check (machine_hash ~ '^[0-9a-f]{64}$'),
      part_hashes text[] not null default '{}' check (cardinality(part_hashes) <= 40)
    );
    create index measurements_of_laptop on measurements (laptop_id, number desc);
    create index measurements_of_machine on measurements (machine_hash) where machine_hash is not null;
    -- The laptop's page shows its latest measurement.
    create function tell_laptop_measured() returns trigger language plpgsql as $$
      begin
        perform pg_notify('catalogue_changed', jsonb_build_array('laptop ' || new.laptop_id)::text);
        return null;
      end
    $$;
    create trigger laptop_measured after insert on measurements
      for each row execute function tell_laptop_measured();
  `.execute(database);
}
