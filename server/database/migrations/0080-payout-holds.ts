import { type Kysely, sql } from 'kysely';

/**
 * Keeps what of a seller's money cannot be paid yet: orders that can still be complained about, orders with an open complaint or
 * a bank dispute, and everything of a seller while a bank disputes a payment. Refunds that a lost dispute made good are settled.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    -- Why what is payable of an order in a state is held back. 'complaints' ends with the time for complaints, and holds back
    -- only with PAYOUT_AFTER=completed. This is the only place that knows.
    create function payout_hold(state text) returns text language sql immutable as $$
      select case when state = 'released' then 'complaints'
                  when state in ('completed', 'refunded', 'charged_back') then 'none'
                  else 'stopped' end
    $$;

    alter table order_payables add column hold text not null default 'none'
      check (hold in ('none', 'complaints', 'stopped'));
    update order_payables set hold = payout_hold(orders.state)
      from orders where orders.id = order_id and payout_hold(orders.state) <> 'none';
    create index held_payables_of_a_seller on order_payables (seller_id, first_entry desc)
      where payable_cents > 0 and hold <> 'none';

    alter table seller_balances
      add column waiting_cents bigint not null default 0,
      add column stopped_cents bigint not null default 0,
      add column disputed_orders integer not null default 0 check (disputed_orders >= 0);
    update seller_balances set waiting_cents = sums.waiting_cents, stopped_cents = sums.stopped_cents
      from (select seller_id,
                   coalesce(sum(payable_cents) filter (where hold = 'complaints'), 0) as waiting_cents,
                   coalesce(sum(payable_cents) filter (where hold = 'stopped'), 0) as stopped_cents
              from order_payables where payable_cents > 0 and hold <> 'none' group by seller_id) as sums
     where sums.seller_id = seller_balances.seller_id;
    insert into seller_balances as balances (seller_id, balance_cents, disputed_orders)
      select seller_id, 0, count(*) from orders where state = 'charge_disputed' group by seller_id
      on conflict (seller_id) do update set disputed_orders = excluded.disputed_orders;

    -- What can be paid to the seller now, for each value of PAYOUT_AFTER. Negative: a debt that no payable money covers.
    alter table seller_balances
      add column free_after_completion_cents bigint not null generated always as (
        case when disputed_orders > 0 then least(0, balance_cents - stopped_cents - waiting_cents)
             else balance_cents - stopped_cents - waiting_cents end) stored,
      add column free_after_release_cents bigint not null generated always as (
        case when disputed_orders > 0 then least(0, balance_cents - stopped_cents)
             else balance_cents - stopped_cents end) stored;
    drop index seller_balances_due;
    create index seller_balances_due_after_completion on seller_balances (free_after_completion_cents desc, seller_id)
      where balance_cents > 0;
    create index seller_balances_due_after_release on seller_balances (free_after_release_cents desc, seller_id)
      where balance_cents > 0;


    -- The first entry of an order can precede the change of its state in the same transaction; the trigger on orders follows.
    create function set_payout_hold() returns trigger language plpgsql as $$
      begin
        new.hold := (select payout_hold(state) from orders where id = new.order_id);
        return new;
      end
    $$;
    create trigger order_payables_set_hold before insert on order_payables
      for each row execute function set_payout_hold();

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
    create trigger order_payables_sum_holds after insert or update on order_payables
      for each row execute function sum_payout_holds();

    create function note_payout_hold() returns trigger language plpgsql as $$
      declare
        disputed integer := (new.state = 'charge_disputed')::integer;
      begin
        if tg_op = 'UPDATE' then disputed := disputed - (old.state = 'charge_disputed')::integer; end if;
        if disputed <> 0 then
          insert into seller_balances as balances (seller_id, balance_cents, disputed_orders)
            values (new.seller_id, 0, greatest(disputed, 0))
            on conflict (seller_id) do update set disputed_orders = balances.disputed_orders + disputed;
        end if;
        update order_payables set hold = payout_hold(new.state)
         where order_id = new.id and hold <> payout_hold(new.state);
        return null;
      end
    $$;
    create trigger orders_note_payout_hold after insert or update of state on orders
      for each row execute function note_payout_hold();

    -- What is due of each order, and why it is held back. Payments to the seller and debts are set off against orders that can be
    -- paid, the oldest first, and against held ones last; older orders of which nothing is left are not read.
    create function due_orders(seller uuid, balance bigint, payout_after text)
      returns table (order_id uuid, payable_cents bigint, due_cents bigint, hold text) language plpgsql stable rows 20 as $$
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

    drop view payable_orders;
    drop function due_orders(uuid, bigint);

    alter table refunds
      drop constraint refunds_state_check,
      add constraint refunds_state_check check (state in ('waiting', 'pending', 'done', 'failed', 'settled_by_bank'));
  `.execute(database);
}
