import { type Kysely, sql } from 'kysely';
import { searchedColumns, tellLaptopsChanged } from './0018-change-tags.ts';

/** The battery of laptops as a fact: as the seller wrote it, and by the latest measurement. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table laptops
      -- Percent of the capacity when new. Gauges of new batteries report more than 100.
      add column battery_percent integer check (battery_percent between 1 and 130),
      add column measured_battery integer check (measured_battery between 0 and 130);

    -- A trigger, so that a process of an earlier release keeps it, too.
    create function note_measured_battery() returns trigger language plpgsql as $$
      begin
        update laptops set measured_battery = (new.machine->'battery'->'value'->>'health')::integer
         where id = new.laptop_id;
        return null;
      end
    $$;
    create trigger measured_batteries after insert on measurements
      for each row execute function note_measured_battery();
    -- Before searched_facts has the battery, so that no laptop counts as changed for saved searches.
    update laptops set measured_battery = (latest.machine->'battery'->'value'->>'health')::integer
      from (select distinct on (laptop_id) laptop_id, machine from measurements order by laptop_id, number desc) as latest
     where laptops.id = latest.laptop_id;

    -- The battery by which searches filter. The function factsResponse of the catalogue has the same rule.
    create function shown_battery(level text, written integer, measured integer) returns integer language sql immutable as $$
      select case
        when level <> 'word' and measured is not null then measured
        when measured < written then null
        else written
      end
    $$;

    drop index laptops_to_search;
    create index laptops_to_search on laptops ((number + 0)) include (
      number, brand, condition, resale_price_cents, original_price_cents, memory_gb, storage_gb, screen_inches, processor,
      generation, graphics, system, seller_id, location, name, level, battery_percent, measured_battery
    ) where state = 'available';

    create or replace function searched_facts(laptop laptops, verified boolean) returns jsonb language sql stable as $$
      select jsonb_build_object(
        'brand', laptop.brand, 'condition', laptop.condition, 'priceCents', laptop.resale_price_cents,
        'originalCents', laptop.original_price_cents, 'memory', laptop.memory_gb, 'storage', laptop.storage_gb,
        'screen', laptop.screen_inches, 'processor', laptop.processor, 'generation', laptop.generation,
        'graphics', laptop.graphics, 'system', laptop.system, 'verified', verified, 'place', laptop.location,
        'name', laptop.name, 'level', laptop.level,
        'battery', shown_battery(laptop.level, laptop.battery_percent, laptop.measured_battery))
    $$;
    update laptops_to_match set before = before || '{"battery": null}' where before is not null;
    ${sql.raw(tellLaptopsChanged([...searchedColumns, 'level', 'battery_percent', 'measured_battery']))}
  `.execute(database);
}
