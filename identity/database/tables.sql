-- The provider's tables beside those of better-auth, which it references. The statements run at every start under an
-- advisory lock, so each must be idempotent.

-- The single-use links in emails.
create table if not exists email_link (
  token_hash bytea primary key,
  user_id text not null references "user" (id) on delete cascade,
  kind text not null,
  expires_at timestamptz not null
);
create index if not exists email_link_of_user on email_link (user_id, kind);
create index if not exists email_link_expires_at on email_link (expires_at);

create table if not exists data_key (
  id int primary key default 1 check (id = 1),
  sealed text not null
);

create table if not exists totp (
  user_id text primary key references "user" (id) on delete cascade,
  sealed_secret text not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0
);
create table if not exists recovery_code (
  user_id text not null references "user" (id) on delete cascade,
  hash bytea not null,
  primary key (user_id, hash)
);
create table if not exists passkey (
  id text primary key,
  user_id text not null references "user" (id) on delete cascade,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index if not exists passkey_of_user on passkey (user_id);
create table if not exists passkey_challenge (
  challenge text primary key,
  purpose text not null,
  user_id text references "user" (id) on delete cascade,
  expires_at timestamptz not null
);
create index if not exists passkey_challenge_expires_at on passkey_challenge (expires_at);
create table if not exists known_device (
  user_id text not null references "user" (id) on delete cascade,
  hash bytea not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, hash)
);
-- Devices and networks from which an account was signed in to; each has quotas of its own.
create table if not exists known_client (
  user_id text not null references "user" (id) on delete cascade,
  hash bytea not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, hash)
);
-- The device that registered an account with a password.
create table if not exists registration (
  user_id text primary key references "user" (id) on delete cascade,
  device_hash bytea not null
);
-- The used part of a quota (rate-limits/quotas.ts).
create table if not exists rate_limits (
  key text primary key,
  empty_at timestamptz not null
);
create index if not exists rate_limits_by_time on rate_limits (empty_at);
create table if not exists session_end (
  session_id text primary key,
  due_at timestamptz not null,
  attempts int not null default 0,
  ended_at timestamptz not null default now()
);
alter table session_end add column if not exists user_id text;
-- The session by which the same browser goes on.
alter table session_end add column if not exists replaced_by text;
create index if not exists session_end_of_user on session_end (user_id);
create index if not exists session_end_ended_at on session_end (ended_at);
create index if not exists session_end_due on session_end (due_at);
create or replace function note_session_end() returns trigger language plpgsql as $$
begin
  -- A session whose second factor was pending has no ID token, and those of one that expired an hour ago have expired.
  if old.due is not true and old."expiresAt" > now() - interval '1 hour' then
    insert into identity.session_end (session_id, user_id, due_at, replaced_by)
    values (old.id, old."userId", now() + coalesce(nullif(current_setting('identity.session_end_grace', true), ''), '0')::interval,
      nullif(current_setting('identity.session_replaced_by', true), ''))
    on conflict do nothing;
  end if;
  return null;
end $$;
create or replace trigger session_ended after delete on session
  for each row execute function note_session_end();

-- Consecutive failed attempts, for each client of an account.
create table if not exists failed_proof (
  user_id text not null references "user" (id) on delete cascade,
  client bytea not null,
  failures int not null,
  locked_until timestamptz,
  primary key (user_id, client)
);
