import { type Kysely, sql } from 'kysely';

/**
 * Facts as columns, the history of prices, and what a process needs to follow changes of laptops.
 *
 * `changed_in` is the transaction that last changed a row. A reader that remembers `pg_snapshot_xmin` of its snapshot
 * finds every later change by `changed_in >= xmin`, whatever the order in which transactions commit.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table laptops
      add column memory_gb integer check (memory_gb between 1 and 1024),
      add column storage_gb integer check (storage_gb between 1 and 65536),
      add column screen_inches real check (screen_inches between 10 and 21),
      add column processor text check (processor ~ '^[a-z0-9-]{1,40}$'),
      add column generation text check (generation ~ '^[a-z0-9-]{1,40}$'),
      add column graphics text check (graphics ~ '^[a-z0-9-]{1,40}$'),
      add column system text check (system ~ '^[a-z0-9-]{1,40}$'),
      -- The version of the rules by which the facts were read from the description; 0: not read yet.
      add column facts_version integer not null default 0,
      add column state_since timestamptz not null default now(),
      add column changed_in xid8 not null default pg_current_xact_id();
    -- Only the date of sale is shown, so other laptops are not rewritten.
    update laptops set state_since = bookings.paid_at
      from bookings where laptop_id = laptops.id and paid_at is not null and state = 'sold';

    create function note_laptop_change() returns trigger language plpgsql as $$
      begin
        new.changed_in := pg_current_xact_id();
        if tg_op = 'UPDATE' and new.state is distinct from old.state then
          new.state_since := now();
        end if;
        return new;
      end
    $$;
    create trigger laptop_changes before insert or update on laptops
      for each row execute function note_laptop_change();

    -- The verification of a seller is a filter of the search.
    create function note_seller_change() returns trigger language plpgsql as $$
      begin
        update laptops set changed_in = pg_current_xact_id() where seller_id = new.id and state = 'available';
        return null;
      end
    $$;
    create trigger seller_changes after update of verified on users
      for each row when (new.verified is distinct from old.verified) execute function note_seller_change();

    create index laptops_by_change on laptops (changed_in);
    create index laptops_by_facts_version on laptops (facts_version);
    -- Covers what the search index loads, so that loading reads no descriptions. Its key is an expression, so that no list
    -- of a brand or a seller, which is ordered by the number itself, scans all laptops with it.
    create index laptops_to_search on laptops ((number + 0)) include (
      number, brand, condition, resale_price_cents, original_price_cents, memory_gb, storage_gb, screen_inches, processor,
      generation, graphics, system, seller_id, location, name
    ) where state = 'available';

    create table laptop_prices (
      laptop_id uuid not null references laptops on delete cascade,
      since timestamptz not null default now(),
      resale_price_cents integer not null check (resale_price_cents > 0),
      primary key (laptop_id, since)
    );
    insert into laptop_prices (laptop_id, since, resale_price_cents)
      select id, created_at, resale_price_cents from laptops;
    create function note_price() returns trigger language plpgsql as $$
      begin
        insert into laptop_prices (laptop_id, since, resale_price_cents)
          values (new.id, clock_timestamp(), new.resale_price_cents);
        return null;
      end
    $$;
    create trigger first_prices after insert on laptops for each row execute function note_price();
    create trigger later_prices after update of resale_price_cents on laptops for each row
      when (new.resale_price_cents <> old.resale_price_cents) execute function note_price();
  `.execute(database);
}
