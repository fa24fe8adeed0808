import { type Kysely, sql } from 'kysely';

/**
 * Indexes for every list and look-up, so that each reads hardly more rows than it returns, with generic plans as well
 * (`tests/scale/rows-read.test.ts` measures it).
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    -- A unique index on the row number alone lets the planner walk a whole table in that order and filter. Without it
    -- only the index that begins with the list's own column has the order. The numbers stay unique: the database
    -- generates them always.
    alter table users drop constraint users_number_key;
    alter table laptops drop constraint laptops_number_key;
    alter table wishlist_items drop constraint wishlist_items_number_key;
    alter table bookings drop constraint bookings_number_key;
    alter table reports drop constraint reports_number_key;

    -- A seller's list leaves out withdrawn laptops; all of a seller's laptops are read in the order of their ids.
    drop index laptops_of_a_seller;
    create index laptops_listed_by_seller on laptops (seller_id, number desc) where state <> 'withdrawn';
    alter table laptops add constraint laptop_of_seller unique (seller_id, id);
    create index wishlist_items_by_buyer on wishlist_items (buyer_id, number desc);
    create index audit_entries_by_admin on audit_entries (admin_id, id) where admin_id is not null;
    drop index audit_entries_of_a_laptop;
    create index audit_entries_by_laptop on audit_entries (laptop_id, number desc) where laptop_id is not null;
    create index reports_by_laptop on reports (laptop_id, number desc);
    create index reports_by_reporter on reports (reporter_id, number);
    create index payment_intents_by_booking on payment_intents (booking_id);
    create index payments_by_time on payments (paid_at);
    create index refunds_by_booking on refunds (booking_id);
    create index refunds_by_time on refunds (created_at);
    create index refunds_unfinished on refunds (state) where state <> 'done';
    create index disputes_by_time on disputes (opened_at);
    create index disputes_lost_by_time on disputes (closed_at) where state = 'lost';
    create index webhook_events_by_time on webhook_events (received_at);
    create index rate_limits_by_time on rate_limits (empty_at);

    -- The seller of a booking's laptop, for an index on a seller's bookings in the order of their list. A trigger sets
    -- it, also for a version that does not know the column; the foreign key keeps it equal to the laptop's seller.
    alter table bookings add column seller_id uuid;
    update bookings set seller_id = laptops.seller_id from laptops where laptops.id = bookings.laptop_id;
    alter table bookings alter column seller_id set not null,
      drop constraint bookings_laptop_id_fkey,
      add constraint booked_of_seller foreign key (laptop_id, seller_id) references laptops (id, seller_id);
    create index bookings_by_seller on bookings (seller_id, number desc);
    create index sales_by_seller on bookings (seller_id, number) where paid_at is not null;
    create function set_seller_of_booking() returns trigger language plpgsql as $$
      begin
        if new.seller_id is null then
          select seller_id into new.seller_id from laptops where id = new.laptop_id;
        end if;
        return new;
      end
    $$;
    create trigger bookings_seller before insert on bookings
      for each row execute function set_seller_of_booking();

    -- The numbers of a laptop's reports and open reports, and its latest report, for an index in the order of the admins'
    -- list. Triggers update them.
    create table reported_laptops (
      laptop_id uuid primary key references laptops,
      reports integer not null check (reports > 0),
      open_reports integer not null check (open_reports between 0 and reports),
      has_open boolean not null generated always as (open_reports > 0) stored,
      latest bigint not null
    );
    insert into reported_laptops (laptop_id, reports, open_reports, latest)
      select laptop_id, count(*), count(*) filter (where resolution is null), max(number)
        from reports group by laptop_id;
    create index reported_laptops_in_order on reported_laptops (has_open desc, latest desc);
    create function count_report() returns trigger language plpgsql as $$
      begin
        insert into reported_laptops as kept (laptop_id, reports, open_reports, latest)
          values (new.laptop_id, 1, (new.resolution is null)::int, new.number)
          on conflict (laptop_id) do update
            set reports = kept.reports + 1,
                open_reports = kept.open_reports + excluded.open_reports,
                latest = greatest(kept.latest, excluded.latest);
        return null;
      end
    $$;
    create trigger reports_counted after insert on reports for each row execute function count_report();
    create function count_resolution() returns trigger language plpgsql as $$
      begin
        update reported_laptops
           set open_reports = open_reports + (new.resolution is null)::int - (old.resolution is null)::int
         where laptop_id = new.laptop_id;
        return null;
      end
    $$;
    create trigger resolutions_counted after update of resolution on reports
      for each row execute function count_resolution();

    -- For the search among people. Where the extension is not available, the search works without these indexes and reads
    -- all users of a role (docs/decisions/0012-search-of-people.md).
    do $$
      declare place text;
      begin
        create extension if not exists pg_trgm;
        select quote_ident(nspname) into place
          from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm';
        execute format(
          'create index sellers_by_trigram on users using gin (name %1$s.gin_trgm_ops, email %1$s.gin_trgm_ops)
             where role = ''Seller'' and ended_at is null', place);
        execute format(
          'create index buyers_by_trigram on users using gin (name %1$s.gin_trgm_ops, email %1$s.gin_trgm_ops)
             where role = ''Buyer'' and ended_at is null', place);
      exception when insufficient_privilege or feature_not_supported then
        raise notice 'pg_trgm is not available: the search among people works without its index';
      end
    $$;
  `.execute(database);
}
