import { type Kysely, sql } from 'kysely';

/** Accounts and kinds of postings for goodwill, sellers' debts, reserves, and movements that nobody can explain yet. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table ledger_postings
      drop constraint ledger_postings_kind_check,
      add constraint ledger_postings_kind_check check (kind in (
        'sale', 'payment_without_sale', 'release', 'refund_decided', 'refund_made', 'refund_returned', 'processor_fee',
        'bank_payout', 'transfer', 'transfer_reversed', 'settled_by_hand', 'dispute_opened', 'dispute_won', 'dispute_lost',
        'dispute_reinstated', 'goodwill', 'repaid_by_hand', 'written_off', 'top_up', 'reserve', 'unknown_movement',
        'correction'
      ));
    alter table ledger_entries
      drop constraint ledger_entries_account_check,
      add constraint ledger_entries_account_check check (account in (
        'processor', 'bank', 'held', 'payable', 'refunds_due', 'disputed', 'reserved', 'suspense', 'commission',
        'processor_fees', 'lost_disputes', 'goodwill', 'written_off'
      ));
  `.execute(database);
}
