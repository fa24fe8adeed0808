import { type Kysely, sql } from 'kysely';

/** What is due to each seller, and the payments to sellers that admins made outside the shop. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    -- Locked by whatever pays a seller, so that nothing is paid twice.
    create table seller_balances (
      seller_id uuid primary key references users,
      -- Positive when the shop owes the seller, negative when the seller owes the shop.
      balance_cents bigint not null
    );
    create index seller_balances_due on seller_balances (balance_cents desc, seller_id) where balance_cents > 0;

    insert into seller_balances (seller_id, balance_cents)
      select seller_id, -sum(amount_cents) from ledger_entries where account = 'payable' group by seller_id;

    create function note_seller_balance() returns trigger language plpgsql as $$
      begin
        insert into seller_balances as balances (seller_id, balance_cents) values (new.seller_id, -new.amount_cents)
          on conflict (seller_id) do update set balance_cents = balances.balance_cents + excluded.balance_cents;
        return null;
      end
    $$;
    create trigger ledger_entries_note_balance after insert on ledger_entries
      for each row when (new.account = 'payable') execute function note_seller_balance();

    -- What of each order is due to its seller. Payments to the seller and debts are set off against the oldest orders, so
    -- the balance consists of the newest.
    create view payable_orders as
      select seller_id, order_id, payable_cents,
             greatest(0, least(payable_cents, balance_cents - newer_cents))::bigint as due_cents
        from (
          select opened.*, balance_cents,
                 coalesce(sum(greatest(payable_cents, 0)) over (
                   partition by seller_id order by first_entry desc
                   rows between unbounded preceding and 1 preceding), 0) as newer_cents
            from (select seller_id, order_id, -sum(amount_cents) as payable_cents, min(number) as first_entry
                    from ledger_entries
                   where account = 'payable' and order_id is not null
                   group by seller_id, order_id) as opened
            join seller_balances using (seller_id)
        ) as ordered;

    create table settlements (
      id uuid primary key default gen_random_uuid(),
      number bigint generated always as identity unique,
      seller_id uuid not null references users,
      admin_id uuid not null references users,
      amount_cents bigint not null check (amount_cents > 0),
      reference text not null check (length(reference) between 1 and 100),
      settled_at timestamptz not null default now(),
      constraint one_settlement_per_reference unique (seller_id, reference)
    );
    create index settlements_of_a_seller on settlements (seller_id, number);
  `.execute(database);
}
