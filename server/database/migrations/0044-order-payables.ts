import { type Kysely, sql } from 'kysely';

/**
 * Keeps what is payable of each order, and what was paid to each seller, as sums of the ledger. Reading a seller's money no
 * longer reads all of the seller's entries.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table order_payables (
      order_id uuid primary key references orders,
      seller_id uuid not null references users,
      -- The number of the order's first entry. Payments to the seller are set off in this order.
      first_entry bigint not null,
      -- Negative when the seller got too much.
      payable_cents bigint not null
    );
    insert into order_payables (order_id, seller_id, first_entry, payable_cents)
      select order_id, min(seller_id::text)::uuid, min(number), -sum(amount_cents)
        from ledger_entries where account = 'payable' and order_id is not null group by order_id;
    create index open_payables_of_a_seller on order_payables (seller_id, first_entry desc) where payable_cents > 0;

    alter table seller_balances add column paid_cents bigint not null default 0;
    update seller_balances set paid_cents = paid.cents
      from (select seller_id, sum(amount_cents) as cents
              from ledger_entries join ledger_postings on ledger_postings.id = posting_id
             where account = 'payable' and kind in ('transfer', 'transfer_reversed', 'settled_by_hand')
             group by seller_id) as paid
     where paid.seller_id = seller_balances.seller_id;

    create or replace function note_seller_balance() returns trigger language plpgsql as $$
      declare
        is_payment boolean := (select kind in ('transfer', 'transfer_reversed', 'settled_by_hand')
                                 from ledger_postings where id = new.posting_id);
      begin
        insert into seller_balances as balances (seller_id, balance_cents, paid_cents)
          values (new.seller_id, -new.amount_cents, case when is_payment then new.amount_cents else 0 end)
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

    -- The orders of which something is due, newest first. Payments to the seller and debts are set off against the oldest
    -- orders, so the balance consists of the newest, and older ones are not read.
    create function due_orders(seller uuid, balance bigint)
      returns table (order_id uuid, payable_cents bigint, due_cents bigint) language plpgsql stable rows 20 as $$
      declare
        open record;
        rest bigint := balance;
      begin
        for open in select payables.order_id, payables.payable_cents from order_payables as payables
                     where payables.seller_id = seller and payables.payable_cents > 0
                     order by payables.first_entry desc
        loop
          exit when rest <= 0;
          order_id := open.order_id;
          payable_cents := open.payable_cents;
          due_cents := least(open.payable_cents, rest);
          rest := rest - due_cents;
          return next;
        end loop;
      end
    $$;

    drop view payable_orders;
    create view payable_orders as
      select seller_id, due.order_id, due.payable_cents, due.due_cents
        from seller_balances cross join lateral due_orders(seller_id, balance_cents) as due
       where balance_cents > 0;

    -- Statements read a seller's entries in batches by number.
    drop index ledger_entries_of_a_seller;
    create index ledger_entries_of_a_seller on ledger_entries (seller_id, number) where seller_id is not null;
  `.execute(database);
}
