-- Accounts, how people are told, telephone checks, and the log of administrative actions.

-- A person with an account.
create table users (
  id uuid primary key default gen_random_uuid(),
  -- Not unique: an index on it alone would let the planner walk all users in this order and filter. The database
  -- generates it, so no two are equal.
  number bigint generated always as identity,
  email text not null unique check (email = lower(email)),
  name text not null check (name <> ''),
  is_buyer boolean not null default false,
  is_seller boolean not null default false,
  is_admin boolean not null default false,
  is_owner boolean not null default false, -- an admin who may do everything
  areas text[] not null default '{}' -- what another admin may do
    check (areas <@ array['inspections', 'complaints', 'people', 'money', 'settings']),
  verified boolean not null default false check (not verified or is_seller), -- by an admin
  verified_at timestamptz,
  -- When an admin saw a proof of address, which document it was, and how it was seen.
  address_checked_at timestamptz,
  address_document text,
  address_seen text,
  -- The same of an identity document.
  identity_checked_at timestamptz,
  identity_document text,
  identity_seen text,
  phone text, -- in E.164; the seller has confirmed it with a code
  phone_confirmed_at timestamptz,
  email_verified boolean not null default false, -- by the identity provider
  email_verified_as_of timestamptz, -- when the ID token was issued that last changed it
  card_customer_id text unique, -- the card processor's customer, from the first payment until it is deleted there
  created_at timestamptz not null default now(),
  ended_at timestamptz, -- when the account was deleted; its name and address are erased then
  -- Everybody buys, sells or does both. An admin does neither, and so decides about no sale of their own.
  constraint admin_or_trader check (is_admin <> (is_buyer or is_seller)),
  constraint rights_of_admins check ((is_admin or not is_owner) and (areas = '{}' or (is_admin and not is_owner))),
  constraint phone_with_date check ((phone is null) = (phone_confirmed_at is null)),
  constraint address_document_was_seen check (
    (address_document is null) = (address_seen is null)
    and (address_document is null or address_checked_at is not null)
  ),
  constraint identity_document_was_seen check (
    (identity_document is null) = (identity_seen is null)
    and (identity_document is null or identity_checked_at is not null)
  )
);
create index buyers_newest on users (number desc) where is_buyer and ended_at is null;
create index buyers_by_name on users (name, number) where is_buyer and ended_at is null;
create index buyers_by_email on users (email) where is_buyer and ended_at is null;
create index sellers_newest on users (number desc) where is_seller and ended_at is null;
create index sellers_by_name on users (name, number) where is_seller and ended_at is null;
create index sellers_by_email on users (email) where is_seller and ended_at is null;
create index admins on users (number) where is_admin and ended_at is null;
create index users_by_phone on users (phone) where phone is not null;
create index buyers_by_trigram on users using gin (name gin_trgm_ops, email gin_trgm_ops)
  where is_buyer and ended_at is null;
create index sellers_by_trigram on users using gin (name gin_trgm_ops, email gin_trgm_ops)
  where is_seller and ended_at is null;

create function require_owner() returns trigger language plpgsql as $$
  begin
    -- Of two transactions that each end the other's owner, the second one sees what the first one did.
    perform pg_advisory_xact_lock(hashtext('require_owner'));
    if exists (select from users where is_admin and ended_at is null)
       and not exists (select from users where is_admin and is_owner and ended_at is null) then
      raise exception 'a shop with admins needs an owner' using errcode = 'check_violation';
    end if;
    return null;
  end
$$;
-- Without an owner, nobody could give anybody a right.
create constraint trigger shop_has_owner after insert on users
  deferrable initially deferred for each row
  when (new.is_admin and not new.is_owner) execute function require_owner();
create constraint trigger shop_keeps_owner after update on users
  deferrable initially deferred for each row
  when ((old.is_owner and old.ended_at is null and (not new.is_owner or new.ended_at is not null))
        or (new.is_admin and not new.is_owner and not old.is_admin))
  execute function require_owner();

-- An invitation to become an admin. The token of its link is in the email only. Rows are removed some weeks after their end.
create table staff_invitations (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  email text not null check (email = lower(email)),
  is_owner boolean not null,
  areas text[] not null check (areas <@ array['inspections', 'complaints', 'people', 'money', 'settings']),
  invited_by uuid not null references users,
  token_sha256 text unique check (length(token_sha256) = 64), -- null until the email is sent
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  check (num_nonnulls(accepted_at, withdrawn_at) <= 1),
  check (not is_owner or areas = '{}')
);
create unique index open_staff_invitations on staff_invitations (email)
  where accepted_at is null and withdrawn_at is null;

