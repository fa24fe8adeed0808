create function new_slip_code() returns text language sql as $$
  select string_agg(substr('34679ACDEFGHJKMNPQRTUVWXY', get_byte(bytes, place) % 25 + 1, 1), '')
    from (select uuid_send(gen_random_uuid()) as bytes) as random, generate_series(0, 4) as place
$$;

create function shown_battery(level text, written integer, measured integer) returns integer language sql immutable as $$
  select case
    when level <> 'word' and measured is not null then measured
    when measured < written then null
    else written
  end
$$;

create table brands (
  id uuid default gen_random_uuid() primary key,
  category_id text not null unique,
  image text not null,
  position integer not null unique
);

create table photo_folder (
  singleton boolean default true primary key check (singleton),
  id uuid not null,
  since timestamptz default now() not null
);

create table photos (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  state text default 'waiting' not null check (state in ('waiting', 'listed', 'leaving', 'gone')),
  since timestamptz default now() not null,
  fingerprinted boolean default false not null
);
create index photos_gone on photos (since) where (state = 'gone');
create index photos_leaving on photos (hash) where (state = 'leaving');
create index photos_to_fingerprint on photos (since) where ((state = 'listed') and (not fingerprinted));
create index photos_waiting on photos (since) where (state = 'waiting');

create table photo_thumbnails (
  photo_hash text primary key references photos(hash) on delete cascade,
  thumbnail bytea not null check (octet_length(thumbnail) = 4096)
);

create table laptops (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity,
  brand text not null references brands(category_id) on update cascade,
  seller_id uuid not null references users(id),
  name text not null,
  location text not null,
  images text[] not null check (cardinality(images) >= 1 and cardinality(images) <= 8),
  description jsonb not null check (jsonb_typeof(description) in ('string', 'object')),
  original_price_cents integer not null check (original_price_cents > 0),
  resale_price_cents integer not null check (resale_price_cents > 0),
  posted_time text not null,
  use_time text not null,
  mobile_number text not null,
  condition text not null check (condition in ('Excellent', 'Good', 'Fair')),
  state text default 'available' not null check (state in ('available', 'sold', 'withdrawn', 'taken_down', 'blocked')),
  taken_down_note text,
  advertised_at timestamptz,
  created_at timestamptz default now() not null,
  memory_gb integer check (memory_gb >= 1 and memory_gb <= 1024),
  storage_gb integer check (storage_gb >= 1 and storage_gb <= 65536),
  screen_inches real check ((screen_inches >= (10)::double precision) and (screen_inches <= (21)::double precision)),
  processor text check (processor ~ '^[a-z0-9-]{1,40}$'),
  generation text check (generation ~ '^[a-z0-9-]{1,40}$'),
  graphics text check (graphics ~ '^[a-z0-9-]{1,40}$'),
  system text check (system ~ '^[a-z0-9-]{1,40}$'),
  facts_version integer default 0 not null,
  state_since timestamptz default now() not null,
  changed_in xid8 default pg_current_xact_id() not null,
  version integer default 1 not null check (version > 0),
  price_version integer default 1 not null check (price_version > 0),
  edited_at timestamptz,
  photo_captions jsonb default '{}'::jsonb not null check (jsonb_typeof(photo_captions) = 'object'),
  level text default 'word' not null check (level in ('word', 'measured', 'inspected_photos', 'inspected_hand')),
  level_at timestamptz,
  photo_kinds jsonb default '{}'::jsonb not null check (jsonb_typeof(photo_kinds) = 'object'),
  slip_code text default new_slip_code() not null check (slip_code ~ '^[34679ACDEFGHJKMNPQRTUVWXY]{5}$'),
  battery_percent integer check (battery_percent >= 1 and battery_percent <= 130),
  measured_battery integer check (measured_battery >= 0 and measured_battery <= 130),
  sold_order_id uuid,
  evidence_since timestamptz check (evidence_since = date_trunc('milliseconds', evidence_since)),
  evidence_ended text check (evidence_ended in ('returned', 'absent')),
  constraint laptop_of_seller unique (seller_id, id),
  constraint blocked_is_unchecked check (state <> 'blocked' or level = 'word'),
  constraint ended_evidence_has_time check ((evidence_since is null) = (evidence_ended is null)),
  constraint laptops_check check (resale_price_cents <= original_price_cents),
  constraint laptops_check2 check ((state = 'taken_down') = (taken_down_note is not null)),
  constraint least_price check (resale_price_cents >= 50 or state <> 'available'),
  constraint level_has_date check ((level = 'word') = (level_at is null)),
  constraint level_has_evidence check (level_at >= evidence_since),
  constraint price_version_exists check (price_version <= version),
  constraint sold_in_an_order check ((state = 'sold') = (sold_order_id is not null))
);

