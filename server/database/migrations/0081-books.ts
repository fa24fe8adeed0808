import { type Kysely, sql } from 'kysely';

/**
 * The books of the shop: its time zone and legal identity, repayments and write-offs of sellers' debts, and movements at the card
 * processor that are no fees.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await addTimeZone(database);
  await sql`
    -- What receipts say about the shop, from a time on. Null for what is not configured.
    create table shop_identities (
      since timestamptz primary key default clock_timestamp(),
      legal_name text,
      address text,
      tax_id text
    );
    alter table receipts
      -- Earlier years and dates were counted in UTC.
      add column time_zone text not null default 'UTC',
      -- Null on receipts that name only the shop.
      add column identity_since timestamptz references shop_identities,
      drop constraint issued_in_its_year,
      add constraint issued_in_its_year check (year = extract(year from issued_at at time zone time_zone)),
      -- Whether a sale is under a tax scheme depends on its seller, so new receipts name none.
      alter column tax_scheme set default 'none';
    drop table tax_schemes;
    create index receipts_by_time on receipts (issued_at desc, number desc);

    create table debt_settlements (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      kind text not null check (kind in ('repaid', 'written_off')),
      seller_id uuid not null references users,
      admin_id uuid not null references users,
      amount_cents bigint not null check (amount_cents > 0),
      -- The bank's reference of a repayment.
      reference text check (length(reference) between 1 and 100),
      -- Why an admin wrote an amount off.
      reason text check (length(reason) between 1 and 500),
      settled_at timestamptz not null default now(),
      constraint repaid_with_reference check ((kind = 'repaid') = (reference is not null)),
      constraint written_off_with_reason check ((kind = 'written_off') = (reason is not null)),
      constraint one_repayment_per_reference unique (seller_id, reference)
    );
    create index debt_settlements_of_a_seller on debt_settlements (seller_id, number);
    create index seller_balances_owed on seller_balances (balance_cents, seller_id) where balance_cents < 0;
    create index seller_balances_owed_by_seller on seller_balances (seller_id) where balance_cents < 0;

    alter table balance_transactions
      drop constraint balance_transactions_type_check,
      add constraint balance_transactions_type_check check (type in (
        'charge', 'refund', 'refund_failure', 'dispute', 'dispute_reversal', 'transfer', 'transfer_reversal',
        'payout', 'payout_failure', 'fee', 'top_up', 'reserve', 'other'
      )),
      add column currency text not null default 'usd',
      -- The card processor's own name of the kind; null for movements that were read before this migration.
      add column category text,
      -- The transfer of a reversal.
      add column transfer_id text,
      -- What an admin said about an unknown movement.
      add column explanation text check (explanation in (
        'fee', 'own_money', 'reserve', 'seller_loss', 'other_currency'
      ));
    -- They were posted as fees.
    update balance_transactions set explanation = 'fee' where type = 'other';
    -- Reversals that operators made are read again, because their transfers were not stored.
    update balance_reading set read_until = reversals.first
      from (select min(created_at) as first from balance_transactions
             where type = 'transfer_reversal'
               and not exists (select from transfer_reversals where reversal_id = source_id)) as reversals
     where reversals.first < read_until;
    create index unknown_movements on balance_transactions (created_at)
      where explanation is null and (type = 'other' or currency <> 'usd');

    alter table ledger_differences
      drop constraint ledger_differences_kind_check,
      add constraint ledger_differences_kind_check check (kind in (
        'missing_in_ledger', 'missing_at_processor', 'wrong_amount', 'payment_without_order', 'unknown_movement',
        'other_currency'
      )),
      drop constraint ledger_differences_movement_check,
      add constraint ledger_differences_movement_check check (movement in (
        'payment', 'refund', 'dispute', 'transfer', 'transfer_reversal', 'other'
      )),
      -- The card processor's name of an unknown movement, or the currency.
      add column detail text not null default '';
  `.execute(database);
}

/**
 * Keeps the time zone by which days, months and the years of receipts are counted, and counts anew when it changes. The triggers of
 * sellers' balances know the new kinds of postings.
 */
async function addTimeZone(database: Kysely<never>): Promise<void> {
  await sql`
    create table shop_time_zone (
      only_row boolean primary key default true check (only_row),
      -- An unknown time zone is an error.
      time_zone text not null default 'UTC' check (timezone(time_zone, timestamptz 'epoch') is not null)
    );
    insert into shop_time_zone default values;
    -- The time zone of the months in ledger_totals.
    alter table ledger_totals_until add column time_zone text not null default 'UTC';

    create or replace function note_seller_balance() returns trigger language plpgsql as $$
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
    create trigger shop_time_zone_counts_days after update on shop_time_zone
      for each row when (old.time_zone <> new.time_zone) execute function count_days_anew();
  `.execute(database);
}
