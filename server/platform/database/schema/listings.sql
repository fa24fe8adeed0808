-- Laptops, their photos and prices, drafts, saved searches and wishlists.

-- A brand of laptops, which the shop calls a category.
create table brands (
  id uuid primary key default gen_random_uuid(),
  category_id text not null unique check (length(category_id) between 1 and 60), -- its name, also in addresses
  -- Of the name, as skeletonOf of server/listings/brands: names that look alike have the same.
  skeleton text not null constraint brand_looks_like_no_other unique check (skeleton <> ''),
  image text, -- the logo; null for one made of the initial
  -- In lists of brands. Deferrable: one statement gives all of them another order.
  position integer not null constraint brand_position unique deferrable initially immediate,
  hidden_since timestamptz -- its laptops stay for sale, but it is in no list of brands and takes no new ones
);
insert into brands (category_id, skeleton, image, position) values
  ('HP', 'hp', '/brands/hp.svg', 1),
  ('Dell', 'deii', '/brands/dell.svg', 2),
  ('Acer', 'acer', '/brands/acer.svg', 3);

-- A name that a brand had, or that of a brand that was merged into it. Its addresses lead to the brand.
create table former_brand_names (
  category_id text primary key,
  brand_id uuid not null references brands
);
create index former_brand_names_of_brand on former_brand_names (brand_id);

create function tell_catalogue_changed() returns trigger language plpgsql as $$
  begin
    notify catalogue_changed;
    return null;
  end
$$;
-- Most pages show brands, and admins seldom change them, so all cached responses are dropped.
create trigger brands_changed after insert or update or delete on brands
  for each statement execute function tell_catalogue_changed();

-- Photos ------------------------------------------------------------------------------------------------------------

-- Which folder has the photos, when they are on disk. A process with another folder is refused. At most one row.
create table photo_folder (
  singleton boolean primary key default true check (singleton),
  id uuid not null,
  since timestamptz not null default now()
);

-- A photo of the built-in image host.
create table photos (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'), -- SHA-256 of the uploaded bytes
  -- waiting: nothing shows it yet; listed: something shows it; leaving: being deleted; gone: deleted
  state text not null default 'waiting' check (state in ('waiting', 'listed', 'leaving', 'gone')),
  since timestamptz not null default now(), -- of the state
  bytes integer not null default 0 check (bytes >= 0), -- of the file from which variants are made
  -- Hashed keys of the quotas in which it counts while nothing shows it: its uploader's and the address ranges'.
  counted_for text[] not null default '{}'
);
-- One index for each query: in a common one, the photos that were deleted in the last 90 days would slow the others
-- down.
create index photos_waiting on photos (since) where state = 'waiting';
create index unclaimed_photos on photos using gin (counted_for) where state = 'waiting';
create index photos_leaving on photos (hash) where state = 'leaving';
create index photos_gone on photos (since) where state = 'gone';

-- A small picture of a photo, with which others are compared. A private or plain photo, such as of a white wall, has none.
create table photo_thumbnails (
  photo_hash text primary key references photos on delete cascade,
  -- 64 by 64 pixels, one byte of luminance each, row by row.
  thumbnail bytea not null check (octet_length(thumbnail) = 4096)
);

-- The photos of the built-in host among image URLs. Not one regular expression: PostgreSQL takes a hundred times as
-- long to match the quantifier {64}.
create function photos_in(images text[]) returns table (place integer, url text, photo_hash text)
  language sql immutable as $$
  select ordinality::integer, url, hash
    from unnest(images) with ordinality as image (url, ordinality),
         substr(url, strpos(url, '/photos/') + 8, 64) as hash
   where url like '%/photos/%' and substr(url, strpos(url, '/photos/') + 72, 1) = '-'
     and length(hash) = 64 and hash !~ '[^0-9a-f]'
$$;

-- Laptops -----------------------------------------------------------------------------------------------------------

-- A code of five characters without look-alikes. Bytes 0 to 4 of a random UUID are random.
create function new_slip_code() returns text language sql as $$
  select string_agg(substr('34679ACDEFGHJKMNPQRTUVWXY', get_byte(bytes, place) % 25 + 1, 1), '')
    from (select uuid_send(gen_random_uuid()) as bytes) as random, generate_series(0, 4) as place
