create table battery_floors (
  only_row boolean default true primary key check (only_row),
  excellent integer not null check (excellent >= 1 and excellent <= 100),
  good integer not null check (good >= 1 and good <= 100),
  facts_version integer default 0 not null check (facts_version >= 0)
);

create table measurement_codes (
  laptop_id uuid primary key references laptops(id) on delete cascade,
  code_sha256 text not null unique check (code_sha256 ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null,
  report_taken boolean default false not null,
  check_taken boolean default false not null
);

create table measurements (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  laptop_id uuid not null references laptops(id) on delete cascade,
  measured_at timestamptz default now() not null,
  measured_with text not null check (measured_with in ('linux', 'windows', 'macos', 'workbench')),
  machine jsonb not null check (octet_length((machine)::text) <= 32768),
  machine_hash text check (machine_hash ~ '^[0-9a-f]{64}$'),
  part_hashes text[] default '{}'::text[] not null check (cardinality(part_hashes) <= 40),
  constraint memory_is_value_or_bound check ((coalesce(jsonb_typeof((machine -> 'memory')), 'null') = 'null')
    or (((machine -> 'memory') ? 'value') <> ((machine -> 'memory') ? 'atLeast')))
);
create index measurements_of_laptop on measurements (laptop_id, number desc);
create index measurements_of_machine on measurements (machine_hash) where (machine_hash is not null);
create index measurements_of_part on measurements using gin (part_hashes);

create table browser_checks (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  laptop_id uuid not null references laptops(id) on delete cascade,
  code_sha256 text not null unique check (code_sha256 ~ '^[0-9a-f]{64}$'),
  checked_at timestamptz default now() not null,
  results jsonb not null check (jsonb_typeof(results) = 'array' and (octet_length((results)::text) <= 8192)),
  browser jsonb not null check (jsonb_typeof(browser) = 'object' and (octet_length((browser)::text) <= 2048))
);
create index browser_checks_of_laptop on browser_checks (laptop_id, number desc);

create table found_locks (
  identity_hash text not null check (identity_hash ~ '^[0-9a-f]{64}$'),
  lock text not null check (lock in ('firmwarePassword', 'absolute', 'management', 'activationLock')),
  part_hashes text[] not null check (cardinality(part_hashes) <= 64),
  found_at timestamptz default now() not null,
  primary key (identity_hash, lock)
);
create index found_locks_of_part on found_locks using gin (part_hashes);

create table inspections (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  laptop_id uuid not null references laptops(id) on delete cascade,
  inspector_id uuid references users(id) on delete set null,
  inspected_at timestamptz default now() not null,
  decision text not null check (decision in ('approved', 'sent_back', 'refused')),
  measurement_id uuid not null references measurements(id) on delete cascade,
  laptop_version integer not null check (laptop_version > 0),
  listing jsonb not null check (octet_length((listing)::text) <= 65536),
  changes jsonb default '[]'::jsonb not null check (jsonb_typeof(changes) = 'array'),
  grade text check (grade in ('Excellent', 'Good', 'Fair')),
  checklist jsonb not null check (octet_length((checklist)::text) <= 4096),
  note text not null check (length(note) <= 1000),
  photos text[] default '{}'::text[] not null check (cardinality(photos) <= 8),
  kind text default 'photos' not null check (kind in ('photos', 'hand')),
  constraint approved_has_grade check ((decision = 'approved') = (grade is not null)),
  constraint approved_without_objection check (decision <> 'approved'
    or (not jsonb_path_exists(checklist, '$.*?(@ == "not_met")'::jsonpath))),
  constraint in_hand_has_photos check (kind <> 'hand' or cardinality(photos) > 0),
  constraint objection_has_note check (decision = 'approved' or note <> '')
);
create index inspections_of_laptop on inspections (laptop_id, number desc);
create index inspections_of_measurement on inspections (measurement_id);

create table inspection_photos (
  inspection_id uuid not null references inspections(id) on delete cascade,
  position integer not null,
  photo_hash text not null references photos(hash),
  primary key (inspection_id, "position")
);
create index inspection_photos_of_a_photo on inspection_photos (photo_hash);

create table certificate_keys (
  number integer primary key check (number > 0),
  kid text not null unique check (kid ~ '^[A-Za-z0-9_-]{43}$'),
  public_key text not null unique check (public_key ~ '^[A-Za-z0-9_-]{43}$'),
  created_at timestamptz default now() not null,
  retired_at timestamptz,
  revoked_at timestamptz,
  constraint revoked_is_retired check (revoked_at is null or retired_at is not null)
);
create unique index one_key_signs on certificate_keys ((true)) where (retired_at is null);

create table certificate_versions (
  number bigint generated by default as identity primary key,
  laptop_id uuid not null references laptops(id) on delete cascade,
  version integer not null check (version > 0),
  issued_at timestamptz not null,
  kid text not null references certificate_keys(kid),
  content_sha256 text not null check (content_sha256 ~ '^[0-9a-f]{64}$'),
  jws text check (octet_length(jws) <= 131072),
  revoked_at timestamptz,
  revocation_reason text check (revocation_reason in ('contradicted', 'lock_found', 'taken_down', 'withdrawn', 'account_deleted', 'returned')),
  constraint certificate_versions_laptop_id_version_key unique (laptop_id, version),
  constraint erased_is_revoked check (jws is not null or revoked_at is not null),
  constraint revocation_has_reason check ((revoked_at is null) = (revocation_reason is null))
);
create index certificate_versions_of_key on certificate_versions (kid);
create index revoked_certificate_versions on certificate_versions (number) where (revoked_at is not null);

create table certificates_to_renew (
  laptop_id uuid primary key references laptops(id) on delete cascade,
  noted_at timestamptz default now() not null
);

create table photo_fingerprints (
  photo_hash text not null references photo_thumbnails(photo_hash) on delete cascade,
  fingerprint bigint not null,
  quarter_1 integer generated always as (((fingerprint & (65535)::bigint))::integer) stored not null,
  quarter_2 integer generated always as ((((fingerprint >> 16) & (65535)::bigint))::integer) stored not null,
  quarter_3 integer generated always as ((((fingerprint >> 32) & (65535)::bigint))::integer) stored not null,
  quarter_4 integer generated always as ((((fingerprint >> 48) & (65535)::bigint))::integer) stored not null,
  primary key (photo_hash, fingerprint)
);
create index photo_fingerprints_1 on photo_fingerprints (quarter_1);
create index photo_fingerprints_2 on photo_fingerprints (quarter_2);
create index photo_fingerprints_3 on photo_fingerprints (quarter_3);
create index photo_fingerprints_4 on photo_fingerprints (quarter_4);

create table laptops_to_compare (
  number bigint generated always as identity primary key,
  laptop_id uuid not null references laptops(id) on delete cascade,
  after_id uuid
);

create table same_laptop_checks (
  number bigint generated always as identity primary key,
  order_id uuid not null,
  laptop_id uuid not null references laptops(id),
  code_sha256 text not null unique check (code_sha256 ~ '^[0-9a-f]{64}$'),
  code_expires_at timestamptz not null,
  checked_at timestamptz,
  result text check (result in ('same', 'different', 'unknown')),
  differences jsonb default '[]'::jsonb not null,
  unread text[] default '{}'::text[] not null,
  code_ending text check (code_ending ~ '^[0-9A-Z]{4}$'),
  constraint checked_with_result check ((checked_at is null) = (result is null))
);
create unique index one_code_per_order on same_laptop_checks (order_id) where (checked_at is null);
create index same_laptop_checks_of_an_order on same_laptop_checks (order_id, number desc);
create index unused_same_laptop_codes on same_laptop_checks (code_expires_at) where (checked_at is null);

create function add_inspection_photos() returns trigger language plpgsql as $$
  begin
    insert into inspection_photos
    select new.id, shown.place, shown.photo_hash from photos_in(new.photos) as shown
     where shown.url like '/%';
    return null;
  end
$$;
create trigger inspection_added after insert on inspections for each row
  execute function add_inspection_photos();

create function keep_browser_checks() returns trigger language plpgsql as $$
  begin
    raise exception 'browser checks are never changed';
  end
$$;
create trigger browser_checks_stay before update on browser_checks for each row
  execute function keep_browser_checks();

create function keep_inspections() returns trigger language plpgsql as $$
  begin
    -- Foreign keys may remove the decision with its laptop or measurement, and the reference to its admin.
    if pg_trigger_depth() > 1 then
      return coalesce(new, old);
    end if;
    raise exception 'inspections are never changed';
  end
$$;
create trigger inspections_stay before delete or update on inspections for each row
  execute function keep_inspections();

create function note_certificate_to_renew() returns trigger language plpgsql as $$
  begin
    insert into certificates_to_renew (laptop_id) values (new.laptop_id) on conflict do nothing;
    return null;
  end
$$;
create trigger browser_check_certified after insert on browser_checks for each row
  execute function note_certificate_to_renew();
create trigger inspection_certified after insert on inspections for each row
  execute function note_certificate_to_renew();
create trigger measurement_certified after insert on measurements for each row
  execute function note_certificate_to_renew();

create function note_measured_battery() returns trigger language plpgsql as $$
  begin
    update laptops set measured_battery = (new.machine->'battery'->'value'->>'health')::integer
     where id = new.laptop_id;
    return null;
  end
$$;
create trigger measured_batteries after insert on measurements for each row
  execute function note_measured_battery();

create function tell_certificate_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('catalogue_changed', jsonb_build_array('laptop ' || new.laptop_id)::text);
    return null;
  end
$$;
create trigger certificate_changed after insert
  or update on certificate_versions for each row
  execute function tell_certificate_changed();

create function tell_laptop_measured() returns trigger language plpgsql as $$
  begin
    perform pg_notify('catalogue_changed', jsonb_build_array('laptop ' || new.laptop_id)::text);
    return null;
  end
$$;
create trigger laptop_checked after insert on browser_checks for each row
  execute function tell_laptop_measured();
create trigger laptop_measured after insert on measurements for each row
  execute function tell_laptop_measured();
create trigger measured_laptop_to_compare after insert on measurements for each row
  execute function note_laptop_to_compare();