create function searched_facts(laptop laptops, verified boolean) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'brand', laptop.brand, 'condition', laptop.condition, 'priceCents', laptop.resale_price_cents,
    'originalCents', laptop.original_price_cents, 'memory', laptop.memory_gb, 'storage', laptop.storage_gb,
    'screen', laptop.screen_inches, 'processor', laptop.processor, 'generation', laptop.generation,
    'graphics', laptop.graphics, 'system', laptop.system, 'verified', verified, 'place', laptop.location,
    'name', laptop.name, 'level', laptop.level,
    'battery', shown_battery(laptop.level, laptop.battery_percent, laptop.measured_battery))
$$;

create index laptops_advertised on laptops (number desc) where ((state = 'available') and (advertised_at is not null));
create index laptops_by_change on laptops (changed_in);
create index laptops_by_facts_version on laptops (facts_version);
create index laptops_for_sale_by_seller on laptops (seller_id, number desc) where (state = 'available');
create index laptops_inspected on laptops (number desc) where ((state = 'available')
  and (level in ('inspected_photos', 'inspected_hand')));
create index laptops_listed_by_seller on laptops (seller_id, number desc) where (state <> 'withdrawn');
create index laptops_measured on laptops (number desc) where ((state = 'available') and (level = 'measured'));
create index laptops_on_the_shelf on laptops (brand, number desc) where (state = 'available');
create index laptops_to_search on laptops (((number + 0))) include (number, brand, condition, resale_price_cents, original_price_cents, memory_gb, storage_gb, screen_inches, processor, generation, graphics, system, seller_id, location, name, level, battery_percent, measured_battery) where (state = 'available');
create index laptops_withdrawn_by_seller on laptops (seller_id, number desc) where (state = 'withdrawn');

create table laptop_photos (
  laptop_id uuid not null,
  position integer not null,
  photo_hash text not null,
  primary key (laptop_id, "position"),
  constraint photo_of_a_laptop foreign key (laptop_id) references laptops(id) on delete cascade,
  constraint shown_photo_is_known foreign key (photo_hash) references photos(hash)
);
create index laptop_photos_of_a_photo on laptop_photos (photo_hash);

