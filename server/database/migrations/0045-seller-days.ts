import { type Kysely, sql } from 'kysely';

/** Keeps each seller's money of each day as sums of the ledger. A seller's history no longer reads all of the year's entries. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table seller_days (
      seller_id uuid not null references users,
      -- By UTC.
      day date not null,
      released_cents bigint not null,
      -- Less what was taken back of payments.
      paid_cents bigint not null,
      -- Refunds and lost disputes.
      taken_back_cents bigint not null,
      primary key (seller_id, day)
    );
    insert into seller_days (seller_id, day, released_cents, paid_cents, taken_back_cents)
      select seller_id, (posted_at at time zone 'UTC')::date,
             coalesce(sum(-amount_cents) filter (where kind = 'release'), 0),
             coalesce(sum(amount_cents) filter (where kind in ('transfer', 'transfer_reversed', 'settled_by_hand')), 0),
             coalesce(sum(amount_cents) filter (where kind in ('refund_decided', 'dispute_lost')), 0)
        from ledger_entries join ledger_postings on ledger_postings.id = posting_id
       where account = 'payable'
       group by 1, 2;

    create or replace function note_seller_balance() returns trigger language plpgsql as $$
      declare
        posting ledger_postings := (select ledger_postings from ledger_postings where id = new.posting_id);
        paid bigint := case when posting.kind in ('transfer', 'transfer_reversed', 'settled_by_hand')
                            then new.amount_cents else 0 end;
      begin
        insert into seller_balances as balances (seller_id, balance_cents, paid_cents)
          values (new.seller_id, -new.amount_cents, paid)
          on conflict (seller_id) do update set balance_cents = balances.balance_cents + excluded.balance_cents,
                                                paid_cents = balances.paid_cents + excluded.paid_cents;
        insert into seller_days as days (seller_id, day, released_cents, paid_cents, taken_back_cents)
          values (new.seller_id, (posting.posted_at at time zone 'UTC')::date,
                  case when posting.kind = 'release' then -new.amount_cents else 0 end, paid,
                  case when posting.kind in ('refund_decided', 'dispute_lost') then new.amount_cents else 0 end)
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
  `.execute(database);
}
