import { type Kysely, sql } from 'kysely';

/** When a seller was verified, and what an admin had seen for it. The pages that show it follow. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table users
      add column verified_at timestamptz,
      add column address_checked_at timestamptz,
      add column identity_checked_at timestamptz
  `.execute(database);
  await sql`
    create or replace function tell_sellers_changed() returns trigger language plpgsql as $$
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
                 where (old_rows.name, old_rows.verified, old_rows.ended_at, old_rows.verified_at,
                        old_rows.address_checked_at, old_rows.identity_checked_at)
                       is distinct from (new_rows.name, new_rows.verified, new_rows.ended_at, new_rows.verified_at,
                                         new_rows.address_checked_at, new_rows.identity_checked_at)
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
    $$
  `.execute(database);
}
