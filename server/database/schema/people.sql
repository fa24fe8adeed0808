create table users (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity,
  email text not null unique check (email = lower(email)),
  name text not null check (name <> ''),
  role text not null check (role in ('Buyer', 'Seller', 'Admin')),
  verified boolean default false not null,
  created_at timestamptz default now() not null,
  ended_at timestamptz,
  email_verified boolean default false not null,
  verified_at timestamptz,
  address_checked_at timestamptz,
  identity_checked_at timestamptz,
  phone text,
  phone_confirmed_at timestamptz,
  constraint phone_with_date check ((phone is null) = (phone_confirmed_at is null)),
  constraint users_check check ((not verified) or role = 'Seller')
);
create index buyers_by_trigram on users using gin (name gin_trgm_ops, email gin_trgm_ops) where ((role = 'Buyer')
  and (ended_at is null));
create index sellers_by_trigram on users using gin (name gin_trgm_ops, email gin_trgm_ops) where ((role = 'Seller')
  and (ended_at is null));
create index users_alive_by_email on users (role, email) where (ended_at is null);
create index users_alive_by_name on users (role, name, number) where (ended_at is null);
create index users_alive_newest on users (role, number desc) where (ended_at is null);
create index users_by_phone on users (phone) where (phone is not null);

create table shop_identities (
  since timestamptz default clock_timestamp() primary key,
  legal_name text,
  address text,
  tax_id text
);

create table erased_addresses (
  email_sha256 text primary key check (length(email_sha256) = 64),
  erased_at timestamptz not null,
  forget_at timestamptz not null
);
create index erased_addresses_forget_at on erased_addresses (forget_at);

create table ended_sessions (
  id text primary key check (length(id) >= 1 and length(id) <= 300),
  forget_at timestamptz not null
);
create index ended_sessions_forget_at on ended_sessions (forget_at);

create table audit_entries (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  admin_id uuid references users(id),
  act text not null,
  laptop_id uuid,
  subject text not null,
  note text not null,
  created_at timestamptz default now() not null
);
create index audit_entries_by_admin on audit_entries (admin_id, id) where (admin_id is not null);
create index audit_entries_by_laptop on audit_entries (laptop_id, number desc) where (laptop_id is not null);
create index audit_entries_by_subject on audit_entries (admin_id, subject, created_at);

create table notification_settings (
  user_id uuid not null references users(id),
  topic text not null check (topic in ('bookings', 'listings', 'messages', 'reviews')),
  delivery text not null check (delivery in ('now', 'daily', 'off')),
  primary key (user_id, topic)
);

create table notifications (
  id uuid primary key,
  number bigint generated always as identity,
  user_id uuid not null references users(id),
  topic text not null check (topic in ('money', 'safety', 'shop', 'searches', 'bookings', 'listings', 'messages', 'reviews')),
  title text not null check (length(title) >= 1 and length(title) <= 300),
  body text not null check (length(body) <= 1000),
  quoted_id uuid references users(id),
  path text not null check ((path ~~ '/%') and length(path) <= 500),
  created_at timestamptz default now() not null,
  seen_at timestamptz,
  emailed_at timestamptz,
  digest_at timestamptz,
  digest_id uuid,
  constraint notifications_check check (num_nonnulls(emailed_at, digest_at, digest_id) <= 1)
) with (fillfactor=60);
create index notifications_by_age on notifications (created_at);
create index notifications_by_digest on notifications (digest_id) where (digest_id is not null);
create index notifications_by_quoted on notifications (quoted_id) where (quoted_id is not null);
create index notifications_by_user on notifications (user_id, number);
create index notifications_digest_due on notifications (digest_at, user_id) where (digest_at is not null);
create index notifications_unseen_by_path on notifications (user_id, path) where (seen_at is null);

create table push_subscriptions (
  id uuid default gen_random_uuid() primary key,
  user_id uuid not null references users(id),
  session_id text,
  endpoint text not null unique check (length(endpoint) <= 1000),
  p256dh text not null check (length(p256dh) <= 90),
  auth text not null check (length(auth) <= 26),
  created_at timestamptz default now() not null,
  waiting uuid[] default '{}'::uuid[] not null
);
create index push_subscriptions_by_session on push_subscriptions (session_id) where (session_id is not null);
create index push_subscriptions_by_user on push_subscriptions (user_id, created_at);