create table laptop_drafts (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  seller_id uuid not null references users(id) on delete cascade,
  expires_at timestamptz not null,
  code_sha256 text unique check (code_sha256 ~ '^[0-9a-f]{64}$'),
  code_expires_at timestamptz,
  measured_at timestamptz,
  measured_with text check (measured_with in ('linux', 'windows', 'macos', 'workbench')),
  machine jsonb check (octet_length((machine)::text) <= 32768),
  machine_hash text check (machine_hash ~ '^[0-9a-f]{64}$'),
  part_hashes text[] default '{}'::text[] not null check (cardinality(part_hashes) <= 40),
  slip_code text default new_slip_code() not null check (slip_code ~ '^[34679ACDEFGHJKMNPQRTUVWXY]{5}$'),
  report_taken boolean default false not null,
  checked_at timestamptz,
  check_code_sha256 text check (check_code_sha256 ~ '^[0-9a-f]{64}$'),
  check_results jsonb check (jsonb_typeof(check_results) = 'array' and (octet_length((check_results)::text) <= 8192)),
  check_browser jsonb check (jsonb_typeof(check_browser) = 'object' and (octet_length((check_browser)::text) <= 2048)),
  constraint a_check_is_whole check (num_nonnulls(checked_at, check_code_sha256, check_results, check_browser) = any (array[0, 4])),
  constraint laptop_drafts_check check ((code_sha256 is null) = (code_expires_at is null)),
  constraint laptop_drafts_check1 check (num_nonnulls(measured_at, measured_with, machine) = any (array[0, 3])),
  constraint laptop_drafts_check2 check (machine is not null or (machine_hash is null and (part_hashes = '{}'::text[]))),
  constraint memory_is_value_or_bound check ((coalesce(jsonb_typeof((machine -> 'memory')), 'null') = 'null')
    or (((machine -> 'memory') ? 'value') <> ((machine -> 'memory') ? 'atLeast')))
);
create index laptop_drafts_by_check_code on laptop_drafts (check_code_sha256) where (check_code_sha256 is not null);
create index laptop_drafts_by_expiry on laptop_drafts (expires_at);
create index laptop_drafts_of_seller on laptop_drafts (seller_id, number);

create table laptop_prices (
  laptop_id uuid not null references laptops(id) on delete cascade,
  since timestamptz default now() not null,
  resale_price_cents integer not null check (resale_price_cents > 0),
  primary key (laptop_id, since)
);

create table retired_laptop_numbers (
  number bigint primary key,
  changed_in xid8 default pg_current_xact_id() not null
);
create index retired_laptop_numbers_by_change on retired_laptop_numbers (changed_in);

create table saved_searches (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  user_id uuid not null references users(id),
  name text not null check (length(name) >= 1 and length(name) <= 120),
  filters jsonb not null check (octet_length((filters)::text) <= 6144),
  filters_sha256 text not null check (filters_sha256 ~ '^[0-9a-f]{64}$'),
  frequency text not null check (frequency in ('at once', 'daily')),
  created_at timestamptz default now() not null,
  known_since xid8 default pg_snapshot_xmin(pg_current_snapshot()) not null,
  paused_at timestamptz,
  last_email_at timestamptz,
  due_at timestamptz,
  constraint saved_once unique (user_id, filters_sha256),
  constraint paused_is_not_due check (due_at is null or paused_at is null)
);
create index saved_searches_due on saved_searches (due_at) where (due_at is not null);
create index saved_searches_to_match on saved_searches (filters_sha256, id) where (paused_at is null);

create table saved_search_news (
  search_id uuid not null references saved_searches(id) on delete cascade,
  laptop_id uuid not null references laptops(id) on delete cascade,
  old_price_cents integer check (old_price_cents > 0),
  noted_at timestamptz default now() not null,
  email_id uuid,
  emailed_at timestamptz,
  primary key (search_id, laptop_id),
  constraint emailed_by_an_email check ((email_id is null) = (emailed_at is null))
);
create index saved_search_news_in_emails on saved_search_news (emailed_at) where (emailed_at is not null);

create table laptops_to_match (
  laptop_id uuid primary key references laptops(id) on delete cascade,
  before jsonb,
  since timestamptz default clock_timestamp() not null,
  changed_in xid8 default pg_current_xact_id() not null,
  version bigint default 1 not null
);

create table wishlist_items (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity,
  buyer_id uuid not null references users(id),
  laptop_id uuid not null references laptops(id),
  added_at timestamptz default now() not null,
  constraint wished_once unique (buyer_id, laptop_id)
);
create index wishlist_items_by_buyer on wishlist_items (buyer_id, number desc);
create index wishlist_items_of_a_laptop on wishlist_items (laptop_id);

alter table audit_entries add constraint audit_entries_laptop_id_fkey foreign key (laptop_id) references laptops(id);

create function photos_in(images text[]) returns table(place integer, url text, photo_hash text) language sql immutable as $$
  select ordinality::integer, url, hash
    from unnest(images) with ordinality as image (url, ordinality),
         substr(url, strpos(url, '/photos/') + 8, 64) as hash
   where url like '%/photos/%' and substr(url, strpos(url, '/photos/') + 72, 1) = '-'
     and length(hash) = 64 and hash !~ '[^0-9a-f]'
