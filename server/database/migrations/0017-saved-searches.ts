import { type Kysely, sql } from 'kysely';

/**
 * Saved searches, and the changes of laptops that are matched against them.
 *
 * `laptops_to_match` has one row per laptop that was listed, listed again or changed since it was last matched, with the
 * laptop as it was before. A row commits with its change, so the order of commits does not matter.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table saved_searches (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      user_id uuid not null references users,
      name text not null check (length(name) between 1 and 120),
      filters jsonb not null check (octet_length(filters::text) <= 6144),
      -- SHA-256 of the filters' normal form, by which equal searches are found and matched once.
      filters_sha256 text not null check (filters_sha256 ~ '^[0-9a-f]{64}$'),
      frequency text not null check (frequency in ('at once', 'daily')),
      created_at timestamptz not null default now(),
      -- Changes of transactions below this one were visible when the search was saved or resumed.
      known_since xid8 not null default pg_snapshot_xmin(pg_current_snapshot()),
      paused_at timestamptz,
      last_email_at timestamptz,
      due_at timestamptz,
      constraint saved_once unique (user_id, filters_sha256),
      constraint paused_is_not_due check (due_at is null or paused_at is null)
    );
    create index saved_searches_to_match on saved_searches (filters_sha256, id) where paused_at is null;
    create index saved_searches_due on saved_searches (due_at) where due_at is not null;

    create table saved_search_news (
      search_id uuid not null references saved_searches on delete cascade,
      laptop_id uuid not null references laptops on delete cascade,
      old_price_cents integer check (old_price_cents > 0),
      noted_at timestamptz not null default now(),
      email_id uuid,
      emailed_at timestamptz,
      primary key (search_id, laptop_id),
      constraint emailed_by_an_email check ((email_id is null) = (emailed_at is null))
    );
    create index saved_search_news_in_emails on saved_search_news (emailed_at) where emailed_at is not null;

    create table laptops_to_match (
      laptop_id uuid primary key references laptops on delete cascade,
      -- What a search knows of the laptop before its first change that was not matched yet; null if it was not for sale.
      before jsonb,
      since timestamptz not null default clock_timestamp(),
      -- The transaction of the latest change.
      changed_in xid8 not null default pg_current_xact_id(),
      version bigint not null default 1
    );

    -- The filters of a search read these fields.
    create function searched_facts(laptop laptops, verified boolean) returns jsonb language sql stable as $$
      select jsonb_build_object(
        'brand', laptop.brand, 'condition', laptop.condition, 'priceCents', laptop.resale_price_cents,
        'originalCents', laptop.original_price_cents, 'memory', laptop.memory_gb, 'storage', laptop.storage_gb,
        'screen', laptop.screen_inches, 'processor', laptop.processor, 'generation', laptop.generation,
        'graphics', laptop.graphics, 'system', laptop.system, 'verified', verified, 'place', laptop.location,
        'name', laptop.name)
    $$;

    create function note_laptop_to_match() returns trigger language plpgsql as $$
      declare
        previous jsonb;
      begin
        if tg_op = 'UPDATE' then
          if old.state = 'available' then
            if searched_facts(old, false) = searched_facts(new, false) then
              return null;
            end if;
            previous := searched_facts(old, (select verified from users where id = old.seller_id));
          end if;
        end if;
        -- The update locks a row that is being matched, so that it is not deleted with this change unread.
        insert into laptops_to_match as waiting (laptop_id, before) values (new.id, previous)
          on conflict (laptop_id) do update
            set version = waiting.version + 1, changed_in = excluded.changed_in;
        return null;
      end
    $$;
    -- Triggers run in the order of their names: a change is noted before its price, and so not after it.
    create trigger changes_to_match_1 after insert on laptops for each row
      when (new.state = 'available') execute function note_laptop_to_match();
    create trigger changes_to_match_2 after update on laptops for each row
      when (new.state = 'available') execute function note_laptop_to_match();

    create function note_seller_to_match() returns trigger language plpgsql as $$
      begin
        insert into laptops_to_match as waiting (laptop_id, before)
          select id, searched_facts(laptops, false) from laptops
           where seller_id = new.id and state = 'available' order by id
          on conflict (laptop_id) do update
            set version = waiting.version + 1, changed_in = excluded.changed_in;
        return null;
      end
    $$;
    -- After the trigger seller_changes, which locks the laptops: other transactions lock in this order, too.
    create trigger sellers_to_match after update of verified on users for each row
      when (new.verified and not old.verified) execute function note_seller_to_match();
  `.execute(database);
}
