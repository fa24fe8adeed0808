import { type Kysely, sql } from 'kysely';

/**
 * Orders and the ledger. Each payment becomes an order in the state and with the books that it would have now: held for seven
 * days after the payment, due to the seller afterwards, without commission.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table orders (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      booking_id uuid not null constraint ordered_once unique references bookings,
      laptop_id uuid not null references laptops,
      buyer_id uuid not null references users,
      seller_id uuid not null references users,
      transaction_id text not null unique,
      price_cents integer not null check (price_cents > 0),
      commission_cents integer not null check (commission_cents between 0 and price_cents),
      state text not null check (state in (
        'held', 'complaint', 'offered', 'contested', 'awaiting_return', 'return_reported', 'released', 'charge_disputed',
        'completed', 'refunded', 'partly_refunded', 'charged_back'
      )),
      state_since timestamptz not null default now(),
      due_at timestamptz,
      laptop_with_buyer boolean not null default false,
      released_at timestamptz,
      refunded_cents integer not null default 0,
      handover_code text not null check (handover_code ~ '^[0-9]{6}$'),
      wrong_codes integer not null default 0 check (wrong_codes >= 0),
      codes_locked_until timestamptz,
      placed_at timestamptz not null default now(),
      foreign key (booking_id, transaction_id) references bookings (id, transaction_id),
      foreign key (booking_id, laptop_id) references bookings (id, laptop_id),
      constraint each_wait_ends check (
        (due_at is null) = (state in ('charge_disputed', 'completed', 'refunded', 'partly_refunded', 'charged_back'))
      ),
      constraint refunded_within_price check (refunded_cents between 0 and price_cents),
      constraint refunded_in_full check (state not in ('refunded') or refunded_cents = price_cents),
      constraint refunded_in_part check (state <> 'partly_refunded' or refunded_cents between 1 and price_cents - 1)
    );
    -- A laptop can be sold again after the money went back.
    create unique index one_order_per_laptop on orders (laptop_id) where state <> 'refunded';
    drop index one_paid_booking_per_laptop;
    create index orders_due on orders (due_at) where due_at is not null;
    create index orders_of_a_seller on orders (seller_id, number desc);
    create index unreleased_orders_of_a_seller on orders (seller_id)
      where released_at is null and refunded_cents < price_cents;
    create index orders_of_a_buyer on orders (buyer_id, number desc);

    create table order_events (
      order_id uuid not null references orders,
      number bigint generated always as identity unique,
      happened_at timestamptz not null default clock_timestamp(),
      event text not null,
      actor text not null check (actor in ('buyer', 'seller', 'admin', 'clock', 'bank', 'shop')),
      amount_cents integer,
      primary key (order_id, number)
    );

    create table ledger_postings (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      kind text not null check (kind in (
        'sale', 'payment_without_sale', 'release', 'refund_decided', 'refund_made', 'refund_returned', 'processor_fee',
        'transfer', 'transfer_reversed', 'settled_by_hand', 'dispute_opened', 'dispute_won', 'dispute_lost', 'correction'
      )),
      -- What caused the posting: with the kind, it is posted once.
      reference text not null,
      posted_at timestamptz not null default now(),
      constraint posted_once unique (kind, reference)
    );
    create index ledger_postings_by_time on ledger_postings (posted_at);

    create table ledger_entries (
      number bigint generated always as identity primary key,
      posting_id uuid not null references ledger_postings,
      account text not null check (account in (
        'processor', 'bank', 'held', 'payable', 'refunds_due', 'disputed', 'commission', 'processor_fees', 'lost_disputes'
      )),
      -- Positive for a debit, negative for a credit.
      amount_cents bigint not null check (amount_cents <> 0),
      order_id uuid references orders,
      seller_id uuid references users,
      check ((account = 'held') <= (order_id is not null)),
      check ((account = 'payable') = (seller_id is not null))
    );
    create index ledger_entries_of_a_posting on ledger_entries (posting_id);
    create index ledger_entries_of_an_order on ledger_entries (order_id) where order_id is not null;
    create index ledger_entries_of_a_seller on ledger_entries (seller_id) where seller_id is not null;

    create function keep_ledger() returns trigger language plpgsql as $$
      begin
        raise exception 'the ledger and the events of orders are never changed';
      end
    $$;
    create trigger order_events_stay before update or delete on order_events
      for each row execute function keep_ledger();
    create trigger ledger_postings_stay before update or delete on ledger_postings
      for each row execute function keep_ledger();
    create trigger ledger_entries_stay before update or delete on ledger_entries
      for each row execute function keep_ledger();

    -- Checked at the end of the transaction that posts, when all entries are there.
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
    create constraint trigger ledger_postings_balance after insert on ledger_postings
      deferrable initially deferred for each row execute function require_balance();
    create constraint trigger ledger_entries_balance after insert on ledger_entries
      deferrable initially deferred for each row execute function require_balance();

    -- An order gives money back only with a refund, except through a bank.
    create function require_refund() returns trigger language plpgsql as $$
      begin
        if new.state in ('refunded', 'partly_refunded')
           and not exists (select from refunds where transaction_id = new.transaction_id) then
          raise exception 'the order % gives money back without a refund', new.id
            using errcode = 'check_violation', constraint = 'refunded_orders_have_refunds';
        end if;
        return null;
      end
    $$;
    create constraint trigger refunded_orders_have_refunds after insert or update of state on orders
      deferrable initially deferred for each row execute function require_refund();

    alter table refunds
      drop constraint refunds_reason_check,
      add constraint refunds_reason_check check (
        reason in ('sold_to_another', 'left_the_shop', 'booking_cancelled', 'paid_twice', 'wrong_amount', 'price_changed',
                   'lock_found', 'order_cancelled', 'complaint', 'partial')
      );
  `.execute(database);
  await fillOrders(database);
  await fillLedger(database);
}

/** One order per payment. Its code is as hard to guess as a new one. */
async function fillOrders(database: Kysely<never>): Promise<void> {
  await sql`
    insert into orders (booking_id, laptop_id, buyer_id, seller_id, transaction_id, price_cents, commission_cents,
                        state, state_since, due_at, released_at, refunded_cents, handover_code, placed_at)
      select bookings.id, bookings.laptop_id, bookings.buyer_id, bookings.seller_id, payments.transaction_id,
             payments.amount_cents, 0,
             case when lost.closed_at is not null then 'charged_back'
                  when disputed.transaction_id is not null then 'charge_disputed'
                  else 'held' end,
             coalesce(lost.closed_at, payments.paid_at),
             case when lost.closed_at is null and disputed.transaction_id is null
                  then payments.paid_at + interval '7 days' end,
             lost.closed_at, least(coalesce(lost.cents, 0), payments.amount_cents),
             lpad(((('x' || left(md5(gen_random_uuid()::text), 8))::bit(32)::bigint) % 1000000)::text, 6, '0'),
             payments.paid_at
        from payments
        join bookings on bookings.id = payments.booking_id
        left join (select transaction_id, max(closed_at) as closed_at, sum(amount_cents) as cents
                     from disputes where state = 'lost' group by 1) as lost
          on lost.transaction_id = payments.transaction_id
        left join (select distinct transaction_id from disputes
                    where state in ('chargeback', 'open', 'inquiry')) as disputed
          on disputed.transaction_id = payments.transaction_id
       order by payments.paid_at;
    insert into order_events (order_id, happened_at, event, actor)
      select id, placed_at, 'paid', 'buyer' from orders order by number;
  `.execute(database);
}

