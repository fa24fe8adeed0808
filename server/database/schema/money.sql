create table ledger_postings (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  kind text not null check (kind in ('sale', 'payment_without_sale', 'release', 'refund_decided', 'refund_made', 'refund_returned', 'processor_fee', 'bank_payout', 'transfer', 'transfer_reversed', 'settled_by_hand', 'dispute_opened', 'dispute_won', 'dispute_lost', 'dispute_reinstated', 'goodwill', 'repaid_by_hand', 'written_off', 'top_up', 'reserve', 'unknown_movement', 'correction')),
  reference text not null,
  posted_at timestamptz default now() not null,
  constraint posted_once unique (kind, reference)
);
create index ledger_postings_by_time on ledger_postings (posted_at);

create table ledger_entries (
  number bigint generated always as identity primary key,
  posting_id uuid not null references ledger_postings(id),
  account text not null check (account in ('processor', 'bank', 'held', 'payable', 'refunds_due', 'disputed', 'reserved', 'suspense', 'commission', 'processor_fees', 'lost_disputes', 'goodwill', 'written_off')),
  amount_cents bigint not null check (amount_cents <> 0),
  order_id uuid,
  seller_id uuid references users(id),
  constraint ledger_entries_check check ((account = 'held') <= (order_id is not null)),
  constraint ledger_entries_check1 check ((account = 'payable') = (seller_id is not null))
);
create index ledger_entries_of_a_posting on ledger_entries (posting_id);
create index ledger_entries_of_a_seller on ledger_entries (seller_id, number) where (seller_id is not null);
create index ledger_entries_of_an_order on ledger_entries (order_id) where (order_id is not null);

create table ledger_totals (
  month date not null,
  account text not null,
  kind text not null,
  cents bigint not null,
  primary key (month, account, kind)
);

create table ledger_totals_until (
  only_row boolean default true primary key check (only_row),
  entry_number bigint not null,
  time_zone text default 'UTC' not null
);

create table ledger_differences (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  kind text not null check (kind in ('missing_in_ledger', 'missing_at_processor', 'wrong_amount', 'payment_without_order', 'unknown_movement', 'other_currency')),
  movement text not null check (movement in ('payment', 'refund', 'dispute', 'transfer', 'transfer_reversal', 'other')),
  reference text not null,
  ledger_cents bigint not null,
  processor_cents bigint not null,
  found_at timestamptz default now() not null,
  resolved_at timestamptz,
  detail text default '' not null
);
create unique index one_open_difference on ledger_differences (movement, reference) where (resolved_at is null);

create table receipt_counters (
  year integer primary key,
  last integer not null check (last >= 1 and last <= 999999999)
);

create table receipts (
  number bigint generated always as identity unique,
  year integer not null references receipt_counters(year),
  sequence integer not null check (sequence > 0),
  receipt_number text generated always as ((((year)::text || '-') ||
case
    when (sequence < 1000000) then lpad((sequence)::text, 6, '0')
    else (sequence)::text
end)) stored not null unique,
  kind text not null check (kind in ('sale', 'sale_credit', 'commission', 'commission_credit')),
  order_id uuid not null,
  recipient_id uuid not null references users(id),
  amount_cents integer not null check (amount_cents > 0),
  laptop_name text not null,
  tax_scheme text default 'none' not null check (tax_scheme in ('none', 'margin')),
  issued_at timestamptz default now() not null,
  time_zone text default 'UTC' not null,
  identity_since timestamptz references shop_identities(since),
  primary key (year, sequence),
  constraint issued_in_its_year check ((year)::numeric = extract(year from (issued_at at time zone time_zone)))
);
create unique index one_commission_receipt_per_sale on receipts (order_id) where (kind = 'commission');
create unique index one_receipt_per_sale on receipts (order_id) where (kind = 'sale');
create index receipts_by_time on receipts (issued_at desc, number desc);
create index receipts_of_a_person on receipts (recipient_id, number desc);
create index receipts_of_an_order on receipts (order_id);

create table bookkeeping (
  transaction_id text not null,
  party text not null check (party in ('buyer', 'seller')),
  name text not null,
  email text not null,
  kept_at timestamptz default now() not null,
  primary key (transaction_id, party)
);