-- A new name of a checked seller, which waits for an admin. A new request is a new row: an admin decides about the name
-- that the admin was shown, and about no later one.
create table waiting_names (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  user_id uuid not null unique references users on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  created_at timestamptz not null default now()
);

alter table idempotency_keys
  add constraint idempotency_keys_user_id_fkey foreign key (user_id) references users;

-- Notifies of changed names, checks or reputations, which cached pages show with the tags of these people.
create function tell_people_changed(people uuid[]) returns void language sql as $$
  -- As of changed laptops: many are told without tags.
  select pg_notify('catalogue_changed',
                   case when cardinality(people) <= 100
                        then (select jsonb_agg(distinct 'seller ' || person)::text from unnest(people) as person)
                        else '' end)
   where cardinality(people) > 0;
$$;

create function tell_seller_pages_changed() returns trigger language plpgsql as $$
  declare
    people uuid[];
  begin
    select array_agg(id) into people from old_rows join new_rows using (id)
     where (old_rows.is_seller or new_rows.is_seller)
       and (old_rows.name, old_rows.ended_at, old_rows.is_seller, old_rows.verified, old_rows.verified_at,
            old_rows.address_checked_at, old_rows.identity_checked_at, old_rows.phone_confirmed_at)
           is distinct from (new_rows.name, new_rows.ended_at, new_rows.is_seller, new_rows.verified, new_rows.verified_at,
                             new_rows.address_checked_at, new_rows.identity_checked_at, new_rows.phone_confirmed_at);
    perform tell_people_changed(people);
    return null;
  end
$$;
-- Cached pages show a seller's name and checks. Without the tag, every process would go on showing what they were.
create trigger seller_pages_changed
  after update on users referencing old table as old_rows new table as new_rows
  for each statement execute function tell_seller_pages_changed();

-- Every process closes the streams of a deleted account, which may be open in any of them.
create trigger tell_account_ended after update of ended_at on users
  for each row when (old.ended_at is null and new.ended_at is not null)
  execute function tell_ended('endedAccount');

-- The identity of the shop on receipts, from a time on, and the tax that they state. Null for what the settings did not have.
create table shop_identities (
  since timestamptz primary key default clock_timestamp(),
  name text not null,
  legal_name text,
  address text,
  register_number text,
  tax_id text,
  tax_name text not null default 'VAT',
  commission_tax_basis_points integer not null default 0 check (commission_tax_basis_points between 0 and 5000),
  sale_tax_note text
);

-- The address of a deleted account, while an ID token of that account may still be valid: a sign-in from before
-- erased_at must not open an account anew.
create table erased_addresses (
  email_sha256 text primary key check (length(email_sha256) = 64), -- of the address in lower case
  erased_at timestamptz not null,
  forget_at timestamptz not null
);
create index erased_addresses_forget_at on erased_addresses (forget_at);

-- A session that has ended at the identity provider, until all its tokens have expired.
create table ended_sessions (
  id text primary key check (length(id) between 1 and 300), -- the claim "sid" of its tokens
  replaced_by text, -- the session by which the same browser goes on
  forget_at timestamptz not null
);
create index ended_sessions_forget_at on ended_sessions (forget_at);

-- Every process closes the streams of the session, as of a deleted account.
create trigger tell_session_ended after insert on ended_sessions
  for each row execute function tell_ended('endedSession');

-- An administrative action, by an admin or from the command line. Append-only.
create table audit_entries (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  admin_id uuid references users, -- null for the command line and the card processor
  act text not null,
  laptop_id uuid, -- references laptops, which listings.sql creates
  person_ids uuid[] not null default '{}', -- whom it concerns: names and addresses stay with their accounts, an entry stays for ever
  subject text not null, -- what else it concerns; it names nobody
  note text not null,
  created_at timestamptz not null default now()
);
create index audit_entries_by_admin on audit_entries (admin_id, id) where admin_id is not null;
create index audit_entries_by_laptop on audit_entries (laptop_id, number desc) where laptop_id is not null;
-- Finds whether an admin has read the same lately, which is then not logged again.
create index audit_entries_by_subject on audit_entries (admin_id, subject, created_at);

-- A log that its readers could change would prove nothing.
create trigger audit_entries_stay before update or delete on audit_entries
  for each row execute function refuse_change('audit entries are never changed');
create trigger audit_entries_stay_whole before truncate on audit_entries
  for each statement execute function refuse_change('audit entries are never changed');

