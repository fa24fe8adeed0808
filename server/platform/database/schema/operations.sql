-- Reports of listings, backups, and pages that admins write.

-- A report of a listing, by a person or by the shop itself, which found the same laptop, part or photo in another
-- listing.
create table reports (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity, -- not unique, as of users
  laptop_id uuid not null references laptops,
  reporter_id uuid references users, -- null when the shop reports it
  reason text not null constraint reports_reason_check check (
    case when reporter_id is null then reason in ('Same laptop', 'Same part', 'Same photo')
         else reason in ('Counterfeit', 'Not as described', 'Stolen', 'Prohibited', 'Other') end
  ),
  other_laptop_id uuid references laptops, -- the listing with the same laptop, part or photo
  -- The photos that are the same, as in laptops.images, from which they may have been removed since.
  photo text,
  other_photo text,
  note text not null,
  resolution text check (resolution in ('dismissed', 'taken_down')), -- null while an admin has not decided
  created_at timestamptz not null default now(),
  constraint report_by_the_shop
    check ((reporter_id is null) = (other_laptop_id is not null) and other_laptop_id <> laptop_id),
  constraint report_of_photos
    check ((photo is not null) = (reason = 'Same photo') and (photo is null) = (other_photo is null))
);
-- Also after a dismissal.
create unique index reported_by_the_shop_once on reports (laptop_id, other_laptop_id, reason) where reporter_id is null;
create unique index reports_open_once on reports (laptop_id, reporter_id) where resolution is null;
create index reports_by_laptop on reports (laptop_id, number desc);
create index open_reports on reports (laptop_id) where resolution is null;
create index reports_that_took_down on reports (laptop_id) where resolution = 'taken_down';
create index reports_by_reporter on reports (reporter_id, number);

-- All other listings of a laptop that was reported as stolen are looked for, as of measured_laptop_to_compare.
create trigger stolen_laptop_to_compare after insert on reports
  for each row when (new.reason = 'Stolen')
  execute function note_laptop_to_compare('laptop_id');

-- Sums of a laptop's reports, for an index in the order of the admins' list.
create table reported_laptops (
  laptop_id uuid primary key references laptops,
  reports integer not null check (reports > 0),
  open_reports integer not null check (open_reports between 0 and reports),
  has_open boolean not null generated always as (open_reports > 0) stored,
  latest bigint not null -- the number of the latest report
);
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
-- An admin would not see a laptop whose reports were not counted. People, the comparison of laptops and take-downs
-- change reports.
create trigger reports_counted after insert on reports
  for each row execute function count_report();

create function count_resolution() returns trigger language plpgsql as $$
  begin
    update reported_laptops
       set open_reports = open_reports + (new.resolution is null)::int - (old.resolution is null)::int
     where laptop_id = new.laptop_id;
    return null;
  end
$$;
create trigger resolutions_counted after update of resolution on reports -- as reports_counted
  for each row execute function count_resolution();

-- The state of periodic backups. One row. Backups do not contain it: a restored shop makes a new one at once.
create table backup_state (
  singleton boolean primary key default true check (singleton),
  every_ms bigint check (every_ms > 0), -- the interval of the settings; null when periodic backups are off
  expected_since timestamptz, -- since when they are on with this interval
  last_at timestamptz, -- when the last usable backup was begun: it contains what was committed before
  last_bytes bigint check (last_bytes >= 0),
  last_duration_ms bigint check (last_duration_ms >= 0),
  unverified text, -- why that backup was not verified; null when it was
  verified_at timestamptz, -- last_at of the last backup that was verified by a restore
  attempted_at timestamptz, -- when the last run began
  failures integer not null default 0 check (failures >= 0), -- runs since the last usable backup, with the one under way
  failure text, -- why the last run failed; null after a usable backup
  unfinished_name text, -- the backup that the last run wrote, unless it succeeded; the next run removes it
  notified_at timestamptz, -- when the admins were told that backups fail; null since a usable one
  check (num_nulls(every_ms, expected_since) in (0, 2)),
  check (num_nulls(last_at, last_bytes, last_duration_ms) in (0, 3)),
  check (failures = 0 or attempted_at is not null)
);
insert into backup_state default values;

-- What the owner decides about the shop (contract/platform/shop-settings.ts). One row, and none before the first change.
create table shop_settings (
  only_row boolean primary key default true check (only_row),
  version integer not null check (version > 0), -- counts the changes, so that nobody overwrites one unseen
  document jsonb not null
    check (jsonb_typeof(document) = 'object' and octet_length(document::text) <= 100000)
    constraint shop_settings_name check (length(document ->> 'name') between 1 and 40)
    constraint shop_settings_time_zone check (timezone(document ->> 'timeZone', timestamptz 'epoch') is not null)
    constraint shop_settings_commission check (
      (document #>> '{commission,basisPoints}')::int between 0 and 5000
      and (document #>> '{commission,fixedCents}')::int between 0 and 10000000
    ),
  changed_at timestamptz not null default now()
);

create function tell_settings_changed() returns trigger language plpgsql as $$
  begin
    if new.version <> coalesce(old.version, 0) + 1 then
      raise exception 'the settings were changed in the meantime';
    end if;
    perform pg_notify('settings_changed', new.version::text);
    return null;
  end
$$;
-- Every process has the settings in memory, and a change that it missed would have it sell under other terms.
create trigger tell_settings_changed after insert or update on shop_settings
  for each row execute function tell_settings_changed();

-- A picture of the shop, such as its logo. One that the settings do not name is removed after a day.
create table shop_pictures (
  name text primary key check (name ~ '^[0-9a-f]{32}\.(webp|png|jpeg)$'), -- a hash of the bytes, and their format
  bytes bytea not null check (octet_length(bytes) between 1 and 220000),
  created_at timestamptz not null default now()
);
-- Pages that admins write -------------------------------------------------------------------------------------------

-- A page, such as the terms, or a post of the blog.
create table content_pages (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  kind text not null check (kind in ('page', 'post')),
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 60), -- in its address
  published_version integer, -- null for a draft
  published_at timestamptz, -- when that version was published
  first_published_at timestamptz, -- from then on the address stays
  constraint one_page_at_an_address unique (kind, slug),
  constraint published_version_has_time check ((published_version is null) = (published_at is null)),
  constraint published_is_first_published check (published_at is null or first_published_at is not null)
);

-- A version of a page. Saving adds one, and none is ever changed.
create table content_versions (
  page_id uuid not null references content_pages on delete cascade,
  version integer not null check (version > 0),
  title text not null check (length(title) between 1 and 120),
  description text not null check (length(description) between 1 and 200), -- for search engines and lists
  body text not null check (length(body) <= 40000), -- Markdown
  saved_by uuid references users, -- null for the samples that come with the shop
  saved_at timestamptz not null default now(),
  primary key (page_id, version)
);
create index content_versions_by_user on content_versions (saved_by) where saved_by is not null;
alter table content_pages add constraint published_version_exists
  foreign key (id, published_version) references content_versions (page_id, version);

-- The footer of every page lists the published ones, and they seldom change, so all cached responses are dropped.
create trigger content_pages_changed after update of published_version or delete on content_pages
  for each statement execute function tell_catalogue_changed();