/** The books of the money that was taken, refunded and disputed so far. */
async function fillLedger(database: Kysely<never>): Promise<void> {
  const post = (kind: string, source: ReturnType<typeof sql>) => sql`
    with causes as (${source}),
         posted as (insert into ledger_postings (kind, reference, posted_at)
                    select distinct ${kind}, reference, at from causes returning id, reference)
    insert into ledger_entries (posting_id, account, amount_cents, order_id, seller_id)
      select posted.id, account, amount, order_id, case when account = 'payable' then orders.seller_id end
        from causes join posted using (reference) left join orders on orders.id = order_id`;
  const pair = (debit: string, credit: string) => sql`
    cross join lateral (values (${debit}, amount_cents::bigint), (${credit}, -amount_cents::bigint))
      as sides (account, amount)`;

  await post(
    'sale',
    sql`select transaction_id as reference, placed_at as at, account, amount, id as order_id
          from (select *, price_cents as amount_cents from orders) as orders ${pair('processor', 'held')}`,
  ).execute(database);
  await post(
    'payment_without_sale',
    sql`select transaction_id as reference, created_at as at, account, amount, null::uuid as order_id
          from refunds ${pair('processor', 'refunds_due')}`,
  ).execute(database);
  await post(
    'refund_made',
    sql`select id || '-' || attempt as reference, done_at as at, account, amount, null::uuid as order_id
          from refunds ${pair('refunds_due', 'processor')} where state = 'done'`,
  ).execute(database);
  await post(
    'dispute_opened',
    sql`select card_dispute_id as reference, opened_at as at, account, amount, null::uuid as order_id
          from disputes ${pair('disputed', 'processor')} where state in ('chargeback', 'open', 'won', 'lost')`,
  ).execute(database);
  await post(
    'dispute_won',
    sql`select card_dispute_id as reference, closed_at as at, account, amount, null::uuid as order_id
          from disputes ${pair('processor', 'disputed')} where state = 'won'`,
  ).execute(database);
  // Of an order, the shop no longer owes its seller what the bank took; anything else is a loss.
  await post(
    'dispute_lost',
    sql`select card_dispute_id as reference, closed_at as at, account, amount, order_id
          from (select disputes.*, orders.id as order_id, coalesce(orders.price_cents, 0) as held_cents
                  from disputes left join orders using (transaction_id) where disputes.state = 'lost') as disputes
          cross join lateral (values
            ('held', least(amount_cents, held_cents)::bigint),
            ('lost_disputes', greatest(amount_cents - held_cents, 0)::bigint),
            ('disputed', -amount_cents::bigint)) as sides (account, amount)
         where amount <> 0`,
  ).execute(database);
  // A bank that took less than the price left the rest to the seller.
  await post(
    'release',
    sql`select id::text as reference, released_at as at, account, amount, id as order_id
          from (select *, price_cents - refunded_cents as amount_cents from orders
                 where state = 'charged_back' and refunded_cents < price_cents) as orders ${pair('held', 'payable')}`,
  ).execute(database);
}