create table balance_reading (
  only_row boolean default true primary key check (only_row),
  read_until timestamptz,
  compared_at timestamptz,
  next_at timestamptz default now() not null
);

create table balance_transactions (
  id text primary key,
  type text not null check (type in ('charge', 'refund', 'refund_failure', 'dispute', 'dispute_reversal', 'transfer', 'transfer_reversal', 'payout', 'payout_failure', 'fee', 'top_up', 'reserve', 'other')),
  amount_cents bigint not null,
  fee_cents bigint not null,
  source_id text,
  transaction_id text,
  created_at timestamptz not null,
  currency text default 'usd' not null,
  category text,
  transfer_id text,
  explanation text check (explanation in ('fee', 'own_money', 'reserve', 'seller_loss', 'other_currency'))
);
create index unknown_movements on balance_transactions (created_at) where ((explanation is null) and ((type = 'other')
  or (currency <> 'usd')));

create table bank_payouts (
  payout_id text primary key,
  account_id text not null,
  seller_id uuid not null references users(id),
  amount_cents bigint not null,
  state text not null check (state in ('under_way', 'paid', 'failed')),
  failure text,
  created_at timestamptz not null,
  arrives_at timestamptz not null,
  destination text,
  constraint failed_payouts_say_why check ((state = 'failed') = (failure is not null))
);
create index bank_payouts_of_a_seller on bank_payouts (seller_id, created_at desc);

create table payout_accounts (
  seller_id uuid primary key references users(id),
  country text not null check (country ~ '^[A-Z]{2}$'),
  attempt integer default 1 not null check (attempt > 0),
  account_id text unique,
  state text default 'creating' not null check (state in ('creating', 'active', 'pending', 'restricted', 'unsupported', 'closed', 'refused')),
  requirements jsonb default '[]'::jsonb not null,
  problem text default '' not null,
  created_at timestamptz default now() not null,
  next_check_at timestamptz default now() not null,
  active_since timestamptz,
  hold_until timestamptz,
  constraint payout_accounts_check check ((account_id is null) <= (state in ('creating', 'refused')))
);
create index payout_accounts_to_check on payout_accounts (next_check_at) where (account_id is not null);

create table transfers (
  id uuid default gen_random_uuid() primary key,
  order_id uuid not null,
  seller_id uuid not null references users(id),
  account_id text not null,
  amount_cents integer not null check (amount_cents > 0),
  netted_cents integer default 0 not null check (netted_cents >= 0),
  reversed_cents integer default 0 not null,
  attempt integer default 1 not null check (attempt > 0),
  state text default 'pending' not null check (state in ('pending', 'made', 'refused')),
  transfer_id text unique,
  failure text,
  created_at timestamptz default now() not null,
  made_at timestamptz,
  next_attempt_at timestamptz not null,
  refusal_told_at timestamptz,
  constraint made_transfers_are_known check ((state = 'made') = (transfer_id is not null)),
  constraint refused_transfers_say_why check ((state = 'refused') = (failure is not null)),
  constraint transfers_check check (reversed_cents >= 0 and reversed_cents <= amount_cents)
);
create unique index one_open_transfer_per_order on transfers (order_id) where (state <> 'made');
create index pending_transfers_of_a_seller on transfers (seller_id) where (state = 'pending');
create index refused_transfers_of_a_seller on transfers (seller_id, next_attempt_at) where (state = 'refused');
create index transfers_by_seller on transfers (seller_id, id);
create index transfers_of_an_order on transfers (order_id);
create index transfers_to_try on transfers (next_attempt_at) where (state = 'pending');

create table transfer_reversals (
  id uuid default gen_random_uuid() primary key,
  transfer_id uuid not null references transfers(id),
  amount_cents integer not null check (amount_cents > 0),
  state text default 'pending' not null check (state in ('pending', 'made', 'refused')),
  reversal_id text unique,
  failure text,
  created_at timestamptz default now() not null,
  next_attempt_at timestamptz not null,
  constraint made_reversals_are_known check ((state = 'made') = (reversal_id is not null)),
  constraint refused_reversals_say_why check ((state = 'refused') = (failure is not null))
);
create unique index one_reversal_at_a_time on transfer_reversals (transfer_id) where (state = 'pending');
create index reversals_of_a_transfer on transfer_reversals (transfer_id, created_at);
create index reversals_to_try on transfer_reversals (next_attempt_at) where (state = 'pending');