-- Something that the shop told a person, in the list of notifications, and perhaps by email and push.
create table notifications (
  id uuid primary key,
  number bigint generated always as identity, -- not unique, as of users
  user_id uuid not null references users,
  topic text not null
    check (topic in ('money', 'safety', 'shop', 'searches', 'bookings', 'listings', 'messages', 'reviews')),
  area text check (area in ('inspections', 'complaints', 'people', 'money', 'settings')), -- an admin's, which may know of it
  title text not null check (length(title) between 1 and 300),
  body text not null check (length(body) <= 1000),
  laptop_id uuid, -- which it is about; references laptops, which listings.sql creates
  quoted_id uuid references users, -- the other person whose name or words it contains, with whose account it is erased
  path text not null check (path like '/%' and length(path) <= 500), -- a page of the shop
  created_at timestamptz not null default now(),
  seen_at timestamptz,
  emailed_at timestamptz,
  digest_at timestamptz, -- when it goes into a daily email; null when it does not, or was taken for one
  digest_id uuid, -- the daily email for which it was taken, until that is sent
  check (num_nonnulls(emailed_at, digest_at, digest_id) <= 1)
) with (fillfactor = 60); -- space for the change of emailed_at or seen_at in the same page, which then writes no index
create index notifications_by_user on notifications (user_id, number);
create index notifications_unseen_by_path on notifications (user_id, path) where seen_at is null;
create index notifications_digest_due on notifications (digest_at, user_id) where digest_at is not null;
create index notifications_by_digest on notifications (digest_id) where digest_id is not null;
create index notifications_by_quoted on notifications (quoted_id) where quoted_id is not null;
create index notifications_by_age on notifications (created_at);

-- Open pages show how many notifications are unseen. Many capabilities insert and mark them.
create trigger notifications_changed after insert or update of seen_at on notifications
  for each row execute function tell_live('notifications', '', 'user_id');

-- When notifications of a topic are emailed to a person who has chosen it. Without a row, the topic's default applies.
create table notification_settings (
  user_id uuid not null references users,
  topic text not null check (topic in ('bookings', 'listings', 'messages', 'reviews')),
  delivery text not null check (delivery in ('now', 'daily', 'off')),
  primary key (user_id, topic)
);

-- A browser that gets push messages (RFC 8030).
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  session_id text, -- the session at the identity provider in which the browser subscribed; null without one
  endpoint text not null unique check (length(endpoint) <= 1000),
  p256dh text not null check (length(p256dh) <= 90), -- the browser's public key, base64url
  auth text not null check (length(auth) <= 26), -- the authentication secret, base64url
  created_at timestamptz not null default now(),
  waiting uuid[] not null default '{}' -- notifications that the push service has not taken, and perhaps older ones
);
create index push_subscriptions_by_user on push_subscriptions (user_id, created_at);
create index push_subscriptions_by_session on push_subscriptions (session_id) where session_id is not null;

-- Whoever stores a subscription of a session takes it, and whoever ends the session: the one waits for the other.
create function lock_pushes_of_session(session_id text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('push of session ' || session_id, 0))
$$;
create function end_push_subscriptions_of_session() returns trigger language plpgsql as $$
  begin
    if new.replaced_by is not null then
      perform lock_pushes_of_session(new.replaced_by);
    end if;
    perform lock_pushes_of_session(new.id);
    -- The browser goes on with them, unless the new session has ended as well.
    update push_subscriptions set session_id = new.replaced_by, created_at = now()
     where session_id = new.id and new.replaced_by is not null
       and not exists (select from ended_sessions where id = new.replaced_by);
    delete from push_subscriptions where session_id = new.id;
    return null;
  end
$$;
-- A browser whose session has ended, however it ended, must not show the person's messages any more.
create trigger ended_session_pushes after insert on ended_sessions
  for each row execute function end_push_subscriptions_of_session();

-- A code that a seller asked for in the last day, to confirm a telephone number. The code is derived from the id and
-- not stored.
create table phone_codes (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  user_id uuid not null references users,
  phone text not null check (phone ~ '^\+[1-9][0-9]{6,14}$'), -- in E.164
  state text not null default 'waiting' -- until its job begins
    check (state in ('waiting', 'sending', 'sent', 'not_sent', 'uncertain')),
  asked_at timestamptz not null default now(),
  expires_at timestamptz not null,
  wrong_attempts smallint not null default 0 check (wrong_attempts between 0 and 5),
  used_at timestamptz
);
create index phone_codes_by_user on phone_codes (user_id, number desc);
create index phone_codes_by_age on phone_codes (asked_at);

-- How many codes were sent in a day. Apart from the codes, whose rows are removed with their account: the next account
-- would begin at 0 again.
create table phone_code_counts (
  day date not null, -- in UTC
  subject text not null, -- 'shop', or a keyed hash of a number
  count integer not null check (count >= 0),
  primary key (day, subject)
);
