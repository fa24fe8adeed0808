import { type Kysely, sql } from 'kysely';

/**
 * A changed user is told with the laptops that show the user's name and verification, or not at all: until now any new name,
 * also of a buyer and also the same one again, removed every kept response of every process.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create function tell_sellers_changed() returns trigger language plpgsql as $$
      declare
        shown integer;
        tags jsonb;
        is_searched boolean;
      begin
        -- Withdrawn laptops are on no kept page.
        select count(*), jsonb_agg('laptop ' || laptop_id), bool_or(is_verification)
          into shown, tags, is_searched
          from (select laptops.id as laptop_id, old_rows.verified <> new_rows.verified as is_verification
                  from old_rows
                  join new_rows using (id)
                  join laptops on laptops.seller_id = new_rows.id and laptops.state <> 'withdrawn'
                 where (old_rows.name, old_rows.verified, old_rows.ended_at)
                       is distinct from (new_rows.name, new_rows.verified, new_rows.ended_at)
                 limit 101) as shown_laptops;
        if shown = 0 then
          return null;
        end if;
        if is_searched then
          tags := tags || '["search"]';
        end if;
        -- As of changed laptops: many are told without tags.
        perform pg_notify('catalogue_changed', case when shown <= 100 then tags::text else '' end);
        return null;
      end
    $$;
    drop trigger sellers_changed on users;
    create trigger sellers_changed after update on users referencing old table as old_rows new table as new_rows
      for each statement execute function tell_sellers_changed();
  `.execute(database);
}