$$;

-- A laptop that a seller has listed.
create table laptops (
  id uuid primary key default gen_random_uuid(),
  -- Listing the laptop again gives it a new one, so that it is among the newest. Not unique, as of users.
  number bigint generated always as identity,
  seller_id uuid not null references users,
  created_at timestamptz not null default now(),
  advertised_at timestamptz,

  -- What the seller wrote.
  brand text not null references brands (category_id) on update cascade,
  name text not null,
  location text not null,
  condition text not null check (condition in ('Excellent', 'Good', 'Fair')),
  description jsonb not null check (jsonb_typeof(description) in ('string', 'object')),
  original_price_cents integer not null check (original_price_cents > 0),
  resale_price_cents integer not null check (resale_price_cents > 0),
  currency text not null default 'USD', -- of the prices
  posted_time text not null, -- when it was listed, as the client wrote it
  use_time text not null,
  mobile_number text not null,
  -- How the buyer gets it: both meet, the seller sends it, or as the buyer likes.
  delivery text not null default 'meet' check (delivery in ('meet', 'ship', 'both')),
  ships_from text check (ships_from ~ '^[A-Z]{2}$'), -- the country in which it is sent
  images text[] not null check (cardinality(images) between 1 and 8), -- the first is the main photo
  -- By the entries of images, so that a moved or removed photo needs no change of these.
  photo_captions jsonb not null default '{}' check (jsonb_typeof(photo_captions) = 'object'),
  photo_kinds jsonb not null default '{}' check (jsonb_typeof(photo_kinds) = 'object'),
  -- The seller writes it on a slip of paper in one of the photos, which shows that the laptop is there.
  slip_code text not null default new_slip_code() check (slip_code ~ '^[34679ACDEFGHJKMNPQRTUVWXY]{5}$'),
  version integer not null default 1 check (version > 0), -- counts the edits; an edit names the version of its form
  price_version integer not null default 1 check (price_version > 0), -- the version with which the price last changed
  edited_at timestamptz, -- of the last edit

  -- The facts that were read from the description; null for what it does not say. Searches filter by them.
  memory_gb integer check (memory_gb between 1 and 1024),
  storage_gb integer check (storage_gb between 1 and 65536),
  screen_inches real check (screen_inches between 10 and 21),
  processor text check (processor ~ '^[a-z0-9-]{1,40}$'),
  generation text check (generation ~ '^[a-z0-9-]{1,40}$'),
  graphics text check (graphics ~ '^[a-z0-9-]{1,40}$'),
  system text check (system ~ '^[a-z0-9-]{1,40}$'),
  battery_percent integer check (battery_percent between 1 and 130), -- of the capacity when new; gauges exceed 100
  facts_version integer not null default 0, -- of the rules by which they were read; 0: not read yet

  state text not null default 'available'
    check (state in ('available', 'sold', 'withdrawn', 'taken_down', 'blocked')), -- blocked: a lock was found on it
  state_since timestamptz not null default now(),
  sold_order_id uuid, -- references orders, which sales.sql creates
  taken_down_note text, -- an admin's message to the seller
  -- That of the shop (priced_in_currency in money.sql), while the laptop can be bought or can become so by itself.
  listed_currency text generated always as (case when state in ('available', 'blocked') then currency end) stored,

  -- How well the listing is checked (server/certification/inspections).
  level text not null default 'word' check (level in ('word', 'measured', 'inspected_photos', 'inspected_hand')),
  level_at timestamptz, -- when it was measured or inspected
  measured_battery integer check (measured_battery between 0 and 130), -- percent, by the latest measurement
  -- Measurements, browser checks and inspections from before this time do not count; null: all count. In whole
  -- milliseconds, because the shop compares it with times in milliseconds.
  evidence_since timestamptz check (evidence_since = date_trunc('milliseconds', evidence_since)),
  -- returned: a buyer sent it back as not as described; absent: it was not for sale for long
  evidence_ended text check (evidence_ended in ('returned', 'absent')),

  -- The transaction that last changed the row. A reader that remembers pg_snapshot_xmin of its snapshot finds every
  -- later change by changed_in >= xmin, in whatever order the transactions commit. The search index follows laptops so.
  changed_in xid8 not null default pg_current_xact_id(),

  constraint laptop_of_seller unique (seller_id, id),
  constraint shipped_from_a_country check ((delivery = 'meet') = (ships_from is null)),
  check (resale_price_cents <= original_price_cents),
  constraint price_version_exists check (price_version <= version),
  constraint sold_in_an_order check ((state = 'sold') = (sold_order_id is not null)),
  constraint taken_down_has_note check ((state = 'taken_down') = (taken_down_note is not null)),
  constraint level_has_date check ((level = 'word') = (level_at is null)),
  constraint level_has_evidence check (level_at >= evidence_since),
  constraint blocked_is_unchecked check (state <> 'blocked' or level = 'word'),
  constraint ended_evidence_has_time check ((evidence_since is null) = (evidence_ended is null))
);
alter table notifications add constraint notifications_laptop_id_fkey foreign key (laptop_id) references laptops;
create index laptops_on_the_shelf on laptops (brand, number desc) where state = 'available';
create index laptops_advertised on laptops (number desc) where state = 'available' and advertised_at is not null;
create index laptops_for_sale_by_seller on laptops (seller_id, number desc) where state = 'available';
create index laptops_listed_by_seller on laptops (seller_id, number desc) where state <> 'withdrawn';
create index laptops_withdrawn_by_seller on laptops (seller_id, number desc) where state = 'withdrawn';
-- The lists of the inspection queue, of which one has two levels.
create index laptops_measured on laptops (number desc) where state = 'available' and level = 'measured';
create index laptops_inspected on laptops (number desc)
  where state = 'available' and level in ('inspected_photos', 'inspected_hand');
