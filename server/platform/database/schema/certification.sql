-- What laptops report about themselves, what admins decide from it, certificates, and listings of the same laptop.

-- Measurements ------------------------------------------------------------------------------------------------------

-- The code with which a laptop, a draft or the laptop of an order may send one report, and of the first two one browser
-- check. A new code replaces the one before.
create table measurement_codes (
  code_sha256 text primary key check (code_sha256 ~ '^[0-9a-f]{64}$'),
  laptop_id uuid unique references laptops on delete cascade,
  draft_id uuid unique references laptop_drafts on delete cascade,
  order_id uuid unique, -- references orders, which sales.sql creates
  -- Of an order. The buyer sees it on their own page, and compares it with the code on the laptop. Of 60 random bits 40
  -- stay secret.
  code_ending text check (code_ending ~ '^[0-9A-Z]{4}$'),
  expires_at timestamptz not null,
  report_taken boolean not null default false,
  check_taken boolean not null default false,
  constraint measures_one check (num_nonnulls(laptop_id, draft_id, order_id) = 1)
);
create index measurement_codes_by_expiry on measurement_codes (expires_at);

-- What a laptop reported about itself.
create table measurements (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  laptop_id uuid references laptops on delete cascade,
  draft_id uuid references laptop_drafts on delete cascade, -- null once it is listed
  measured_at timestamptz not null default now(),
  measured_with text not null check (measured_with in ('linux', 'windows', 'macos')),
  machine jsonb not null check (octet_length(machine::text) <= 32768),
  machine_hash text check (machine_hash ~ '^[0-9a-f]{64}$'), -- keyed, of maker and serial number; null without one
  part_hashes text[] not null default '{}' check (cardinality(part_hashes) <= 40), -- keyed, of board, drives and TPM
  constraint of_laptop_or_draft check (num_nonnulls(laptop_id, draft_id) = 1),
  -- A missing reading is null. Systems that see only a part of the memory give a bound.
  constraint memory_is_value_or_bound check (
    coalesce(jsonb_typeof(machine->'memory'), 'null') = 'null'
    or (machine->'memory' ? 'value') <> (machine->'memory' ? 'atLeast')
  )
);
create index measurements_of_laptop on measurements (laptop_id, number desc);
create index measurements_of_draft on measurements (draft_id, number desc) where draft_id is not null;
create index measurements_of_machine on measurements (machine_hash) where machine_hash is not null;
create index measurements_of_part on measurements using gin (part_hashes);

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
-- Else a seller could sell a defective laptop to one buyer after another.
create trigger returned_laptops_are_measured before update of state on laptops
  for each row when (old.state in ('sold', 'withdrawn') and new.state = 'available' and new.evidence_ended = 'returned')
  execute function check_returned_laptop();

-- The tests that a person made in a laptop's browser.
create table browser_checks (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  laptop_id uuid references laptops on delete cascade,
  draft_id uuid references laptop_drafts on delete cascade, -- null once it is listed
  -- One check per code. It recognizes a check that is sent again because its response was lost.
  code_sha256 text not null unique check (code_sha256 ~ '^[0-9a-f]{64}$'),
  checked_at timestamptz not null default now(),
  results jsonb not null check (jsonb_typeof(results) = 'array' and octet_length(results::text) <= 8192),
  browser jsonb not null check (jsonb_typeof(browser) = 'object' and octet_length(browser::text) <= 2048),
  constraint of_laptop_or_draft check (num_nonnulls(laptop_id, draft_id) = 1)
);
create index browser_checks_of_laptop on browser_checks (laptop_id, number desc);
create index browser_checks_of_draft on browser_checks (draft_id, number desc) where draft_id is not null;

-- Decisions and certificates are based on them. They can be deleted with their laptop.
create trigger browser_checks_stay before update on browser_checks
  for each row when (
    old.laptop_id is not null
    or (old.code_sha256, old.checked_at, old.results, old.browser)
       is distinct from (new.code_sha256, new.checked_at, new.results, new.browser)
  )
  execute function refuse_change('browser checks are never changed');

