import { type Kysely, sql } from 'kysely';

/** Laptops that are measured before they are listed. Listing moves the measurement and deletes the draft. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table laptop_drafts (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      seller_id uuid not null references users (id) on delete cascade,
      expires_at timestamptz not null,
      code_sha256 text unique check (code_sha256 ~ '^[0-9a-f]{64}$'),
      code_expires_at timestamptz,
      check ((code_sha256 is null) = (code_expires_at is null)),
      -- The latest measurement, in the columns of the table of measurements.
      measured_at timestamptz,
      measured_with text check (measured_with in ('linux', 'windows', 'macos')),
      machine jsonb check (octet_length(machine::text) <= 32768),
      machine_hash text check (machine_hash ~ '^[0-9a-f]{64}$'),
      part_hashes text[] not null default '{}' check (cardinality(part_hashes) <= 40),
      check (num_nonnulls(measured_at, measured_with, machine) in (0, 3)),
      check (machine is not null or (machine_hash is null and part_hashes = '{}'))
    );
    create index laptop_drafts_of_seller on laptop_drafts (seller_id, number);
    create index laptop_drafts_by_expiry on laptop_drafts (expires_at);
  `.execute(database);
}
