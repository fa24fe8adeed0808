-- The ledger and what follows from it: what is owed to sellers, payouts, receipts, and the comparison with the card
-- processor. docs/decisions/0029-orders-and-ledger.md says why the shop keeps its own books.

-- The currency ------------------------------------------------------------------------------------------------------

-- The currency of all amounts, which the settings name. One row. Listed laptops, bookings and postings name the currency
-- of the process that made them: so none is made by a process that still has a former one in memory, and while there are
-- some the currency stays (docs/decisions/0060-currency-of-a-shop.md).
create table shop_currency (
  only_row boolean primary key default true check (only_row),
  code text not null unique default 'USD' check (code ~ '^[A-Z]{3}$'),
  smallest_amount integer not null default 1 check (smallest_amount in (1, 100)), -- 100 for one without decimals
  least_cents integer not null default 50 check (least_cents > 0) -- the least that a card can be charged
);
insert into shop_currency default values;
-- The price of a listed laptop would keep its number and become another price.
alter table laptops
  add constraint priced_in_currency foreign key (listed_currency) references shop_currency (code);

create function check_price_of_laptop() returns trigger language plpgsql as $$
  declare
    shop shop_currency := (select shop_currency from shop_currency);
  begin
    if new.resale_price_cents % shop.smallest_amount <> 0 or new.original_price_cents % shop.smallest_amount <> 0 then
      raise exception 'the currency % has no such amount', shop.code
        using errcode = 'check_violation', constraint = 'whole_price', table = 'laptops';
    end if;
    if new.resale_price_cents < shop.least_cents then
      raise exception 'a card cannot be charged so little in %', shop.code
        using errcode = 'check_violation', constraint = 'least_price', table = 'laptops';
    end if;
    return new;
  end
$$;
-- The laptop could be booked, and could not be paid.
create trigger laptops_check_price before insert or update of resale_price_cents, original_price_cents, state on laptops
  for each row when (new.state = 'available') execute function check_price_of_laptop();

-- The ledger --------------------------------------------------------------------------------------------------------

-- A movement of money, whose entries add up to 0. Append-only: a mistake is corrected by another posting.
create table ledger_postings (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  kind text not null check (kind in (
    'sale', 'payment_without_sale', 'release', 'refund_decided', 'refund_made', 'refund_returned', 'processor_fee',
    'bank_payout', 'transfer', 'transfer_reversed', 'settled_by_hand', 'dispute_opened', 'dispute_won', 'dispute_lost',
    'dispute_reinstated', 'goodwill', 'repaid_by_hand', 'written_off', 'top_up', 'reserve', 'unknown_movement',
    'label_bought', 'label_insured', 'label_refunded', 'label_charged', 'insurance_paid', 'insurance_returned',
    'carrier_paid', 'correction'
  )),
  reference text not null, -- what caused it, such as a transaction id
  currency text not null default 'USD' constraint posted_in_currency references shop_currency (code),
  posted_at timestamptz not null default now(),
  constraint posted_once unique (kind, reference) -- however often a job or a webhook is repeated
);
create index ledger_postings_by_time on ledger_postings (posted_at);

-- A side of a posting. contract/money/ledger.ts describes the accounts.
create table ledger_entries (
  number bigint primary key generated always as identity,
  posting_id uuid not null references ledger_postings,
  account text not null check (account in (
    'processor', 'bank', 'held', 'payable', 'refunds_due', 'disputed', 'reserved', 'suspense', 'commission',
    'processor_fees', 'lost_disputes', 'goodwill', 'written_off', 'carrier_payable', 'label_advances', 'shipping'
  )),
  amount_cents bigint not null check (amount_cents <> 0), -- positive for a debit, negative for a credit
  order_id uuid, -- references orders, which sales.sql creates
  seller_id uuid references users,
  check ((account = 'held') <= (order_id is not null)), -- money is held for an order
  check ((account = 'payable') = (seller_id is not null)) -- and owed to a seller
);
create index ledger_entries_of_a_posting on ledger_entries (posting_id);
create index ledger_entries_of_an_order on ledger_entries (order_id) where order_id is not null;
-- Statements read a seller's entries in batches by number.
create index ledger_entries_of_a_seller on ledger_entries (seller_id, number) where seller_id is not null;

-- Sums of the ledger, receipts and exports were made from the entries as they are.
create trigger ledger_postings_stay before update or delete on ledger_postings
  for each row execute function refuse_change('the ledger is never changed');
create trigger ledger_postings_stay_whole before truncate on ledger_postings
  for each statement execute function refuse_change('the ledger is never changed');