create function tell_laptop_page_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('catalogue_changed', jsonb_build_array('laptop ' || new.laptop_id)::text);
    return null;
  end
$$;
-- The laptop's cached page shows its latest measurement and browser check.
create trigger laptop_measured after insert or update of laptop_id on measurements
  for each row when (new.laptop_id is not null) execute function tell_laptop_page_changed();
create trigger laptop_checked after insert or update of laptop_id on browser_checks
  for each row when (new.laptop_id is not null) execute function tell_laptop_page_changed();

-- A lock that was found on a machine, whatever listing, draft or account it was measured for. The row is deleted when a
-- report with the same serial number says that the lock is gone.
create table found_locks (
  -- Keyed, of maker and serial number, or of the board's serial number where the machine has none.
  identity_hash text not null check (identity_hash ~ '^[0-9a-f]{64}$'),
  lock text not null check (lock in ('firmwarePassword', 'absolute', 'management', 'activationLock')),
  -- As in measurements: they tell which machine a report without a serial number is about.
  part_hashes text[] not null check (cardinality(part_hashes) <= 64),
  found_at timestamptz not null default now(),
  primary key (identity_hash, lock)
);
create index found_locks_of_part on found_locks using gin (part_hashes);

-- A sold laptop that was measured again, and the comparison with the measurement that the sale was about.
create table same_laptop_checks (
  number bigint primary key generated always as identity,
  order_id uuid not null, -- references orders, which sales.sql creates
  laptop_id uuid not null references laptops,
  checked_at timestamptz not null default now(),
  result text not null check (result in ('same', 'different', 'unknown')),
  differences jsonb not null default '[]',
  unread text[] not null default '{}' -- what was read before the sale and not now, so that it was not compared
);
create index same_laptop_checks_of_an_order on same_laptop_checks (order_id, number desc);

-- Inspections -------------------------------------------------------------------------------------------------------

-- A decision of an admin about a measured laptop. Append-only.
create table inspections (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  laptop_id uuid not null references laptops on delete cascade,
  inspector_id uuid references users on delete set null, -- the admin; null once that account was deleted
  inspected_at timestamptz not null default now(),
  kind text not null default 'photos' check (kind in ('photos', 'hand')), -- how the admin looked at the laptop
  decision text not null check (decision in ('approved', 'sent_back', 'refused')),
  measurement_id uuid not null references measurements on delete cascade,
  laptop_version integer not null check (laptop_version > 0), -- the version of the listing that was inspected
  listing jsonb not null check (octet_length(listing::text) <= 65536), -- and that listing
  changes jsonb not null default '[]' check (jsonb_typeof(changes) = 'array'), -- since the last approved inspection
  grade text check (grade in ('Excellent', 'Good', 'Fair')),
  checklist jsonb not null check (octet_length(checklist::text) <= 4096),
  note text not null check (length(note) <= 1000), -- to the seller
  photos text[] not null default '{}' check (cardinality(photos) <= 8), -- of the admin, in their stored form
  constraint approved_has_grade check ((decision = 'approved') = (grade is not null)),
  constraint approved_without_objection
    check (decision <> 'approved' or not jsonb_path_exists(checklist, '$.* ? (@ == "not_met")')),
  constraint objection_has_note check (decision = 'approved' or note <> ''),
  constraint in_hand_has_photos check (kind <> 'hand' or cardinality(photos) > 0)
);
create index inspections_of_laptop on inspections (laptop_id, number desc);
create index inspections_of_measurement on inspections (measurement_id);

-- Certificates state them, and a buyer relied on them. Foreign keys, whose statements run at depth 1, may remove the
-- decision with its laptop or measurement, and the reference to its admin.
create trigger inspections_stay before update or delete on inspections
  for each row when (pg_trigger_depth() = 0)
  execute function refuse_change('inspections are never changed');
