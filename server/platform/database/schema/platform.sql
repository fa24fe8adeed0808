-- Release 1.0 of the schema, one file for each wing. The files are run in the order platform, people, listings, money,
-- certification, sales, operations, and each uses only what it or an earlier one creates, also in the bodies of
-- functions. So a trigger is in the file of the table that it reads or writes when that is later than its own table's.
--
-- In all files:
-- - Amounts of money end in _cents: hundredths of the shop's currency (shop_currency in money.sql).
-- - "number" ascends. Lists are ordered and paged by it.
-- - *_sha256 and *_hash are hexadecimal.
-- - A constraint is written here and not only in the code, so that no program, repair by hand or race can break it.
-- - A trigger exists only where the schema must refuse a change or must not miss one. Its comment says why.
-- - Indexes need a comment only when the query that they serve is not obvious from their columns. Each list and look-up
--   has one by which it reads hardly more rows than it returns (tests/scale/rows-read.test.ts).
-- - Triggers notify two channels, and PostgreSQL sends equal notifications of a transaction once, with its commit. The
--   text on catalogue_changed is a JSON array of the tags of what has changed (server/listings/catalogue/change-tags.ts), or
--   empty when anything may have changed: every process drops the cached responses with these tags. The text on live is
--   a JSON object for the streams of server-sent events (server/platform/live/follow-changes.ts).

-- For the search among people by parts of names and addresses (docs/decisions/0012-search-of-people.md).
create extension if not exists pg_trgm;

-- The function of triggers on rows that are never changed. @param tg_argv the message of the error
create function refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception '%', tg_argv[0];
  end
$$;

-- The function of triggers that tell people's open pages of a changed row. @param tg_argv what it is about, the column with the id
-- that the pages know or an empty text, and the columns with the people
create function tell_live() returns trigger language plpgsql as $$
  declare
    changed jsonb := to_jsonb(coalesce(new, old));
  begin
    perform pg_notify('live', jsonb_strip_nulls(
              jsonb_build_object('to', changed->>person, 'about', tg_argv[0], 'id', changed->>tg_argv[1]))::text)
       from unnest(tg_argv[2:]) as person;
    return null;
  end
$$;

-- The function of triggers that have every process close the streams of an account or a session. @param tg_argv which has ended
create function tell_ended() returns trigger language plpgsql as $$
  begin
    perform pg_notify('live', json_build_object(tg_argv[0], new.id)::text);
    return null;
  end
$$;

-- An item of background work that failed, such as an order whose deadline has passed (server/platform/jobs/failed-items.ts). It
-- is attempted again later, and the others of its queue meanwhile. The row is removed when the item succeeds.
create table failed_items (
  queue text not null,
  item text not null, -- its id in its own table
  attempts integer not null check (attempts > 0),
  failed_at timestamptz not null,
  next_attempt_at timestamptz not null check (next_attempt_at > failed_at),
  primary key (queue, item)
);
create index failed_items_by_queue on failed_items (queue, next_attempt_at);
create index failed_items_by_time on failed_items (failed_at);

-- A response that is sent again to retries of a request with the same key (server/platform/http/idempotency.ts).
create table idempotency_keys (
  user_id uuid not null, -- references users, which people.sql creates
  key text not null check (length(key) between 1 and 200),
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{64}$'), -- SHA-256 of the endpoint and its input
  answer text not null check (length(answer) <= 10000), -- the JSON that was sent
  expires_at timestamptz not null,
  primary key (user_id, key)
);
create index idempotency_keys_expires_at on idempotency_keys (expires_at);

-- The used part of a quota (rate-limits/quotas.ts describes the algorithm).
create table rate_limits (
  key text primary key,
  empty_at timestamptz not null -- when nothing of the quota is used any more
);
create index rate_limits_by_time on rate_limits (empty_at);
