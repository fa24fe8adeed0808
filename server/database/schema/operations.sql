create table reported_laptops (
  laptop_id uuid primary key references laptops(id),
  reports integer not null check (reports > 0),
  open_reports integer not null,
  has_open boolean generated always as ((open_reports > 0)) stored not null,
  latest bigint not null,
  constraint reported_laptops_check check (open_reports >= 0 and open_reports <= reports)
);
create index reported_laptops_in_order on reported_laptops (has_open desc, latest desc);

create table reports (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity,
  laptop_id uuid not null references laptops(id),
  reporter_id uuid references users(id),
  reason text not null,
  note text not null,
  resolution text check (resolution in ('dismissed', 'taken_down')),
  created_at timestamptz default now() not null,
  other_laptop_id uuid references laptops(id),
  photo text,
  other_photo text,
  constraint reported_once unique (laptop_id, reporter_id),
  constraint report_by_the_shop check (((reporter_id is null) = (other_laptop_id is not null)) and other_laptop_id <> laptop_id),
  constraint report_of_photos check (((photo is not null) = (reason = 'Same photo'))
    and ((photo is null) = (other_photo is null))),
  constraint reports_reason_check check (
case
    when reporter_id is null then (reason in ('Same laptop', 'Same part', 'Same photo'))
    else (reason in ('Counterfeit', 'Not as described', 'Stolen', 'Prohibited', 'Other'))
end)
);
create index open_reports on reports (laptop_id) where (resolution is null);
create unique index reported_by_the_shop_once on reports (laptop_id, other_laptop_id, reason) where (reporter_id is null);
create index reports_by_laptop on reports (laptop_id, number desc);
create index reports_by_reporter on reports (reporter_id, number);
create index reports_that_took_down on reports (laptop_id) where (resolution = 'taken_down');

create table backup_state (
  singleton boolean default true primary key check (singleton),
  every_ms bigint check (every_ms > 0),
  expected_since timestamptz,
  running_since timestamptz,
  last_name text,
  last_at timestamptz,
  last_bytes bigint check (last_bytes >= 0),
  last_duration_ms bigint check (last_duration_ms >= 0),
  verification text check (verification in ('passed', 'failed', 'not_done')),
  verified_at timestamptz,
  verification_detail text,
  last_passed_at timestamptz,
  last_usable_at timestamptz,
  failures integer default 0 not null check (failures >= 0),
  failure_count bigint default 0 not null check (failure_count >= 0),
  last_failure_at timestamptz,
  last_failure text,
  retry_at timestamptz,
  notified_at timestamptz,
  constraint backup_state_check check (num_nulls(every_ms, expected_since) = any (array[0, 2])),
  constraint backup_state_check1 check (num_nulls(last_name, last_at, last_bytes, last_duration_ms) = any (array[0, 4])),
  constraint backup_state_check2 check (num_nulls(verification, verified_at) = any (array[0, 2])),
  constraint backup_state_check3 check (num_nulls(last_failure_at, last_failure) = any (array[0, 2]))
);

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
create trigger reports_counted after insert on reports for each row
  execute function count_report();

create function count_resolution() returns trigger language plpgsql as $$
  begin
    update reported_laptops
       set open_reports = open_reports + (new.resolution is null)::int - (old.resolution is null)::int
     where laptop_id = new.laptop_id;
    return null;
  end
$$;
create trigger resolutions_counted after update of resolution on reports for each row
  execute function count_resolution();
create trigger stolen_laptop_to_compare after insert on reports for each row when (new.reason = 'Stolen')
  execute function note_laptop_to_compare();

insert into backup_state default values;