create index laptops_by_facts_version on laptops (facts_version);
create index laptops_by_change on laptops (changed_in);
-- For loading the search index. Its key is an expression, so that no list of a brand or a seller, which is ordered by
-- the number itself, scans all laptops with it.
create index laptops_to_search on laptops ((number + 0)) where state = 'available';

alter table audit_entries
  add constraint audit_entries_laptop_id_fkey foreign key (laptop_id) references laptops;

create function note_laptop_change() returns trigger language plpgsql as $$
  begin
    new.changed_in := pg_current_xact_id();
    if tg_op = 'UPDATE' and new.state is distinct from old.state then
      new.state_since := now();
    end if;
    return new;
  end
$$;
-- The search index would keep for ever what it missed, so no statement can change a laptop without this.
create trigger laptop_changes before insert or update on laptops
  for each row execute function note_laptop_change();

-- A number that a laptop had before it was listed again. The search index knows laptops by number, and removes this one
-- even if it missed the withdrawal.
create table retired_laptop_numbers (
  number bigint primary key,
  changed_in xid8 not null default pg_current_xact_id() -- as of laptops
);
create index retired_laptop_numbers_by_change on retired_laptop_numbers (changed_in);

-- A price of a laptop, and since when it applies.
create table laptop_prices (
  laptop_id uuid not null references laptops on delete cascade,
  since timestamptz not null default now(),
  resale_price_cents integer not null check (resale_price_cents > 0),
  primary key (laptop_id, since)
);

create function note_price() returns trigger language plpgsql as $$
  begin
    insert into laptop_prices (laptop_id, since, resale_price_cents)
      values (new.id, clock_timestamp(), new.resale_price_cents);
    return null;
  end
$$;
-- The laptop's page states the lowest price of the last 30 days, whatever has changed the price.
create trigger first_prices after insert on laptops
  for each row execute function note_price();
create trigger later_prices after update of resale_price_cents on laptops
  for each row when (new.resale_price_cents <> old.resale_price_cents)
  execute function note_price();

create function keep_price_of_sale() returns trigger language plpgsql as $$
  begin
    raise exception 'the price of a sale stays'
      using errcode = 'check_violation', constraint = 'price_of_sale_stays', table = tg_table_name;
  end