create table seller_balances (
  seller_id uuid primary key references users(id),
  balance_cents bigint not null,
  paid_cents bigint default 0 not null,
  waiting_cents bigint default 0 not null,
  stopped_cents bigint default 0 not null,
  disputed_orders integer default 0 not null check (disputed_orders >= 0),
  free_after_completion_cents bigint generated always as (
case
    when (disputed_orders > 0) then least((0)::bigint, ((balance_cents - stopped_cents) - waiting_cents))
    else ((balance_cents - stopped_cents) - waiting_cents)
end) stored not null,
  free_after_release_cents bigint generated always as (
case
    when (disputed_orders > 0) then least((0)::bigint, (balance_cents - stopped_cents))
    else (balance_cents - stopped_cents)
end) stored not null
);
create index seller_balances_due_after_completion on seller_balances (free_after_completion_cents desc, seller_id) where (balance_cents > 0);
create index seller_balances_due_after_release on seller_balances (free_after_release_cents desc, seller_id) where (balance_cents > 0);
create index seller_balances_due_by_seller on seller_balances (seller_id) where (balance_cents > 0);
create index seller_balances_owed on seller_balances (balance_cents, seller_id) where (balance_cents < 0);
create index seller_balances_owed_by_seller on seller_balances (seller_id) where (balance_cents < 0);

create table seller_days (
  seller_id uuid not null references users(id),
  day date not null,
  released_cents bigint not null,
  paid_cents bigint not null,
  taken_back_cents bigint not null,
  primary key (seller_id, day)
);

create table order_payables (
  order_id uuid primary key,
  seller_id uuid not null references users(id),
  first_entry bigint not null,
  payable_cents bigint not null,
  hold text default 'none' not null check (hold in ('none', 'complaints', 'stopped'))
);
create index held_payables_of_a_seller on order_payables (seller_id, first_entry desc) where ((payable_cents > 0)
  and (hold <> 'none'));
create index open_payables_of_a_seller on order_payables (seller_id, first_entry desc) where (payable_cents > 0);

create table settlements (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  seller_id uuid not null references users(id),
  admin_id uuid not null references users(id),
  amount_cents bigint not null check (amount_cents > 0),
  reference text not null check (length(reference) >= 1 and length(reference) <= 100),
  settled_at timestamptz default now() not null,
  constraint one_settlement_per_reference unique (seller_id, reference)
);
create index settlements_of_a_seller on settlements (seller_id, number);

create table debt_settlements (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  kind text not null check (kind in ('repaid', 'written_off')),
  seller_id uuid not null references users(id),
  admin_id uuid not null references users(id),
  amount_cents bigint not null check (amount_cents > 0),
  reference text check (length(reference) >= 1 and length(reference) <= 100),
  reason text check (length(reason) >= 1 and length(reason) <= 500),
  settled_at timestamptz default now() not null,
  constraint one_repayment_per_reference unique (seller_id, reference),
  constraint repaid_with_reference check ((kind = 'repaid') = (reference is not null)),
  constraint written_off_with_reason check ((kind = 'written_off') = (reason is not null))
);
create index debt_settlements_of_a_seller on debt_settlements (seller_id, number);

create table webhook_events (
  id text primary key,
  type text not null,
  transaction_id text,
  received_at timestamptz default now() not null
);
create index webhook_events_by_time on webhook_events (received_at);

create function keep_receipts() returns trigger language plpgsql as $$
  begin
    raise exception 'receipts are never changed';
  end
$$;
create trigger receipts_stay before delete or update on receipts for each row
  execute function keep_receipts();

create function payout_hold(state text) returns text language sql immutable as $$
  select case when state = 'released' then 'complaints'
              when state in ('completed', 'refunded', 'charged_back') then 'none'
              else 'stopped' end
$$;

