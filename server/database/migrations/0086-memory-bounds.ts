import { type Kysely, sql } from 'kysely';

/**
 * Earlier releases rounded the total of Linux and macOS up to the next size of a list, and stored it as measured. Of such a value
 * it is known that the laptop has more than the size before it in that list. macOS also lists the modules: their sum is exact.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create function memory_of_rounded(machine jsonb) returns jsonb language sql immutable as $$
      with rounded as (
        select (machine->'memory'->>'value')::integer as value
      ), bound as (
        select coalesce(max(size) filter (where size < value), 0) as size_before, max(value) as value
          from rounded, unnest(array[2, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 96, 128, 192, 256]) as size
      ), modules as (
        select sum((module->>'gigabytes')::integer)::integer as total
          from jsonb_array_elements(
            case jsonb_typeof(machine->'memoryModules'->'value')
              when 'array' then machine->'memoryModules'->'value' else '[]' end) as module
         where machine->'memoryModules'->>'source' = 'system'
      )
      select case
        when total > size_before and total <= value then jsonb_build_object('value', total, 'source', 'system')
        else jsonb_build_object('atLeast', size_before + 1, 'source', 'system')
      end from bound, modules
    $$;
    update measurements set machine = jsonb_set(machine, '{memory}', memory_of_rounded(machine))
     where machine->'memory'->>'source' = 'system';
    update laptop_drafts set machine = jsonb_set(machine, '{memory}', memory_of_rounded(machine))
     where machine->'memory'->>'source' = 'system';
    drop function memory_of_rounded;

    -- Measured or a lower bound. A reading that is missing is null.
    alter table measurements add constraint memory_is_value_or_bound check (
      coalesce(jsonb_typeof(machine->'memory'), 'null') = 'null'
      or (machine->'memory' ? 'value') <> (machine->'memory' ? 'atLeast'));
    alter table laptop_drafts add constraint memory_is_value_or_bound check (
      coalesce(jsonb_typeof(machine->'memory'), 'null') = 'null'
      or (machine->'memory' ? 'value') <> (machine->'memory' ? 'atLeast'));

    -- The version of the facts by which the stored levels were computed. With 0 all levels are computed again.
    alter table battery_floors add column facts_version integer not null default 0 check (facts_version >= 0);

    -- A certificate says which facts of the listing were measured.
    create trigger laptop_facts_certified after update on laptops for each row
      when (
        row (old.memory_gb, old.storage_gb, old.screen_inches, old.processor, old.generation, old.graphics)
        is distinct from
        row (new.memory_gb, new.storage_gb, new.screen_inches, new.processor, new.generation, new.graphics)
      )
      execute function note_changed_laptop_certificate();
    insert into certificates_to_renew (laptop_id)
      select distinct laptop_id from measurements join laptops on laptops.id = laptop_id where laptops.state <> 'sold'
      on conflict do nothing;
  `.execute(database);
}