$$;
-- Receipts, refunds and the laptop's page must name the same price.
create trigger sold_laptops_keep_price before update of resale_price_cents on laptops
  for each row when (old.state = 'sold' and new.resale_price_cents <> old.resale_price_cents)
  execute function keep_price_of_sale();

-- Which laptop shows which photo of the built-in host, derived from laptops.images
-- (docs/decisions/0014-laptop-photos-by-trigger.md). Foreign keys make sure that a shown photo has a row, which no
-- constraint on the elements of an array can.
create table laptop_photos (
  laptop_id uuid not null constraint photo_of_a_laptop references laptops on delete cascade,
  position integer not null, -- in laptops.images, from 1
  photo_hash text not null constraint shown_photo_is_known references photos,
  primary key (laptop_id, position)
);
create index laptop_photos_of_a_photo on laptop_photos (photo_hash);

-- The shop's own photos are stored as paths. A photo at any other URL is its own only if its hash is in photos.
create function add_laptop_photos() returns trigger language plpgsql as $$
  begin
    insert into laptop_photos
    select added.id, shown.place, shown.photo_hash from added, photos_in(added.images) as shown
     where shown.url like '/%' or exists (select from photos where hash = shown.photo_hash);
    return null;
  end
$$;
-- Of an image without its row here, the file would be deleted as unused while the laptop shows it.
create trigger laptops_added after insert on laptops referencing new table as added
  for each statement execute function add_laptop_photos();

create function change_laptop_photos() returns trigger language plpgsql as $$
  begin
    delete from laptop_photos where laptop_id = new.id;
    insert into laptop_photos
    select new.id, shown.place, shown.photo_hash from photos_in(new.images) as shown
     where shown.url like '/%' or exists (select from photos where hash = shown.photo_hash);
    return null;
  end
$$;
create trigger laptops_images_changed after update of images on laptops -- as laptops_added
  for each row when (old.images is distinct from new.images)
  execute function change_laptop_photos();

-- Cached pages and searches -----------------------------------------------------------------------------------------

-- The battery by which searches filter, in percent. factsResponse of server/listings/catalogue has the same rule.
-- @param written what the seller wrote
create function shown_battery(level text, written integer, measured integer) returns integer
  language sql immutable as $$
  select case
    when level <> 'word' and measured is not null then measured
    when measured < written then null
    else written
  end
$$;

-- The seller's texts without the notes, which are prose. Null fields, and all of a description in one text, are left out. Not immutable, because concat_ws is not, which also lets PostgreSQL inline it.
create function configuration_text(description jsonb) returns text language sql stable as $$
  select concat_ws(' / ', description->>'Processor', description->>'Graphics', description->>'Display',
    description->>'Memory', description->>'Storage', description->>'Battery', description->>'Operating')
$$;

