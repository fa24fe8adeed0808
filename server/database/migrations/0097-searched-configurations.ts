import { type Kysely, sql } from 'kysely';
import { searchedColumns, tellLaptopsChanged } from './0018-change-tags.ts';

/** The words of configurations are searched. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    -- The seller's texts without the notes, which are prose: "no touch". Null fields, and all of a description in one text, are
    -- left out. Not immutable, because concat_ws is not, which also lets PostgreSQL inline it.
    create function configuration_text(description jsonb) returns text language sql stable as $$
      select concat_ws(' / ', description->>'Processor', description->>'Graphics', description->>'Display',
        description->>'Memory', description->>'Storage', description->>'Battery', description->>'Operating')
    $$;

    -- Before searched_facts has the configuration, so that no laptop counts as changed for saved searches.
    update laptops_to_match set before = before || jsonb_build_object('configuration', configuration_text(description))
      from laptops where laptops.id = laptop_id and before is not null;
    create or replace function searched_facts(laptop laptops, verified boolean) returns jsonb language sql stable as $$
      select jsonb_build_object(
        'brand', laptop.brand, 'condition', laptop.condition, 'priceCents', laptop.resale_price_cents,
        'originalCents', laptop.original_price_cents, 'memory', laptop.memory_gb, 'storage', laptop.storage_gb,
        'screen', laptop.screen_inches, 'processor', laptop.processor, 'generation', laptop.generation,
        'graphics', laptop.graphics, 'system', laptop.system, 'verified', verified, 'place', laptop.location,
        'name', laptop.name, 'level', laptop.level,
        'battery', shown_battery(laptop.level, laptop.battery_percent, laptop.measured_battery),
        'configuration', configuration_text(laptop.description))
    $$;
    ${sql.raw(tellLaptopsChanged([...searchedColumns, 'level', 'battery_percent', 'measured_battery', 'description']))}

    -- Its included columns let the index in memory be loaded without reading the table, which it has to for the texts.
    drop index laptops_to_search;
    create index laptops_to_search on laptops ((number + 0)) where state = 'available';
  `.execute(database);
}