$$;

create function add_laptop_photos() returns trigger language plpgsql as $$
  begin
    insert into laptop_photos
    select added.id, shown.place, shown.photo_hash from added, photos_in(added.images) as shown
     where shown.url like '/%' or exists (select from photos where hash = shown.photo_hash);
    return null;
  end
$$;
create trigger laptops_added after insert on laptops referencing new table as added for each statement
  execute function add_laptop_photos();

create function change_laptop_photos() returns trigger language plpgsql as $$
  begin
    delete from laptop_photos where laptop_id = new.id;
    insert into laptop_photos
    select new.id, shown.place, shown.photo_hash from photos_in(new.images) as shown
     where shown.url like '/%' or exists (select from photos where hash = shown.photo_hash);
    return null;
  end
$$;
create trigger laptops_images_changed after update of images on laptops for each row when (old.images is distinct from new.images)
  execute function change_laptop_photos();

create function check_returned_laptop() returns trigger language plpgsql as $$
  begin
    if not exists (
      select from measurements where laptop_id = new.id and measured_at >= new.evidence_since
    ) then
      raise exception 'a laptop that a buyer sent back is measured before it is for sale again'
        using errcode = 'check_violation', constraint = 'returned_is_measured', table = 'laptops';
    end if;
    return new;
  end
$$;
create trigger returned_laptops_are_measured before update of state on laptops for each row when ((old.state in ('sold', 'withdrawn')
  and new.state = 'available' and new.evidence_ended = 'returned'))
  execute function check_returned_laptop();

create function keep_price_of_sale() returns trigger language plpgsql as $$
  begin
    raise exception 'the price of a sale stays'
      using errcode = 'check_violation', constraint = 'price_of_sale_stays', table = tg_table_name;
  end
$$;
create trigger sold_laptops_keep_price before update of resale_price_cents on laptops for each row when ((old.state = 'sold'
  and new.resale_price_cents <> old.resale_price_cents))
  execute function keep_price_of_sale();

create function lower_agreed_prices() returns trigger language plpgsql as $$
  begin
    update bookings
       set price_cents = new.resale_price_cents,
           told_agreed_cents = case when told_price_cents is null then price_cents
                                    else coalesce(told_agreed_cents, price_cents) end,
           told_price_cents = coalesce(told_price_cents, price_cents)
      from (select id from bookings as unpaid
             where laptop_id = new.id and cancelled_at is null and price_cents > new.resale_price_cents
               and not exists (select from orders where booking_id = unpaid.id)
             -- Always in this order, so that two statements cannot wait for each other.
             order by id for update) as lowered
     where bookings.id = lowered.id;
    return null;
  end
$$;
create trigger laptops_price_lowered after update of resale_price_cents on laptops for each row when (new.resale_price_cents < old.resale_price_cents)
  execute function lower_agreed_prices();

create function note_changed_laptop_certificate() returns trigger language plpgsql as $$
  begin
    if exists (select from measurements where laptop_id = new.id) then
      insert into certificates_to_renew (laptop_id) values (new.id) on conflict do nothing;
    end if;
    return null;
  end
$$;
create trigger laptop_certified after update on laptops for each row when (((((((old.state is distinct from new.state
  or old.level is distinct from new.level) or old.level_at is distinct from new.level_at)
  or old.name is distinct from new.name) or old.brand is distinct from new.brand)
  or old.condition is distinct from new.condition)
  or old.description is distinct from new.description))
  execute function note_changed_laptop_certificate();
create trigger laptop_facts_certified after update on laptops for each row when ((((((old.memory_gb is distinct from new.memory_gb
  or old.storage_gb is distinct from new.storage_gb) or old.screen_inches is distinct from new.screen_inches)
  or old.processor is distinct from new.processor) or old.generation is distinct from new.generation)
  or old.graphics is distinct from new.graphics))
  execute function note_changed_laptop_certificate();