create table phone_codes (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  user_id uuid not null references users(id),
  phone text not null check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  state text default 'waiting' not null check (state in ('waiting', 'sending', 'sent', 'not_sent', 'uncertain')),
  asked_at timestamptz default now() not null,
  expires_at timestamptz not null,
  wrong_attempts smallint default 0 not null check (wrong_attempts >= 0 and wrong_attempts <= 5),
  used_at timestamptz
);
create index phone_codes_by_age on phone_codes (asked_at);
create index phone_codes_by_user on phone_codes (user_id, number desc);

create table phone_code_counts (
  day date not null,
  subject text not null,
  count integer not null check (count >= 0),
  primary key (day, subject)
);

alter table idempotency_keys add constraint idempotency_keys_user_id_fkey foreign key (user_id) references users(id);

create function tell_people_changed(kind text, people uuid[]) returns void language sql as $$
  -- As of changed laptops: many are told without tags.
  select pg_notify('catalogue_changed',
                   case when cardinality(people) <= 100
                        then (select jsonb_agg(distinct kind || ' ' || person)::text from unnest(people) as person)
                        else '' end)
   where cardinality(people) > 0;
$$;

create function keep_audit_entries() returns trigger language plpgsql as $$
  begin
    raise exception 'audit entries are never changed';
  end
$$;
create trigger audit_entries_stay before delete or update on audit_entries for each row
  execute function keep_audit_entries();

create function note_seller_change() returns trigger language plpgsql as $$
  begin
    perform set_config('coomercio.laptops_unchanged', 'yes', true);
    update laptops set changed_in = pg_current_xact_id() where seller_id = new.id and state = 'available';
    perform set_config('coomercio.laptops_unchanged', '', true);
    return null;
  end
$$;
create trigger seller_changes after update of verified on users for each row when (new.verified is distinct from old.verified)
  execute function note_seller_change();

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
create trigger sellers_to_match after update of verified on users for each row when ((new.verified
  and (not old.verified)))
  execute function note_seller_to_match();

create function notify_live_notifications() returns trigger language plpgsql as $$
  begin
    perform pg_notify('live', json_build_object('to', new.user_id, 'about', 'notifications')::text);
    return null;
  end
$$;
create trigger notifications_inserted after insert on notifications for each row
  execute function notify_live_notifications();
create trigger notifications_seen after update of seen_at on notifications for each row
  execute function notify_live_notifications();

create function remove_push_subscriptions_of_session() returns trigger language plpgsql as $$
  begin
    delete from push_subscriptions where session_id = new.id;
    return null;
  end
$$;
create trigger ended_session_pushes after insert on ended_sessions for each row
  execute function remove_push_subscriptions_of_session();

create function tell_account_ended() returns trigger language plpgsql as $$
  begin
    perform pg_notify('live', json_build_object('endedAccount', new.id)::text);
    return null;
  end
$$;
create trigger tell_account_ended after update of ended_at on users for each row when ((old.ended_at is null
  and new.ended_at is not null))
  execute function tell_account_ended();

create function tell_partners_of_ended_account() returns trigger language plpgsql as $$
  begin
    -- The latest ones. More are not told at once: their pages say it when they are read again.
    perform pg_notify('live', jsonb_build_object('to', person, 'about', 'messages')::text)
       from (select distinct person
               from ((select seller_id as person, latest_number from conversations
                       where buyer_id = new.id and latest_number is not null
                       order by latest_number desc limit 500)
                     union all
                     (select buyer_id, latest_number from conversations
                       where seller_id = new.id and latest_number is not null
                       order by latest_number desc limit 500)) as latest) as people;
    return null;
  end
$$;
create trigger account_ended_in_conversations after update of ended_at on users for each row when ((old.ended_at is null
  and new.ended_at is not null))
  execute function tell_partners_of_ended_account();

create function tell_seller_pages_changed() returns trigger language plpgsql as $$
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
create trigger seller_pages_changed after update on users referencing old table as old_rows new table as new_rows for each statement
  execute function tell_seller_pages_changed();

create function tell_sellers_changed() returns trigger language plpgsql as $$
  begin
    -- Searches count the laptops for sale by verified sellers.
    perform pg_notify('catalogue_changed', '["search"]')
      where exists (select from old_rows join new_rows using (id)
                      join laptops on laptops.seller_id = new_rows.id and laptops.state = 'available'
                     where old_rows.verified <> new_rows.verified);
    return null;
  end
$$;
create trigger sellers_changed after update on users referencing old table as old_rows new table as new_rows for each statement
  execute function tell_sellers_changed();

create function tell_session_ended() returns trigger language plpgsql as $$
  begin
    perform pg_notify('live', json_build_object('endedSession', new.id)::text);
    return null;
  end
$$;
create trigger tell_session_ended after insert on ended_sessions for each row
  execute function tell_session_ended();
