import { type Kysely, sql } from 'kysely';

/** The columns that searches match, count or order by, besides the state and the number. */
export const searchedColumns = [
  'brand',
  'name',
  'location',
  'condition',
  'original_price_cents',
  'resale_price_cents',
  'memory_gb',
  'storage_gb',
  'screen_inches',
  'processor',
  'generation',
  'graphics',
  'system',
];
const rowOf = (row: string, columns: readonly string[]) =>
  `row(${columns.map((column) => `${row}.${column}`).join(', ')})`;

/** A row's state as far as lists are concerned; false for a row that does not exist. */
const listed = (row: string) => `coalesce(${row}.state = 'available', false)`;
const advertised = (row: string) =>
  `coalesce(${row}.state = 'available' and ${row}.advertised_at is not null, false)`;

/** Collects the tags of some changes. @param changes joins the rows `o` before and `n` after */
const collectTags = (changes: string, searched: readonly string[]) => `
  select coalesce(jsonb_agg(distinct tag), '[]')::text into tags
    from (
      select coalesce(n.id, o.id) as id, o.brand as old_brand, n.brand as new_brand,
             n.memory_gb as memory, ${listed('o')} as was_listed, ${listed('n')} as is_listed,
             ${advertised('o')} as was_advertised, ${advertised('n')} as is_advertised,
             o.brand is distinct from n.brand or o.number is distinct from n.number as is_moved,
             o.memory_gb is distinct from n.memory_gb as is_refitted,
             ${rowOf('o', searched)} is distinct from ${rowOf('n', searched)} as is_edited
        from ${changes}
    ) as change
   cross join lateral (
      select 'laptop ' || id as tag
      union all
      select 'brand ' || old_brand where was_listed and (not is_listed or is_moved)
      union all
      select 'brand ' || new_brand where is_listed and (not was_listed or is_moved)
      union all
      select 'advertised' where was_advertised <> is_advertised or (is_advertised and is_moved)
      union all
      select 'search' where was_listed <> is_listed or (is_listed and (is_moved or is_edited))
      union all
      select unnest(array[
               'newest ' || new_brand,
               'newest with ' || memory || ' GB',
               'newest ' || new_brand || ' with ' || memory || ' GB'
             ])
       where is_listed and (not was_listed or is_moved or is_refitted)
   ) as tags_of_change
   where tag is not null;`;

/** The trigger function that notifies of changed laptops. @param searched the columns that searches match, count or order by */
export const tellLaptopsChanged = (searched: readonly string[]): string => `
  create or replace function tell_laptops_changed() returns trigger language plpgsql as $$
    declare
      changed integer;
      tags text;
    begin
      if tg_op = 'INSERT' then
        select count(*) into changed from (select from new_rows limit 101) as first_rows;
      else
        select count(*) into changed from (select from old_rows limit 101) as first_rows;
      end if;
      if changed = 0 then
        return null;
      end if;
      if changed <= 100 then
        if tg_op = 'INSERT' then
          ${collectTags('new_rows n left join laptops o on false', searched)}
        elsif tg_op = 'UPDATE' then
          ${collectTags('old_rows o join new_rows n using (id)', searched)}
        else
          ${collectTags('old_rows o left join laptops n on false', searched)}
        end if;
      end if;
      -- A notification holds less than 8,000 bytes.
      perform pg_notify('catalogue_changed', case when octet_length(tags) < 8000 then tags else '' end);
      return null;
    end
  $$;`;

/**
 * The notification of a changed laptop says what has changed: a JSON array of the tags of
 * `server/catalogue/change-tags.ts`. An empty text, as of changed brands and users, means that anything may have changed.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    drop trigger laptops_changed on laptops;
    ${sql.raw(tellLaptopsChanged(searchedColumns))}
    create trigger laptops_inserted after insert on laptops referencing new table as new_rows
      for each statement execute function tell_laptops_changed();
    create trigger laptops_updated after update on laptops referencing old table as old_rows new table as new_rows
      for each statement execute function tell_laptops_changed();
    create trigger laptops_deleted after delete on laptops referencing old table as old_rows
      for each statement execute function tell_laptops_changed();
  `.execute(database);
}