-- The beginning of the notes, or of a description in one text. A search reads no more of them.
create function notes_text(description jsonb) returns text language sql immutable as $$
  select left(coalesce(
    case jsonb_typeof(description) when 'string' then description #>> '{}' else description->>'Notes' end, ''), 600)
$$;

-- What searches match, count and order by, besides the state and the number.
create function searched_facts(laptop laptops, verified boolean) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'brand', laptop.brand, 'condition', laptop.condition, 'priceCents', laptop.resale_price_cents,
    'originalCents', laptop.original_price_cents, 'memory', laptop.memory_gb, 'storage', laptop.storage_gb,
    'screen', laptop.screen_inches, 'processor', laptop.processor, 'generation', laptop.generation,
    'graphics', laptop.graphics, 'system', laptop.system, 'verified', verified, 'place', laptop.location,
    'shipping', laptop.delivery <> 'meet', 'name', laptop.name, 'level', laptop.level,
    'battery', shown_battery(laptop.level, laptop.battery_percent, laptop.measured_battery),
    'configuration', configuration_text(laptop.description), 'notes', notes_text(laptop.description))
$$;

-- The tags of a change of a laptop, as in server/listings/catalogue/change-tags.ts. @param before null for a new laptop
-- @param after null for a deleted one
create function tags_of_change(before laptops, after laptops) returns setof text language sql stable as $$
  select tag
    from (
      select coalesce(before.state = 'available', false) as was_listed,
             coalesce(after.state = 'available', false) as is_listed,
             coalesce(before.state = 'available' and before.advertised_at is not null, false) as was_advertised,
             coalesce(after.state = 'available' and after.advertised_at is not null, false) as is_advertised,
             before.brand is distinct from after.brand or before.number is distinct from after.number as is_moved,
             before.memory_gb is distinct from after.memory_gb as is_refitted,
             -- Of the seller's verification, verification_changed tells.
             searched_facts(before, false) is distinct from searched_facts(after, false) as is_edited
    ) as change
   cross join lateral (
      select 'laptop ' || coalesce(after.id, before.id)
      union all
      select 'brand ' || before.brand where was_listed and (not is_listed or is_moved)
      union all
      select 'brand ' || after.brand where is_listed and (not was_listed or is_moved)
      union all
      select 'advertised' where was_advertised <> is_advertised or (is_advertised and is_moved)
      union all
      select 'offers of ' || coalesce(after.seller_id, before.seller_id) where was_listed <> is_listed
      union all
      select 'search' where was_listed <> is_listed or (is_listed and (is_moved or is_edited))
      union all
      select unnest(array[
               'newest ' || after.brand,
               'newest with ' || after.memory_gb || ' GB',
               'newest ' || after.brand || ' with ' || after.memory_gb || ' GB'
             ])
       where is_listed and (not was_listed or is_moved or is_refitted)
   ) as tags (tag)
   where tag is not null
$$;

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
          from new_rows as n cross join lateral tags_of_change(null, n::laptops) as tag;
      elsif tg_op = 'UPDATE' then
        select coalesce(jsonb_agg(distinct tag), '[]')::text into tags
          from old_rows as o join new_rows as n using (id)
         cross join lateral tags_of_change(o::laptops, n::laptops) as tag;
      else
        select coalesce(jsonb_agg(distinct tag), '[]')::text into tags
          from old_rows as o cross join lateral tags_of_change(o::laptops, null) as tag;
      end if;
    end if;
    -- A notification holds less than 8,000 bytes.
    perform pg_notify('catalogue_changed', case when octet_length(tags) < 8000 then tags else '' end);
    return null;
  end
$$;
-- Bookings, payments, inspections and admins change laptops, too. Without the tags, every process would go on answering
-- with the laptop as it was.
create trigger laptops_inserted after insert on laptops referencing new table as new_rows
  for each statement execute function tell_laptops_changed();
create trigger laptops_updated after update on laptops referencing old table as old_rows new table as new_rows
  for each statement when (coalesce(current_setting('coomercio.laptops_unchanged', true), '') <> 'yes')
  execute function tell_laptops_changed();
create trigger laptops_deleted after delete on laptops referencing old table as old_rows
  for each statement execute function tell_laptops_changed();

-- Drafts ------------------------------------------------------------------------------------------------------------

-- A laptop that is measured before it is listed. Listing gives its measurements and browser checks to the laptop and
-- deletes the draft.
create table laptop_drafts (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  seller_id uuid not null references users on delete cascade,
  expires_at timestamptz not null,
  -- Becomes the laptop's code.
  slip_code text not null default new_slip_code() check (slip_code ~ '^[34679ACDEFGHJKMNPQRTUVWXY]{5}$')
);
create index laptop_drafts_of_seller on laptop_drafts (seller_id, number);
create index laptop_drafts_by_expiry on laptop_drafts (expires_at);

-- Saved searches ----------------------------------------------------------------------------------------------------

-- A search whose new matches are emailed to its user.
create table saved_searches (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  user_id uuid not null references users,
  name text not null check (length(name) between 1 and 120),
  filters jsonb not null check (octet_length(filters::text) <= 6144),
  -- Of the filters' normal form: equal searches are matched once.
  filters_sha256 text not null check (filters_sha256 ~ '^[0-9a-f]{64}$'),
  frequency text not null check (frequency in ('at once', 'daily')),
  created_at timestamptz not null default now(),
  -- Changes in transactions below this one were visible when the search was saved or resumed.
  known_since xid8 not null default pg_snapshot_xmin(pg_current_snapshot()),
  paused_at timestamptz, -- no emails are sent since, for instance after unsubscribing; null while they are
  last_email_at timestamptz,
  due_at timestamptz, -- of the next email; null while there is nothing to tell
  constraint saved_once unique (user_id, filters_sha256),
  constraint paused_is_not_due check (due_at is null or paused_at is null)
);
create index saved_searches_to_match on saved_searches (filters_sha256, id) where paused_at is null;
create index saved_searches_due on saved_searches (due_at) where due_at is not null;

-- A laptop of which a search's user is not told yet. Removed when the email was sent.
create table saved_search_news (
  search_id uuid not null references saved_searches on delete cascade,
  laptop_id uuid not null references laptops on delete cascade,
  old_price_cents integer check (old_price_cents > 0), -- before it dropped; null for a laptop that newly matches
  noted_at timestamptz not null default now(),
  email_id uuid, -- the email that is being sent with it
  emailed_at timestamptz, -- when that was enqueued
  primary key (search_id, laptop_id),
  constraint emailed_by_an_email check ((email_id is null) = (emailed_at is null))
);
create index saved_search_news_in_emails on saved_search_news (emailed_at) where emailed_at is not null;

-- A laptop of which a search's user was told, so that one that leaves the search and returns is not news again.
create table saved_search_told (
  search_id uuid not null references saved_searches on delete cascade,
  laptop_id uuid not null references laptops on delete cascade,
  price_cents integer not null check (price_cents > 0), -- in the last email with it
  told_at timestamptz not null default now(),
  primary key (search_id, laptop_id)
);

-- A laptop that was listed, listed again or changed since it was last matched against the saved searches.
create table laptops_to_match (
  laptop_id uuid primary key references laptops on delete cascade,
  before jsonb, -- its searched_facts before the first change; null when it was not for sale
  since timestamptz not null default clock_timestamp(), -- the first change
  changed_in xid8 not null default pg_current_xact_id(), -- the transaction of the latest change
  version bigint not null default 1 -- ascends with each further change
);

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
-- A row commits with its change, so that none is missed, in whatever order the transactions commit. Triggers run in the
-- order of their names: a change is noted before its price (first_prices, later_prices), and so not after it.
create trigger changes_to_match after insert or update on laptops
  for each row when (new.state = 'available')
  execute function note_laptop_to_match();

create function note_verification() returns trigger language plpgsql as $$
  declare
    has_laptops boolean;
  begin
    -- In the order in which other transactions lock several.
    perform from laptops where seller_id = new.id and state = 'available' order by id for no key update;
    perform set_config('coomercio.laptops_unchanged', 'yes', true);
    update laptops set changed_in = pg_current_xact_id() where seller_id = new.id and state = 'available';
    has_laptops := found;
    perform set_config('coomercio.laptops_unchanged', '', true);
    if has_laptops then
      perform pg_notify('catalogue_changed', '["search"]');
    end if;
    -- After the laptops are locked: other transactions do it in this order, too.
    if has_laptops and new.verified then
      insert into laptops_to_match as waiting (laptop_id, before)
        select id, searched_facts(laptops, false) from laptops
         where seller_id = new.id and state = 'available' order by id
        on conflict (laptop_id) do update
          set version = waiting.version + 1, changed_in = excluded.changed_in;
    end if;
    return null;
  end
$$;
-- Searches filter by the verification of sellers and count it: the search index must read the seller's laptops again,
-- and cached searches are dropped. Of the laptops themselves nothing has changed, so that laptops_updated does not tell
-- of them. The laptops of a seller who gets verified newly match saved searches for verified sellers.
create trigger verification_changed after update of verified on users
  for each row when (new.verified is distinct from old.verified)
  execute function note_verification();

-- Wishlists ---------------------------------------------------------------------------------------------------------

-- A laptop on a buyer's wishlist.
create table wishlist_items (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity, -- not unique, as of users
  buyer_id uuid not null references users,
  laptop_id uuid not null references laptops,
  added_at timestamptz not null default now(),
  constraint wished_once unique (buyer_id, laptop_id)
);
create index wishlist_items_by_buyer on wishlist_items (buyer_id, number desc);
create index wishlist_items_of_a_laptop on wishlist_items (laptop_id);