create trigger inspections_stay_whole before truncate on inspections
  for each statement execute function refuse_change('inspections are never changed');

-- Which decision shows which photo of the built-in host, derived from inspections.photos as laptop_photos is.
create table inspection_photos (
  inspection_id uuid not null references inspections on delete cascade,
  position integer not null, -- in inspections.photos, from 1
  photo_hash text not null references photos,
  primary key (inspection_id, position)
);
create index inspection_photos_of_a_photo on inspection_photos (photo_hash);

create function add_inspection_photos() returns trigger language plpgsql as $$
  begin
    insert into inspection_photos
    select new.id, shown.place, shown.photo_hash from photos_in(new.photos) as shown
     where shown.url like '/%';
    return null;
  end
$$;
create trigger inspection_added after insert on inspections -- as laptops_added
  for each row execute function add_inspection_photos();

-- By what the stored levels of laptops were computed. When it differs from the configuration, the shop computes all
-- levels again. At most one row.
create table battery_floors (
  only_row boolean primary key default true check (only_row),
  excellent integer not null check (excellent between 1 and 100), -- percent of the battery's capacity when new
  good integer not null check (good between 1 and 100),
  facts_version integer not null default 0 check (facts_version >= 0) -- as in laptops; 0: compute all levels again
);

-- Certificates ------------------------------------------------------------------------------------------------------

-- A public key. The private key is derived from the shop's secret and the number.
create table certificate_keys (
  number integer primary key check (number > 0),
  kid text not null unique check (kid ~ '^[A-Za-z0-9_-]{43}$'), -- RFC 7638 thumbprint
  public_key text not null unique check (public_key ~ '^[A-Za-z0-9_-]{43}$'), -- base64url
  created_at timestamptz not null default now(),
  retired_at timestamptz, -- when it signed for the last time; it still verifies
  revoked_at timestamptz,
  constraint revoked_is_retired check (revoked_at is null or retired_at is not null)
);
create unique index one_key_signs on certificate_keys ((true)) where retired_at is null;

-- What was certified about a laptop. Append-only but for the revocation, and for the content when the seller's account
-- is deleted. A certificate's id is its laptop's.
create table certificate_versions (
  number bigint primary key generated always as identity,
  laptop_id uuid not null references laptops on delete cascade,
  version integer not null check (version > 0), -- from 1 for each laptop
  issued_at timestamptz not null,
  kid text not null references certificate_keys (kid),
  content_sha256 text not null check (content_sha256 ~ '^[0-9a-f]{64}$'),
  jws text check (octet_length(jws) <= 131072), -- null when it was erased with the seller's account
  revoked_at timestamptz,
  revocation_reason text check (revocation_reason in (
    'contradicted', 'lock_found', 'taken_down', 'withdrawn', 'account_deleted', 'returned'
  )),
  unique (laptop_id, version),
  constraint revocation_has_reason check ((revoked_at is null) = (revocation_reason is null)),
  constraint erased_is_revoked check (jws is not null or revoked_at is not null)
);
create index certificate_versions_of_key on certificate_versions (kid);

-- The laptop's cached page links to its certificate, or says that it was revoked.
create trigger certificate_changed after insert or update on certificate_versions
  for each row execute function tell_laptop_page_changed();

-- A laptop whose certificate may have changed. Noted in the transaction of the change.
create table certificates_to_renew (
  laptop_id uuid primary key references laptops on delete cascade,
  noted_at timestamptz not null default now()
);

create function note_certificate_to_renew() returns trigger language plpgsql as $$
  begin
    insert into certificates_to_renew (laptop_id) values (new.laptop_id) on conflict do nothing;
    return null;
  end
$$;
-- A certificate that stayed behind its evidence would vouch for what is no longer so.
create trigger measurement_certified after insert or update of laptop_id on measurements
  for each row when (new.laptop_id is not null) execute function note_certificate_to_renew();