create function note_laptop_change() returns trigger language plpgsql as $$
  begin
    new.changed_in := pg_current_xact_id();
    if tg_op = 'UPDATE' and new.state is distinct from old.state then
      new.state_since := now();
    end if;
    return new;
  end
$$;
create trigger laptop_changes before insert or update on laptops for each row
  execute function note_laptop_change();

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
create trigger changes_to_match_1 after insert on laptops for each row when (new.state = 'available')
  execute function note_laptop_to_match();
create trigger changes_to_match_2 after update on laptops for each row when (new.state = 'available')
  execute function note_laptop_to_match();

create function note_laptops_with_new_photos() returns trigger language plpgsql as $$
  begin
    insert into laptops_to_compare (laptop_id)
    select distinct laptop_id from added
     where exists (select from photo_thumbnails where photo_thumbnails.photo_hash = added.photo_hash);
    return null;
  end
$$;
create trigger laptop_photos_to_compare after insert on laptop_photos referencing new table as added for each statement
  execute function note_laptops_with_new_photos();

create function note_laptops_with_photo() returns trigger language plpgsql as $$
  begin
    insert into laptops_to_compare (laptop_id)
    select distinct laptop_id from laptop_photos where photo_hash = new.photo_hash;
    return null;
  end
$$;
create trigger fingerprinted_photo_to_compare after insert on photo_thumbnails for each row
  execute function note_laptops_with_photo();

create function note_price() returns trigger language plpgsql as $$
  begin
    insert into laptop_prices (laptop_id, since, resale_price_cents)
      values (new.id, clock_timestamp(), new.resale_price_cents);
    return null;
  end
$$;
create trigger first_prices after insert on laptops for each row
  execute function note_price();
create trigger later_prices after update of resale_price_cents on laptops for each row when (new.resale_price_cents <> old.resale_price_cents)
  execute function note_price();

create function note_relisted_laptop() returns trigger language plpgsql as $$
  begin
    insert into laptops_to_compare (laptop_id) values (new.id);
    return null;
  end
$$;
create trigger relisted_laptop_to_compare after update of state on laptops for each row when ((old.state <> 'available'
  and new.state = 'available'))
  execute function note_relisted_laptop();

create function tell_catalogue_changed() returns trigger language plpgsql as $$
  begin
    notify catalogue_changed;
    return null;
  end
$$;
create trigger brands_changed after insert or delete
  or update on brands for each statement
  execute function tell_catalogue_changed();