create function note_seller_balance() returns trigger language plpgsql as $$
  declare
    posting ledger_postings := (select ledger_postings from ledger_postings where id = new.posting_id);
    paid bigint := case when posting.kind in ('transfer', 'transfer_reversed', 'settled_by_hand', 'repaid_by_hand')
                        then new.amount_cents else 0 end;
  begin
    insert into seller_balances as balances (seller_id, balance_cents, paid_cents)
      values (new.seller_id, -new.amount_cents, paid)
      on conflict (seller_id) do update set balance_cents = balances.balance_cents + excluded.balance_cents,
                                            paid_cents = balances.paid_cents + excluded.paid_cents;
    -- The time zone is read in the statement that locks the table, so that no entry is counted by the former one after
    -- count_days_anew().
    insert into seller_days as days (seller_id, day, released_cents, paid_cents, taken_back_cents)
      values (new.seller_id, (posting.posted_at at time zone (select time_zone from shop_time_zone))::date,
              case when posting.kind = 'release' then -new.amount_cents else 0 end, paid,
              case when posting.kind in ('refund_decided', 'dispute_lost', 'dispute_reinstated')
                   then new.amount_cents else 0 end)
      on conflict (seller_id, day) do update set released_cents = days.released_cents + excluded.released_cents,
                                                 paid_cents = days.paid_cents + excluded.paid_cents,
                                                 taken_back_cents = days.taken_back_cents + excluded.taken_back_cents;
    if new.order_id is not null then
      insert into order_payables as payables (order_id, seller_id, first_entry, payable_cents)
        values (new.order_id, new.seller_id, new.number, -new.amount_cents)
        on conflict (order_id) do update set payable_cents = payables.payable_cents + excluded.payable_cents;
    end if;
    return null;
  end
$$;
create trigger ledger_entries_note_balance after insert on ledger_entries for each row when (new.account = 'payable')
  execute function note_seller_balance();

create function require_balance() returns trigger language plpgsql as $$
  declare
    posting uuid := case tg_table_name when 'ledger_postings' then (to_jsonb(new)->>'id')::uuid
                                       else (to_jsonb(new)->>'posting_id')::uuid end;
    total bigint;
    entries integer;
  begin
    select coalesce(sum(amount_cents), 0), count(*) into total, entries from ledger_entries where posting_id = posting;
    if total <> 0 or entries < 2 then
      raise exception 'the posting % does not balance: % cents in % entries', posting, total, entries
        using errcode = 'check_violation', constraint = 'postings_balance';
    end if;
    return null;
  end
$$;
create constraint trigger ledger_entries_balance after insert on ledger_entries deferrable initially deferred for each row
  execute function require_balance();
create constraint trigger ledger_postings_balance after insert on ledger_postings deferrable initially deferred for each row
  execute function require_balance();

create function set_payout_hold() returns trigger language plpgsql as $$
  begin
    new.hold := (select payout_hold(state) from orders where id = new.order_id);
    return new;
  end
$$;
create trigger order_payables_set_hold before insert on order_payables for each row
  execute function set_payout_hold();

create function sum_payout_holds() returns trigger language plpgsql as $$
  declare
    waiting bigint := case when new.hold = 'complaints' then greatest(new.payable_cents, 0) else 0 end;
    stopped bigint := case when new.hold = 'stopped' then greatest(new.payable_cents, 0) else 0 end;
  begin
    if tg_op = 'UPDATE' then
      waiting := waiting - case when old.hold = 'complaints' then greatest(old.payable_cents, 0) else 0 end;
      stopped := stopped - case when old.hold = 'stopped' then greatest(old.payable_cents, 0) else 0 end;
    end if;
    if waiting <> 0 or stopped <> 0 then
      update seller_balances set waiting_cents = waiting_cents + waiting, stopped_cents = stopped_cents + stopped
       where seller_id = new.seller_id;
    end if;
    return null;
  end
$$;
create trigger order_payables_sum_holds after insert
  or update on order_payables for each row
  execute function sum_payout_holds();
create trigger ledger_entries_stay before delete or update on ledger_entries for each row
  execute function keep_ledger();
create trigger ledger_postings_stay before delete or update on ledger_postings for each row
  execute function keep_ledger();

insert into balance_reading default values;
insert into ledger_totals_until (entry_number, time_zone) values (0, 'UTC');