create trigger ledger_entries_stay before update or delete on ledger_entries
  for each row execute function refuse_change('the ledger is never changed');
create trigger ledger_entries_stay_whole before truncate on ledger_entries
  for each statement execute function refuse_change('the ledger is never changed');

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
    if exists (select from ledger_entries, shop_currency where posting_id = posting and amount_cents % smallest_amount <> 0)
    then
      raise exception 'the posting % has an amount that the currency does not have', posting
        using errcode = 'check_violation', constraint = 'postings_whole';
    end if;
    return null;
  end
$$;
-- A posting that does not balance creates or loses money, and a fraction of a yen can neither be charged nor paid. Checked at the end of the transaction, when all its entries
-- are there; on both tables, for a posting without entries and for entries that are added to an earlier posting.
create constraint trigger ledger_postings_balance after insert on ledger_postings
  deferrable initially deferred for each row execute function require_balance();
create constraint trigger ledger_entries_balance after insert on ledger_entries
  deferrable initially deferred for each row execute function require_balance();

-- What is owed to sellers -------------------------------------------------------------------------------------------

-- The time zone of days, months and the years of receipts. One row.
create table shop_time_zone (
  only_row boolean primary key default true check (only_row),
  -- PostgreSQL refuses an unknown one with an error.
  time_zone text not null default 'UTC' check (timezone(time_zone, timestamptz 'epoch') is not null)
);
insert into shop_time_zone default values;

-- What is owed to a seller: sums of the ledger. Whatever pays a seller locks the row, so that nothing is paid twice.
create table seller_balances (
  seller_id uuid primary key references users,
  balance_cents bigint not null, -- positive when the shop owes the seller, negative when the seller owes the shop
  paid_cents bigint not null default 0, -- what was paid to the seller
  waiting_cents bigint not null default 0, -- the part of released orders that can still be complained about
  stopped_cents bigint not null default 0, -- the part of orders with an open complaint or a bank dispute
  disputed_orders integer not null default 0 check (disputed_orders >= 0), -- while there is one, nothing is paid
  -- What can be paid now, for each value of the setting payoutAfter. Negative: a debt that no payable money covers.
  free_after_completion_cents bigint not null generated always as (
    case when disputed_orders > 0 then least(0, balance_cents - stopped_cents - waiting_cents)
         else balance_cents - stopped_cents - waiting_cents end
  ) stored,
  free_after_release_cents bigint not null generated always as (
    case when disputed_orders > 0 then least(0, balance_cents - stopped_cents)
         else balance_cents - stopped_cents end
  ) stored
);
create index seller_balances_due_after_completion on seller_balances (free_after_completion_cents desc, seller_id)
  where balance_cents > 0;
create index seller_balances_due_after_release on seller_balances (free_after_release_cents desc, seller_id)
  where balance_cents > 0;
create index seller_balances_owed on seller_balances (seller_id) where free_after_completion_cents < 0;
-- The export reads in the order of ids.
create index seller_balances_due_by_seller on seller_balances (seller_id) where balance_cents > 0;

-- What is payable of an order.
create table order_payables (
  order_id uuid primary key, -- references orders, which sales.sql creates
  seller_id uuid not null references users,
  first_entry bigint not null, -- the number of its first entry: payments to the seller are set off in this order
  payable_cents bigint not null, -- negative when the seller got too much
  hold text not null default 'none' check (hold in ('none', 'complaints', 'stopped')) -- payout_hold() in sales.sql
);
create index open_payables_of_a_seller on order_payables (seller_id, first_entry desc) where payable_cents > 0;
create index held_payables_of_a_seller on order_payables (seller_id, first_entry desc)
  where payable_cents > 0 and hold <> 'none';

create function note_seller_balance() returns trigger language plpgsql as $$
  declare
    posting_kind text := (select kind from ledger_postings where id = new.posting_id);
    paid bigint := case when posting_kind in ('transfer', 'transfer_reversed', 'settled_by_hand', 'repaid_by_hand')
                        then new.amount_cents else 0 end;
  begin
    insert into seller_balances as balances (seller_id, balance_cents, paid_cents)
      values (new.seller_id, -new.amount_cents, paid)
      on conflict (seller_id) do update set balance_cents = balances.balance_cents + excluded.balance_cents,
                                            paid_cents = balances.paid_cents + excluded.paid_cents;
    if new.order_id is not null then
      insert into order_payables as payables (order_id, seller_id, first_entry, payable_cents)
        values (new.order_id, new.seller_id, new.number, -new.amount_cents)
        on conflict (order_id) do update set payable_cents = payables.payable_cents + excluded.payable_cents;
    end if;
    return null;
  end
