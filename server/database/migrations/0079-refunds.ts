import { type Kysely, sql } from 'kysely';

/**
 * Several refunds per payment, goodwill, and refunds that wait until the money is back from the seller. The refunds of a payment are
 * bounded by what was captured, as the ledger has it: a locked sum at the end of the transaction, because a unique index or a check of
 * one row cannot express it.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    -- A table cannot be altered while triggers wait for the end of the transaction.
    set constraints all immediate;
    alter table refunds
      drop constraint refunded_once,
      -- An operator's refund at the card processor can pay several refunds that the shop owed.
      drop constraint refund_named_once,
      drop constraint refunds_state_check,
      add constraint refunds_state_check check (state in ('waiting', 'pending', 'done', 'failed')),
      drop constraint refunds_reason_check,
      add constraint refunds_reason_check check (
        reason in ('sold_to_another', 'left_the_shop', 'booking_cancelled', 'paid_twice', 'wrong_amount', 'price_changed',
                   'lock_found', 'order_cancelled', 'complaint', 'partial', 'charged_back', 'by_admin', 'goodwill', 'made_at_processor',
                   'unexplained')
      ),
      -- What an admin told both people about it.
      add column note text not null default '' check (char_length(note) <= 1000),
      -- When buyer and admins were told that it waits.
      add column told_waiting_at timestamptz,
      add constraint waiting_refunds_are_not_made check (state <> 'waiting' or card_refund_id is null);
    create index refunds_of_a_payment on refunds (transaction_id, created_at);
    create index refunds_by_card_refund on refunds (card_refund_id) where card_refund_id is not null;
    create index refunds_that_wait on refunds (created_at, id) where state = 'waiting';
    drop index refunds_to_check;
    create index refunds_to_check on refunds (next_check_at) where state in ('pending', 'done');

    create function bound_refunds() returns trigger language plpgsql as $$
      declare
        captured bigint;
        refunded bigint;
      begin
        -- Locked, so that of two transactions the second one sums what the first one has committed.
        select amount_cents into captured
          from ledger_postings join ledger_entries on posting_id = ledger_postings.id and account = 'processor'
         where kind in ('sale', 'payment_without_sale') and reference = new.transaction_id
           for no key update of ledger_postings;
        select sum(amount_cents) into refunded
          from refunds where transaction_id = new.transaction_id and state not in ('failed', 'settled_by_bank');
        if refunded > captured then
          raise exception 'the refunds of % are % cents, more than the % that were captured', new.transaction_id, refunded, captured
            using errcode = 'check_violation', constraint = 'refunds_within_payment', table = 'refunds';
        end if;
        return null;
      end
    $$;
    create constraint trigger refunds_are_bounded after insert or update of amount_cents, state on refunds
      deferrable initially deferred for each row when (new.state not in ('failed', 'settled_by_bank')) execute function bound_refunds();

    alter table orders
      -- What the buyer got back at the shop's own cost. The whole price is the seller's to bear, so it is 0 once that went back.
      add column goodwill_cents integer not null default 0,
      add constraint returned_within_price check (
        goodwill_cents >= 0 and (state = 'charged_back' or refunded_cents + goodwill_cents <= price_cents)
      );

    -- An order gives back the sum of its refunds, unless a bank took money back as well.
    create or replace function require_refund() returns trigger language plpgsql as $$
      declare
        order_row orders := (select orders from orders where id = new.id);
        refunds_cents bigint;
      begin
        if order_row.state = 'charged_back'
           or exists (select from disputes where transaction_id = order_row.transaction_id and state = 'lost') then
          return null;
        end if;
        select coalesce(sum(amount_cents), 0) into refunds_cents
          from refunds where transaction_id = order_row.transaction_id and reason <> 'unexplained';
        if refunds_cents <> order_row.refunded_cents + order_row.goodwill_cents then
          raise exception 'the order % gave % cents back with refunds of %', new.id,
            order_row.refunded_cents + order_row.goodwill_cents, refunds_cents
            using errcode = 'check_violation', constraint = 'refunded_orders_have_refunds';
        end if;
        return null;
      end
    $$;
    drop trigger refunded_orders_have_refunds on orders;
    create constraint trigger refunded_orders_have_refunds after insert or update of state, refunded_cents, goodwill_cents on orders
      deferrable initially deferred for each row execute function require_refund();
  `.execute(database);
}
