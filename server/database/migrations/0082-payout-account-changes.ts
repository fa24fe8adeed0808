import { type Kysely, sql } from 'kysely';

/**
 * What seller accounts at the card processor are protected by when they change, what admins were told of refused transfers and of
 * refunds without funds, and early fraud warnings.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table payout_accounts
      -- When the seller could be paid for the first time, whichever account it was; null before.
      add column active_since timestamptz,
      -- No transfer goes to the account before this time: its bank account may have been changed.
      add column hold_until timestamptz;
    update payout_accounts set active_since = created_at
     where state = 'active' or exists (select from transfers where transfers.seller_id = payout_accounts.seller_id);

    -- The bank account that was paid, by the card processor's id; null for payouts of earlier versions.
    alter table bank_payouts add column destination text;

    -- When admins were told of a transfer's refusal; they are told once.
    alter table transfers add column refusal_told_at timestamptz;

    -- The attempt that waits for funds in the balance at the card processor; null when none does.
    alter table refunds add column unfunded_attempt integer check (unfunded_attempt > 0);

    create table fraud_warnings (
      -- The card processor's id.
      warning_id text primary key,
      booking_id uuid not null references bookings,
      transaction_id text not null,
      fraud_type text not null,
      received_at timestamptz not null default now()
    );
    create index fraud_warnings_of_a_booking on fraud_warnings (booking_id);
  `.execute(database);
}
