import { type Kysely, sql } from 'kysely';

/**
 * Telephone numbers that sellers have confirmed, the codes that were sent for it, and how many were sent in a day. The pages that
 * show a seller follow the date.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table users
      add column phone text,
      add column phone_confirmed_at timestamptz,
      add constraint phone_with_date check ((phone is null) = (phone_confirmed_at is null));
    create index users_by_phone on users (phone) where phone is not null;

    create table phone_codes (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      user_id uuid not null references users,
      phone text not null check (phone ~ '^\\+[1-9][0-9]{6,14}$'),
      state text not null default 'waiting'
        check (state in ('waiting', 'sending', 'sent', 'not_sent', 'uncertain')),
      asked_at timestamptz not null default now(),
      expires_at timestamptz not null,
      wrong_attempts smallint not null default 0 check (wrong_attempts between 0 and 5),
      used_at timestamptz
    );
    create index phone_codes_by_user on phone_codes (user_id, number desc);
    create index phone_codes_by_age on phone_codes (asked_at);

    -- Apart from the codes, whose rows are removed with their account.
    create table phone_code_counts (
      -- In UTC.
      day date not null,
      -- 'shop', or a keyed hash of a number.
      subject text not null,
      count integer not null check (count >= 0),
      primary key (day, subject)
    );
  `.execute(database);
  await tellOfDate(database);
}

/** Adds the date to the columns whose changes the triggers of 0062 and 0063 tell. */
async function tellOfDate(database: Kysely<never>): Promise<void> {
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
                        old_rows.address_checked_at, old_rows.identity_checked_at, old_rows.phone_confirmed_at)
                       is distinct from (new_rows.name, new_rows.verified, new_rows.ended_at, new_rows.verified_at,
                                         new_rows.address_checked_at, new_rows.identity_checked_at,
                                         new_rows.phone_confirmed_at)
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

    create or replace function tell_seller_pages_changed() returns trigger language plpgsql as $$
      declare
        people uuid[];
      begin
        select array_agg(id) into people from old_rows join new_rows using (id)
         where (old_rows.role = 'Seller' or new_rows.role = 'Seller')
           and (old_rows.name, old_rows.ended_at, old_rows.role, old_rows.verified, old_rows.verified_at,
                old_rows.address_checked_at, old_rows.identity_checked_at, old_rows.phone_confirmed_at)
               is distinct from (new_rows.name, new_rows.ended_at, new_rows.role, new_rows.verified, new_rows.verified_at,
                                 new_rows.address_checked_at, new_rows.identity_checked_at, new_rows.phone_confirmed_at);
        perform tell_people_changed('seller', people);
        return null;
      end
    $$;
  `.execute(database);
}
