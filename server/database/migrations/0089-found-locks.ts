import { type Kysely, sql } from 'kysely';

/**
 * Locks that were found on machines, whatever listing, draft or account they were measured for. A row is deleted when a report with
 * the same serial number says that the lock was not found.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table found_locks (
      -- A keyed hash of maker and serial number, or of the board's serial number where the machine has none.
      identity_hash text not null check (identity_hash ~ '^[0-9a-f]{64}$'),
      lock text not null check (lock in ('firmwarePassword', 'absolute', 'management', 'activationLock')),
      -- Of board, drives and TPM: they tell which machine a report without a serial number is about.
      part_hashes text[] not null check (cardinality(part_hashes) <= 64),
      found_at timestamptz not null default now(),
      primary key (identity_hash, lock)
    );
    create index found_locks_of_part on found_locks using gin (part_hashes);

    -- What the latest report about each lock of a machine says, over all listings.
    insert into found_locks (identity_hash, lock, part_hashes, found_at)
    select machine_hash, lock, part_hashes, measured_at
      from (
        select distinct on (machine_hash, lock) machine_hash, lock, state, part_hashes[1:64] as part_hashes, measured_at
          from measurements, lateral jsonb_each_text(machine->'locks') as stated (lock, state)
         where machine_hash is not null and state in ('locked', 'not_found')
         order by machine_hash, lock, measured_at desc, number desc
      ) as latest
     where state = 'locked';

    -- The listing after which the others of the same machine are still to be compared; null for all.
    alter table laptops_to_compare add column after_id uuid;
  `.execute(database);
}