create trigger browser_check_certified after insert or update of laptop_id on browser_checks
  for each row when (new.laptop_id is not null) execute function note_certificate_to_renew();
create trigger inspection_certified after insert on inspections
  for each row execute function note_certificate_to_renew();

create function note_changed_laptop_certificate() returns trigger language plpgsql as $$
  begin
    if exists (select from measurements where laptop_id = new.id) then
      insert into certificates_to_renew (laptop_id) values (new.id) on conflict do nothing;
    end if;
    return null;
  end
$$;
-- The same for what it says of the listing.
create trigger laptop_certified after update on laptops
  for each row when (
    (old.state, old.level, old.level_at, old.name, old.brand, old.condition, old.description,
     old.memory_gb, old.storage_gb, old.screen_inches, old.processor, old.generation, old.graphics)
    is distinct from
    (new.state, new.level, new.level_at, new.name, new.brand, new.condition, new.description,
     new.memory_gb, new.storage_gb, new.screen_inches, new.processor, new.generation, new.graphics)
  )
  execute function note_changed_laptop_certificate();

-- Listings of the same laptop ---------------------------------------------------------------------------------------

-- A fingerprint of a photo, by which it is found again after it was resized, recompressed or slightly cropped. Two of
-- the same picture differ in seven bits at most, so one of their quarters differs in one bit at most: the indexes of
-- the quarters find it.
create table photo_fingerprints (
  photo_hash text not null references photo_thumbnails on delete cascade,
  fingerprint bigint not null, -- 64 bits
  quarter_1 integer not null generated always as ((fingerprint & 65535)::integer) stored,
  quarter_2 integer not null generated always as ((fingerprint >> 16 & 65535)::integer) stored,
  quarter_3 integer not null generated always as ((fingerprint >> 32 & 65535)::integer) stored,
  quarter_4 integer not null generated always as ((fingerprint >> 48 & 65535)::integer) stored,
  primary key (photo_hash, fingerprint)
);
create index photo_fingerprints_1 on photo_fingerprints (quarter_1);
create index photo_fingerprints_2 on photo_fingerprints (quarter_2);
create index photo_fingerprints_3 on photo_fingerprints (quarter_3);
create index photo_fingerprints_4 on photo_fingerprints (quarter_4);

-- A laptop that must be compared with the others, in the order of the notes. Noted in the transaction that gives the
-- reason: of two concurrent ones, the note of the one that commits last is read when both are visible.
create table laptops_to_compare (
  number bigint primary key generated always as identity,
  laptop_id uuid not null references laptops on delete cascade,
  after_id uuid -- the other listing after which the comparison goes on; null for its beginning
);

-- @param tg_argv the column with the laptop's id
create function note_laptop_to_compare() returns trigger language plpgsql as $$
  begin
    insert into laptops_to_compare (laptop_id) values ((to_jsonb(new)->>tg_argv[0])::uuid);
    return null;
  end
$$;
-- The second listing of a laptop that is not compared is not found later either, because nothing compares all with all.
create trigger measured_laptop_to_compare after insert or update of laptop_id on measurements
  for each row when (new.laptop_id is not null) execute function note_laptop_to_compare('laptop_id');
create trigger relisted_laptop_to_compare after update of state on laptops -- as measured_laptop_to_compare
  for each row when (old.state <> 'available' and new.state = 'available')
  execute function note_laptop_to_compare('id');

create function note_laptops_with_new_photos() returns trigger language plpgsql as $$
  begin
    insert into laptops_to_compare (laptop_id)
    select distinct laptop_id from added
     where exists (select from photo_thumbnails where photo_thumbnails.photo_hash = added.photo_hash);
    return null;
  end
$$;
-- The same for photos, which have their fingerprints since their upload.
create trigger laptop_photos_to_compare after insert on laptop_photos referencing new table as added
  for each statement execute function note_laptops_with_new_photos();