$$;
-- Payouts are decided from these sums. An entry that they missed would be paid twice or never.
create trigger ledger_entries_note_balance after insert on ledger_entries
  for each row when (new.account = 'payable')
  execute function note_seller_balance();

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
-- Of what is held back, nothing may be paid.
create trigger order_payables_sum_holds after insert or update on order_payables
  for each row execute function sum_payout_holds();

-- What is due of each order, and why it is held back. Payments to the seller and debts are set off against orders that
-- can be paid, the oldest first, and against held ones last. So the balance consists of the newest orders, and older
-- ones, of which nothing is left, are not read.
-- @param balance what is owed to the seller, in cents
-- @param payout_after the setting payoutAfter
create function due_orders(seller uuid, balance bigint, payout_after text)
  returns table (order_id uuid, payable_cents bigint, due_cents bigint, hold text)
  language plpgsql stable rows 20 as $$
  declare
    open record;
    rest bigint := balance;
    is_disputed boolean := exists (select from seller_balances where seller_id = seller and disputed_orders > 0);
  begin
    for open in select payables.order_id, payables.payable_cents, payables.hold from order_payables as payables
                 where payables.seller_id = seller and payables.payable_cents > 0 and payables.hold <> 'none'
                   and (payables.hold = 'stopped' or payout_after = 'completed')
                 order by payables.first_entry desc
    loop
      exit when rest <= 0;
      order_id := open.order_id;
      payable_cents := open.payable_cents;
      due_cents := least(open.payable_cents, rest);
      hold := case when is_disputed then 'stopped' else open.hold end;
      rest := rest - due_cents;
      return next;
    end loop;
    for open in select payables.order_id, payables.payable_cents from order_payables as payables
                 where payables.seller_id = seller and payables.payable_cents > 0
                   and (payables.hold = 'none' or (payables.hold = 'complaints' and payout_after = 'release'))
                 order by payables.first_entry desc
    loop
      exit when rest <= 0;
      order_id := open.order_id;
      payable_cents := open.payable_cents;
      due_cents := least(open.payable_cents, rest);
      hold := case when is_disputed then 'stopped' else 'none' end;
      rest := rest - due_cents;
      return next;
    end loop;
  end
$$;

-- The sum of a month's entries, up to the number in ledger_totals_until, so that the shop's figures need not read them
-- all.
create table ledger_totals (
  month date not null, -- its first day
  account text not null,
  kind text not null,
  cents bigint not null,
  primary key (month, account, kind)
);

-- Up to which entry ledger_totals counts. One row.
create table ledger_totals_until (
  only_row boolean primary key default true check (only_row),
  entry_number bigint not null,
  time_zone text not null default 'UTC' -- of the months
);
insert into ledger_totals_until (entry_number) values (0);

create function count_months_anew() returns trigger language plpgsql as $$
  begin
    update ledger_totals_until set entry_number = 0, time_zone = new.time_zone;
    delete from ledger_totals;
    return null;
  end
$$;
-- Sums of months in two time zones would count an entry twice or not at all.
create trigger shop_time_zone_counts_months after update on shop_time_zone
  for each row when (old.time_zone <> new.time_zone)
  execute function count_months_anew();

-- Payouts -----------------------------------------------------------------------------------------------------------

-- A seller's account at the card processor.
create table payout_accounts (
  seller_id uuid primary key references users,
  country text not null check (country ~ '^[A-Z]{2}$'), -- ISO 3166-1 alpha-2
  attempt integer not null default 1 check (attempt > 0), -- each creation of an account has its own idempotency key
  account_id text unique, -- the card processor's
  state text not null default 'creating'
    check (state in ('creating', 'active', 'pending', 'restricted', 'unsupported', 'closed', 'refused')),
  requirements jsonb not null default '[]', -- what the card processor still asks of the seller
  problem text not null default '', -- why the account is refused or closed, in words
  created_at timestamptz not null default now(),
  next_check_at timestamptz not null default now(),
  active_since timestamptz, -- when the seller could be paid for the first time, whichever account it was; null before
  transfers_paused_until timestamptz, -- no transfer goes there before: its bank account may have been changed
  check ((account_id is null) <= (state in ('creating', 'refused')))
);
create index payout_accounts_to_check on payout_accounts (next_check_at) where account_id is not null;

