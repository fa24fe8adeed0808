import { type Kysely, sql } from 'kysely';

/**
 * Refunds can fail, even after they had succeeded, and be retried; buyers can dispute payments. The previous version does
 * not know the new columns, which therefore have defaults.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table refunds
      drop constraint refunds_state_check,
      add constraint refunds_state_check check (state in ('pending', 'done', 'failed')),
      add column attempt integer not null default 1 check (attempt > 0),
      add column card_refund_id text constraint refund_named_once unique,
      add column failed_at timestamptz,
      add column failure_reason text,
      add column next_check_at timestamptz default now() + interval '1 minute',
      add constraint failed_when_and_why check (
        (state = 'failed') = (failed_at is not null) and (state = 'failed') = (failure_reason is not null)
      );
    -- The card processor's ids of earlier refunds were not stored, so these cannot be checked.
    update refunds set next_check_at = null where state = 'done';
    create index refunds_to_check on refunds (next_check_at) where state <> 'failed';

    create table disputes (
      id uuid primary key default gen_random_uuid(),
      card_dispute_id text not null constraint disputed_once unique,
      booking_id uuid not null references bookings,
      transaction_id text not null,
      amount_cents integer not null check (amount_cents > 0),
      reason text not null,
      evidence_due_at timestamptz,
      state text not null default 'open' check (state in ('open', 'won', 'lost')),
      opened_at timestamptz not null default now(),
      closed_at timestamptz,
      next_check_at timestamptz not null default now() + interval '1 day',
      constraint closed_when check ((state = 'open') = (closed_at is null))
    );
    create index disputes_to_check on disputes (next_check_at) where state = 'open';
    create index disputes_of_a_booking on disputes (booking_id);
  `.execute(database);
}