create function tell_laptops_changed() returns trigger language plpgsql as $$
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

  select coalesce(jsonb_agg(distinct tag), '[]')::text into tags
    from (
      select coalesce(n.id, o.id) as id, o.brand as old_brand, n.brand as new_brand,
             n.memory_gb as memory, coalesce(o.state = 'available', false) as was_listed, coalesce(n.state = 'available', false) as is_listed,
             coalesce(o.state = 'available' and o.advertised_at is not null, false) as was_advertised, coalesce(n.state = 'available' and n.advertised_at is not null, false) as is_advertised,
             o.brand is distinct from n.brand or o.number is distinct from n.number as is_moved,
             o.memory_gb is distinct from n.memory_gb as is_refitted,
             row(o.brand, o.name, o.location, o.condition, o.original_price_cents, o.resale_price_cents, o.memory_gb, o.storage_gb, o.screen_inches, o.processor, o.generation, o.graphics, o.system, o.level, o.battery_percent, o.measured_battery) is distinct from row(n.brand, n.name, n.location, n.condition, n.original_price_cents, n.resale_price_cents, n.memory_gb, n.storage_gb, n.screen_inches, n.processor, n.generation, n.graphics, n.system, n.level, n.battery_percent, n.measured_battery) as is_edited
        from new_rows n left join laptops o on false
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
   where tag is not null;
        elsif tg_op = 'UPDATE' then

  select coalesce(jsonb_agg(distinct tag), '[]')::text into tags
    from (
      select coalesce(n.id, o.id) as id, o.brand as old_brand, n.brand as new_brand,
             n.memory_gb as memory, coalesce(o.state = 'available', false) as was_listed, coalesce(n.state = 'available', false) as is_listed,
             coalesce(o.state = 'available' and o.advertised_at is not null, false) as was_advertised, coalesce(n.state = 'available' and n.advertised_at is not null, false) as is_advertised,
             o.brand is distinct from n.brand or o.number is distinct from n.number as is_moved,
             o.memory_gb is distinct from n.memory_gb as is_refitted,
             row(o.brand, o.name, o.location, o.condition, o.original_price_cents, o.resale_price_cents, o.memory_gb, o.storage_gb, o.screen_inches, o.processor, o.generation, o.graphics, o.system, o.level, o.battery_percent, o.measured_battery) is distinct from row(n.brand, n.name, n.location, n.condition, n.original_price_cents, n.resale_price_cents, n.memory_gb, n.storage_gb, n.screen_inches, n.processor, n.generation, n.graphics, n.system, n.level, n.battery_percent, n.measured_battery) as is_edited
        from old_rows o join new_rows n using (id)
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
   where tag is not null;
        else

  select coalesce(jsonb_agg(distinct tag), '[]')::text into tags
    from (
      select coalesce(n.id, o.id) as id, o.brand as old_brand, n.brand as new_brand,
             n.memory_gb as memory, coalesce(o.state = 'available', false) as was_listed, coalesce(n.state = 'available', false) as is_listed,
             coalesce(o.state = 'available' and o.advertised_at is not null, false) as was_advertised, coalesce(n.state = 'available' and n.advertised_at is not null, false) as is_advertised,
             o.brand is distinct from n.brand or o.number is distinct from n.number as is_moved,
             o.memory_gb is distinct from n.memory_gb as is_refitted,
             row(o.brand, o.name, o.location, o.condition, o.original_price_cents, o.resale_price_cents, o.memory_gb, o.storage_gb, o.screen_inches, o.processor, o.generation, o.graphics, o.system, o.level, o.battery_percent, o.measured_battery) is distinct from row(n.brand, n.name, n.location, n.condition, n.original_price_cents, n.resale_price_cents, n.memory_gb, n.storage_gb, n.screen_inches, n.processor, n.generation, n.graphics, n.system, n.level, n.battery_percent, n.measured_battery) as is_edited
        from old_rows o left join laptops n on false
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
   where tag is not null;
        end if;
      end if;
      -- A notification holds less than 8,000 bytes.
      perform pg_notify('catalogue_changed', case when octet_length(tags) < 8000 then tags else '' end);
      return null;
    end
$$;
create trigger laptops_deleted after delete on laptops referencing old table as old_rows for each statement
  execute function tell_laptops_changed();
create trigger laptops_inserted after insert on laptops referencing new table as new_rows for each statement
  execute function tell_laptops_changed();
create trigger laptops_updated after update on laptops referencing old table as old_rows new table as new_rows for each statement when ((coalesce(current_setting('coomercio.laptops_unchanged', true), '') <> 'yes'))
  execute function tell_laptops_changed();

create function tell_offers_changed() returns trigger language plpgsql as $$
  declare
    people uuid[];
  begin
    if tg_op = 'INSERT' then
      select array_agg(distinct seller_id) into people from new_rows where state = 'available';
    else
      select array_agg(distinct new_rows.seller_id) into people from old_rows join new_rows using (id)
       where (old_rows.state = 'available') <> (new_rows.state = 'available');
    end if;
    perform tell_people_changed('offers of', people);
    return null;
  end
$$;
create trigger offers_added after insert on laptops referencing new table as new_rows for each statement
  execute function tell_offers_changed();
create trigger offers_changed after update on laptops referencing old table as old_rows new table as new_rows for each statement
  execute function tell_offers_changed();

insert into brands (category_id, image, position)
  values ('HP', '/brands/hp.svg', 1), ('Dell', '/brands/dell.svg', 2), ('Acer', '/brands/acer.svg', 3);
