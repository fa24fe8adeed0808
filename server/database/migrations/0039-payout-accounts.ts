import { type Kysely, sql } from 'kysely';

/** Payouts through the card processor: sellers' accounts there, transfers, their reversals, and payouts to banks. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table payout_accounts (
      seller_id uuid primary key references users,
      country text not null check (country ~ '^[A-Z]{2}$'),
      -- Counts the accounts that were created for this seller: each attempt has an idempotency key of its own.
      attempt integer not null default 1 check (attempt > 0),
      account_id text unique,
      state text not null default 'creating' check (state in (
        'creating', 'active', 'pending', 'restricted', 'unsupported', 'closed', 'refused'
      )),
      requirements jsonb not null default '[]',
      -- Why the account is refused, in words.
      problem text not null default '',
      created_at timestamptz not null default now(),
      next_check_at timestamptz not null default now(),
      check ((account_id is null) <= (state in ('creating', 'refused')))
    );
    create index payout_accounts_to_check on payout_accounts (next_check_at) where account_id is not null;

    create table transfers (
      id uuid primary key default gen_random_uuid(),
      order_id uuid not null references orders,
      seller_id uuid not null references users,
      account_id text not null,
      amount_cents integer not null check (amount_cents > 0),
      -- What of the order's proceeds was set off against debts of the seller.
      netted_cents integer not null default 0 check (netted_cents >= 0),
      reversed_cents integer not null default 0 check (reversed_cents between 0 and amount_cents),
      attempt integer not null default 1 check (attempt > 0),
      -- 'pending' reserves the amount: it may have been transferred already.
      state text not null default 'pending' check (state in ('pending', 'made', 'refused')),
      transfer_id text unique,
      failure text,
      created_at timestamptz not null default now(),
      made_at timestamptz,
      next_attempt_at timestamptz not null,
      constraint made_transfers_are_known check ((state = 'made') = (transfer_id is not null)),
      constraint refused_transfers_say_why check ((state = 'refused') = (failure is not null))
    );
    -- An order can be due again after a reversal; a refused transfer is tried again in its own row.
    create unique index one_open_transfer_per_order on transfers (order_id) where state <> 'made';
    create index transfers_of_an_order on transfers (order_id);
    create index transfers_of_a_seller on transfers (seller_id);
    create index pending_transfers_of_a_seller on transfers (seller_id) where state = 'pending';
    create index refused_transfers_of_a_seller on transfers (seller_id, next_attempt_at) where state = 'refused';
    create index transfers_to_try on transfers (next_attempt_at) where state = 'pending';

    create table transfer_reversals (
      id uuid primary key default gen_random_uuid(),
      transfer_id uuid not null references transfers,
      amount_cents integer not null check (amount_cents > 0),
      state text not null default 'pending' check (state in ('pending', 'made', 'refused')),
      reversal_id text unique,
      failure text,
      created_at timestamptz not null default now(),
      next_attempt_at timestamptz not null,
      constraint made_reversals_are_known check ((state = 'made') = (reversal_id is not null)),
      constraint refused_reversals_say_why check ((state = 'refused') = (failure is not null))
    );
    create unique index one_reversal_at_a_time on transfer_reversals (transfer_id) where state = 'pending';
    create index reversals_to_try on transfer_reversals (next_attempt_at) where state = 'pending';

    create table bank_payouts (
      payout_id text primary key,
      account_id text not null,
      seller_id uuid not null references users,
      amount_cents bigint not null,
      state text not null check (state in ('under_way', 'paid', 'failed')),
      failure text,
      created_at timestamptz not null,
      arrives_at timestamptz not null,
      constraint failed_payouts_say_why check ((state = 'failed') = (failure is not null))
    );
    create index bank_payouts_of_a_seller on bank_payouts (seller_id, created_at desc);
  `.execute(database);
}
