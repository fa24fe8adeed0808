import { type Kysely, sql } from 'kysely';

/** Receipts, and the comparison of the ledger with the card processor's balance. Sales before this migration have no receipt. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table receipt_counters (
      year integer primary key,
      last integer not null check (last between 1 and 999999999)
    );

    create table receipts (
      number bigint generated always as identity unique,
      year integer not null references receipt_counters,
      sequence integer not null check (sequence > 0),
      receipt_number text not null unique generated always as (
        year::text || '-' || case when sequence < 1000000 then lpad(sequence::text, 6, '0') else sequence::text end
      ) stored,
      kind text not null check (kind in ('sale', 'sale_credit', 'commission', 'commission_credit')),
      order_id uuid not null references orders,
      recipient_id uuid not null references users,
      amount_cents integer not null check (amount_cents > 0),
      -- What stood on the receipt when it was issued.
      laptop_name text not null,
      tax_scheme text not null check (tax_scheme in ('none', 'margin')),
      issued_at timestamptz not null default now(),
      primary key (year, sequence),
      constraint issued_in_its_year check (year = extract(year from issued_at at time zone 'UTC'))
    );
    create unique index one_receipt_per_sale on receipts (order_id) where kind = 'sale';
    create unique index one_commission_receipt_per_sale on receipts (order_id) where kind = 'commission';
    create index receipts_of_an_order on receipts (order_id);
    create index receipts_of_a_person on receipts (recipient_id, number desc);
    create function keep_receipts() returns trigger language plpgsql as $$
      begin
        raise exception 'receipts are never changed';
      end
    $$;
    create trigger receipts_stay before update or delete on receipts
      for each row execute function keep_receipts();

    -- The shop's tax scheme from a time on.
    create table tax_schemes (
      since timestamptz primary key default clock_timestamp(),
      scheme text not null check (scheme in ('none', 'margin'))
    );

    -- The movements of the shop's balance, as the card processor lists them.
    create table balance_transactions (
      id text primary key,
      type text not null check (type in (
        'charge', 'refund', 'refund_failure', 'dispute', 'dispute_reversal', 'transfer', 'transfer_reversal',
        'payout', 'payout_failure', 'other'
      )),
      amount_cents bigint not null,
      fee_cents bigint not null,
      source_id text,
      transaction_id text,
      created_at timestamptz not null
    );

    create table balance_reading (
      only_row boolean primary key default true check (only_row),
      -- All movements before this time are read; null before the first reading.
      read_until timestamptz,
      compared_at timestamptz,
      next_at timestamptz not null default now()
    );
    insert into balance_reading default values;

    create table ledger_differences (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      kind text not null check (kind in (
        'missing_in_ledger', 'missing_at_processor', 'wrong_amount', 'payment_without_order'
      )),
      movement text not null check (movement in ('payment', 'refund', 'dispute', 'transfer', 'transfer_reversal')),
      reference text not null,
      ledger_cents bigint not null,
      processor_cents bigint not null,
      found_at timestamptz not null default now(),
      resolved_at timestamptz
    );
    create unique index one_open_difference on ledger_differences (movement, reference) where resolved_at is null;

    -- Sums of the ledger's entries up to a number, so that the figures of a shop need not read all entries.
    create table ledger_totals (
      month date not null,
      account text not null,
      kind text not null,
      cents bigint not null,
      primary key (month, account, kind)
    );
    create table ledger_totals_until (
      only_row boolean primary key default true check (only_row),
      entry_number bigint not null
    );
    insert into ledger_totals_until (entry_number) values (0);

    create index orders_in_question on orders (state) where state in (
      'complaint', 'offered', 'contested', 'awaiting_return', 'return_reported', 'charge_disputed'
    );

    alter table ledger_postings
      drop constraint ledger_postings_kind_check,
      add constraint ledger_postings_kind_check check (kind in (
        'sale', 'payment_without_sale', 'release', 'refund_decided', 'refund_made', 'refund_returned', 'processor_fee',
        'bank_payout', 'transfer', 'transfer_reversed', 'settled_by_hand', 'dispute_opened', 'dispute_won', 'dispute_lost',
        'correction'
      ));
  `.execute(database);
}