-- A transfer to a seller's account. An order can have several: after a reversal it is due again.
create table transfers (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null, -- references orders, which sales.sql creates
  seller_id uuid not null references users,
  account_id text not null,
  amount_cents integer not null check (amount_cents > 0),
  netted_cents integer not null default 0 check (netted_cents >= 0), -- what of the order was set off against debts
  reversed_cents integer not null default 0 check (reversed_cents between 0 and amount_cents),
  attempt integer not null default 1 check (attempt > 0), -- each has its own idempotency key at the card processor
  -- pending reserves the amount: it may have been transferred already
  state text not null default 'pending' check (state in ('pending', 'made', 'refused')),
  transfer_id text unique, -- the card processor's
  failure text, -- in words
  created_at timestamptz not null default now(),
  made_at timestamptz,
  next_attempt_at timestamptz not null, -- when a pending one is resumed, or a refused one attempted again
  refusal_told_at timestamptz, -- when the admins were told of its refusal, once
  constraint made_transfers_are_known check ((state = 'made') = (transfer_id is not null)),
  constraint refused_transfers_say_why check ((state = 'refused') = (failure is not null))
);
-- Two would pay an order twice. A refused transfer is attempted again in its own row.
create unique index one_open_transfer_per_order on transfers (order_id) where state <> 'made';
create index transfers_of_an_order on transfers (order_id);
create index transfers_by_seller on transfers (seller_id, id);
create index pending_transfers_of_a_seller on transfers (seller_id) where state = 'pending';
create index refused_transfers_of_a_seller on transfers (seller_id, next_attempt_at) where state = 'refused';
create index transfers_to_try on transfers (next_attempt_at) where state = 'pending';

-- Whether something of a refused transfer's order is still due: an admin may have paid the seller by hand meanwhile.
create function is_still_due(transfer transfers) returns boolean language sql stable as $$
  select exists (
    select from seller_balances
           cross join lateral due_orders(seller_balances.seller_id, balance_cents, 'completed') as due
     where seller_balances.seller_id = transfer.seller_id and due.order_id = transfer.order_id)
$$;

-- A part of a transfer that the shop takes back.
create table transfer_reversals (
  id uuid primary key default gen_random_uuid(),
  transfer_id uuid not null references transfers,
  amount_cents integer not null check (amount_cents > 0),
  state text not null default 'pending' check (state in ('pending', 'made', 'refused')),
  reversal_id text unique, -- the card processor's
  failure text, -- in words
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz not null,
  constraint made_reversals_are_known check ((state = 'made') = (reversal_id is not null)),
  constraint refused_reversals_say_why check ((state = 'refused') = (failure is not null))
);
-- The second one would not know what of the transfer is left.
create unique index one_reversal_at_a_time on transfer_reversals (transfer_id) where state = 'pending';
create index reversals_of_a_transfer on transfer_reversals (transfer_id, created_at);
create index reversals_to_try on transfer_reversals (next_attempt_at) where state = 'pending';

-- A payout from a seller's account to the seller's bank.
create table bank_payouts (
  payout_id text primary key, -- the card processor's
  account_id text not null,
  seller_id uuid not null references users,
  amount_cents bigint not null,
  state text not null check (state in ('under_way', 'paid', 'failed')), -- paid can become failed: a bank returns money
  failure text,
  created_at timestamptz not null,
  arrives_at timestamptz not null,
  destination text, -- the card processor's id of the bank account; null when it does not say
  constraint failed_payouts_say_why check ((state = 'failed') = (failure is not null))
);
create index bank_payouts_of_a_seller on bank_payouts (seller_id, created_at desc);

-- What an admin settled with a seller outside the card processor: a payment to the seller, a repayment of a debt, or what
-- the shop gave up of one.
create table settlements (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  kind text not null check (kind in ('paid', 'repaid', 'written_off')),
  seller_id uuid not null references users,
  admin_id uuid not null references users,
  amount_cents bigint not null check (amount_cents > 0),
  reference text check (length(reference) between 1 and 100), -- the bank's, of a payment or a repayment
  reason text check (length(reason) between 1 and 500), -- of a write-off
  settled_at timestamptz not null default now(),
  constraint payments_have_a_reference check ((kind = 'written_off') = (reference is null)),
  constraint write_offs_have_a_reason check ((kind = 'written_off') = (reason is not null))
);
-- A repeated entry is the same payment, also in other letters: banks print a reference in capitals and in groups.
create unique index one_settlement_per_reference
  on settlements (seller_id, kind, lower(regexp_replace(reference, '\s', '', 'g')));
create index settlements_of_a_seller on settlements (seller_id, number);

-- Receipts ----------------------------------------------------------------------------------------------------------

-- The last number of a year. Its row is locked while a receipt is issued, so that the numbers have no gaps.
create table receipt_counters (
  year integer primary key,
  last integer not null check (last between 1 and 999999999)
);

