create extension if not exists pg_trgm;

create table failed_items (
  queue text not null,
  item text not null,
  attempts integer not null check (attempts > 0),
  failed_at timestamptz not null,
  next_attempt_at timestamptz not null,
  primary key (queue, item),
  constraint failed_items_check check (next_attempt_at > failed_at)
);
create index failed_items_by_queue on failed_items (queue, next_attempt_at);
create index failed_items_by_time on failed_items (failed_at);

create table idempotency_keys (
  user_id uuid not null,
  key text not null check (length(key) >= 1 and length(key) <= 200),
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{64}$'),
  answer text not null check (length(answer) <= 10000),
  expires_at timestamptz not null,
  primary key (user_id, key)
);
create index idempotency_keys_expires_at on idempotency_keys (expires_at);

create table rate_limits (
  key text primary key,
  empty_at timestamptz not null
);
create index rate_limits_by_time on rate_limits (empty_at);

create table shop_time_zone (
  only_row boolean default true primary key check (only_row),
  time_zone text default 'UTC' not null check (timezone(time_zone, '1970-01-01 00:00:00+00'::timestamp with time zone) is not null)
);

create function count_days_anew() returns trigger language plpgsql as $$
  begin
    update ledger_totals_until set entry_number = 0, time_zone = new.time_zone;
    delete from ledger_totals;
    lock table seller_days in share row exclusive mode;
    delete from seller_days;
    insert into seller_days (seller_id, day, released_cents, paid_cents, taken_back_cents)
      select seller_id, (posted_at at time zone new.time_zone)::date,
             coalesce(sum(-amount_cents) filter (where kind = 'release'), 0),
             coalesce(sum(amount_cents) filter (where kind in (
               'transfer', 'transfer_reversed', 'settled_by_hand', 'repaid_by_hand')), 0),
             coalesce(sum(amount_cents) filter (where kind in (
               'refund_decided', 'dispute_lost', 'dispute_reinstated')), 0)
        from ledger_entries join ledger_postings on ledger_postings.id = posting_id
       where account = 'payable'
       group by 1, 2;
    return null;
  end
$$;
create trigger shop_time_zone_counts_days after update on shop_time_zone for each row when (old.time_zone <> new.time_zone)
  execute function count_days_anew();

create function keep_ledger() returns trigger language plpgsql as $$
  begin
    raise exception 'the ledger and the events of orders are never changed';
  end
$$;

create function note_laptop_to_compare() returns trigger language plpgsql as $$
  begin
    insert into laptops_to_compare (laptop_id) values (new.laptop_id);
    return null;
  end
$$;

insert into shop_time_zone (time_zone) values ('UTC');
