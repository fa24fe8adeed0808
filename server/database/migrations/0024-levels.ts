import { type Kysely, sql } from 'kysely';
import { searchedColumns, tellLaptopsChanged } from './0018-change-tags.ts';

/**
 * The level of a laptop: how well its listing is checked. A laptop on which a lock was found is `blocked`: it is shown in no
 * list and cannot be booked or paid until it was measured again.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table laptops
      add column level text not null default 'word' check (level in ('word', 'measured', 'inspected')),
      -- When it was measured or inspected.
      add column level_at timestamptz,
      add constraint level_has_date check ((level = 'word') = (level_at is null)),
      drop constraint laptops_state_check,
      add constraint laptops_state_check
        check (state in ('available', 'sold', 'withdrawn', 'taken_down', 'blocked')),
      add constraint blocked_is_unchecked check (state <> 'blocked' or level = 'word');

    drop index laptops_to_search;
    create index laptops_to_search on laptops ((number + 0)) include (
      number, brand, condition, resale_price_cents, original_price_cents, memory_gb, storage_gb, screen_inches, processor,
      generation, graphics, system, seller_id, location, name, level
    ) where state = 'available';

    create or replace function searched_facts(laptop laptops, verified boolean) returns jsonb language sql stable as $$
      select jsonb_build_object(
        'brand', laptop.brand, 'condition', laptop.condition, 'priceCents', laptop.resale_price_cents,
        'originalCents', laptop.original_price_cents, 'memory', laptop.memory_gb, 'storage', laptop.storage_gb,
        'screen', laptop.screen_inches, 'processor', laptop.processor, 'generation', laptop.generation,
        'graphics', laptop.graphics, 'system', laptop.system, 'verified', verified, 'place', laptop.location,
        'name', laptop.name, 'level', laptop.level)
    $$;
    update laptops_to_match set before = before || '{"level": "word"}' where before is not null;
    ${sql.raw(tellLaptopsChanged([...searchedColumns, 'level']))}

    alter table refunds
      drop constraint refunds_reason_check,
      add constraint refunds_reason_check check (
        reason in ('sold_to_another', 'left_the_shop', 'booking_cancelled', 'paid_twice', 'wrong_amount', 'price_changed',
                   'lock_found')
      );

    -- Decisions of admins about measured laptops. Append-only.
    create table inspections (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      laptop_id uuid not null references laptops (id) on delete cascade,
      -- Null once the admin's account was deleted.
      inspector_id uuid references users (id) on delete set null,
      inspected_at timestamptz not null default now(),
      decision text not null check (decision in ('approved', 'sent_back', 'refused')),
      measurement_id uuid not null references measurements (id) on delete cascade,
      -- The version of the listing that was inspected, and the listing itself.
      laptop_version integer not null check (laptop_version > 0),
      listing jsonb not null check (octet_length(listing::text) <= 65536),
      -- What had changed since the approved inspection before: fields with before and after.
      changes jsonb not null default '[]' check (jsonb_typeof(changes) = 'array'),
      grade text check (grade in ('Excellent', 'Good', 'Fair')),
      checklist jsonb not null check (octet_length(checklist::text) <= 4096),
      note text not null check (length(note) <= 1000),
      photos text[] not null default '{}' check (cardinality(photos) <= 8),
      constraint approved_has_grade check ((decision = 'approved') = (grade is not null)),
      constraint objection_has_note check (decision = 'approved' or note <> '')
    );
    create index inspections_of_laptop on inspections (laptop_id, number desc);
    create index laptops_measured on laptops (level_at, id) where level = 'measured';

    -- The floors of battery health by which the stored levels were computed.
    create table battery_floors (
      only_row boolean primary key default true check (only_row),
      excellent integer not null check (excellent between 1 and 100),
      good integer not null check (good between 1 and 100)
    );
  `.execute(database);
}