-- A receipt or credit note, as it was issued. Append-only.
create table receipts (
  number bigint generated always as identity unique,
  year integer not null references receipt_counters,
  sequence integer not null check (sequence > 0),
  receipt_number text not null unique generated always as ( -- such as 2026-000017
    year::text || '-' || case when sequence < 1000000 then lpad(sequence::text, 6, '0') else sequence::text end
  ) stored,
  kind text not null check (kind in ('sale', 'sale_credit', 'commission', 'commission_credit')),
  order_id uuid not null, -- references orders, which sales.sql creates
  recipient_id uuid not null references users,
  amount_cents integer not null check (amount_cents > 0),
  laptop_name text not null,
  issued_at timestamptz not null default now(),
  time_zone text not null default 'UTC', -- of the number's year and the printed date
  identity_since timestamptz references shop_identities, -- the shop's identity on it; null when only its name is
  primary key (year, sequence),
  constraint issued_in_its_year check (year = extract(year from issued_at at time zone time_zone))
);
create unique index one_receipt_per_sale on receipts (order_id) where kind = 'sale';
create unique index one_commission_receipt_per_sale on receipts (order_id) where kind = 'commission';
create index receipts_of_an_order on receipts (order_id);
create index receipts_of_a_person on receipts (recipient_id, number desc);
create index receipts_by_time on receipts (issued_at desc, number desc);

-- The recipients have them, and a deleted one would leave a gap in the numbers.
create trigger receipts_stay before update or delete on receipts
  for each row execute function refuse_change('receipts are never changed');
create trigger receipts_stay_whole before truncate on receipts
  for each statement execute function refuse_change('receipts are never changed');

-- The buyer or the seller of a payment whose account was deleted, which bookkeeping has to retain. A table of its own,
-- because no endpoint reads it.
create table bookkeeping (
  transaction_id text not null,
  party text not null check (party in ('buyer', 'seller')),
  name text not null,
  email text not null,
  kept_at timestamptz not null default now(),
  primary key (transaction_id, party)
);

-- The card processor ------------------------------------------------------------------------------------------------

-- An event of the card processor that was processed, so that none is processed twice.
create table webhook_events (
  id text primary key,
  type text not null,
  transaction_id text,
  received_at timestamptz not null default now()
);
create index webhook_events_by_time on webhook_events (received_at);

-- A place to which the card processor sends events because the shop asked it to. The secret only proves where an event is
-- from: what happened is always read from the card processor.
create table event_destinations (
  id text primary key, -- at the card processor
  url text not null,
  payload text not null check (payload in ('snapshot', 'thin')),
  secret text not null,
  created_at timestamptz not null default now()
);

-- A movement of the shop's balance at the card processor, as listed there.
create table balance_transactions (
  id text primary key,
  type text not null check (type in ( -- described in contract/money/ledger.ts
    'charge', 'refund', 'refund_failure', 'dispute', 'dispute_reversal', 'transfer', 'transfer_reversal', 'payout',
    'payout_failure', 'fee', 'top_up', 'reserve', 'other'
  )),
  amount_cents bigint not null,
  fee_cents bigint not null,
  source_id text, -- of the charge, refund, dispute, transfer, reversal or payout that moved it
  transaction_id text, -- of the payment
  created_at timestamptz not null,
  currency text not null default 'usd', -- ISO 4217 in lower case; amounts are in hundredths of it
  is_foreign boolean not null default false, -- not in the shop's currency
  category text, -- the card processor's own name of the kind
  transfer_id text, -- the transfer of a reversal
  explanation text -- what an admin said about an unknown movement
    check (explanation in ('fee', 'own_money', 'reserve', 'seller_loss', 'other_currency'))
);
create index unknown_movements on balance_transactions (created_at)
  where explanation is null and (type = 'other' or is_foreign);

-- How far the movements are read and compared. One row.
create table balance_reading (
  only_row boolean primary key default true check (only_row),
  read_until timestamptz, -- all movements before this time are read; null before the first reading
  compared_at timestamptz,
  next_at timestamptz not null default now()
);
insert into balance_reading default values;

-- A difference between the ledger and the card processor's balance.
create table ledger_differences (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  kind text not null check (kind in (
    'missing_in_ledger', 'missing_at_processor', 'wrong_amount', 'unknown_movement', 'other_currency'
  )),
  movement text not null
    check (movement in ('payment', 'refund', 'dispute', 'transfer', 'transfer_reversal', 'other')),
  reference text not null,
  ledger_cents bigint not null,
  processor_cents bigint not null,
  detail text not null default '', -- the card processor's name of an unknown movement, or the currency
  found_at timestamptz not null default now(),
  resolved_at timestamptz
);
create unique index one_open_difference on ledger_differences (movement, reference) where resolved_at is null;
