import { type Insertable, sql } from 'kysely';
import { refundPaidByBankReference } from '#server/money/ledger/rules.ts';
import { statesBefore } from '#server/money/refunds/rules.ts';
import type { Reader, Row, Tables, Transaction } from '#server/platform/database/tables.ts';
import { type DisputeState, disputeStates } from './states.ts';

export type DisputeRow = Row<'disputes'>;
export type FraudWarningRow = Row<'fraud_warnings'>;

export function findDispute(reader: Reader, id: string): Promise<DisputeRow | undefined> {
  return reader.selectFrom('disputes').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Inserts a dispute. @returns its id, or null when it is known already */
export async function openDispute(
  transaction: Transaction,
  dispute: Omit<Insertable<Tables['disputes']>, 'id' | 'closed_at' | 'next_check_at'>,
): Promise<string | null> {
  const row = await transaction
    .insertInto('disputes')
    .values(dispute)
    .onConflict((conflict) => conflict.constraint('disputed_once').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The columns of a dispute that change. */
type Progress = Pick<DisputeRow, 'state' | 'amount_cents' | 'reason' | 'evidence_due_at' | 'closed_at'>;

/**
 * Moves a dispute to a later state. A state that cannot follow the present one is outdated and changes nothing.
 * @returns its id and previous state, or null when nothing changed
 */
export async function advanceDispute(
  transaction: Transaction,
  cardDisputeId: string,
  progress: Progress,
): Promise<{ id: string; from: DisputeState } | null> {
  // Locked, so that of two concurrent updates the second sees the first one's state.
  const row = await transaction
    .selectFrom('disputes')
    .select(['id', 'state as from'])
    .where('card_dispute_id', '=', cardDisputeId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined || !statesBefore(disputeStates, progress.state).includes(row.from)) return null;
  await transaction.updateTable('disputes').set(progress).where('id', '=', row.id).execute();
  return row;
}

/** Locks the disputes of a payment until the transaction ends. */
export async function lockDisputesOf(transaction: Transaction, transactionId: string): Promise<void> {
  await transaction
    .selectFrom('disputes')
    .select('id')
    .where('transaction_id', '=', transactionId)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Whether other disputes of a payment are open, and whether one of them was lost, also if it was won afterwards. */
export async function findOtherDisputes(
  reader: Reader,
  { transactionId, disputeId }: { transactionId: string; disputeId: string },
): Promise<{ isOpen: boolean; wasLost: boolean }> {
  const others = await reader
    .selectFrom('disputes')
    .select('closed_at')
    .select(sql<boolean>`was_lost(disputes)`.as('was_lost'))
    .where('transaction_id', '=', transactionId)
    .where('card_dispute_id', '<>', disputeId)
    .execute();
  return {
    isOpen: others.some(({ closed_at }) => closed_at === null),
    wasLost: others.some(({ was_lost }) => was_lost),
  };
}

/** What the shop bears of the lost disputes of a payment, in cents, less the refunds that these paid. */
export async function lostByShopCents(reader: Reader, transactionId: string): Promise<number> {
  const { rows } = await sql<{ cents: string }>`
    select coalesce(sum(ledger_entries.amount_cents), 0) as cents
      from (select card_dispute_id as reference from disputes
             where transaction_id = ${transactionId} and state = 'lost'
            union all
            select ${refundPaidByBankReference('')} || id from refunds where transaction_id = ${transactionId}) as causes
      join ledger_postings on kind = 'dispute_lost' and ledger_postings.reference = causes.reference
      join ledger_entries on posting_id = ledger_postings.id and account = 'lost_disputes'`.execute(reader);
  return Number(rows[0]?.cents ?? 0);
}

/**
 * What a dispute paid of the refunds of its payment, in cents: those that were owed when it was lost, and at most the shop's loss for those
 * that failed later, which name no dispute.
 */
export async function refundsPaidByDispute(
  reader: Reader,
  { transactionId, disputeId }: { transactionId: string; disputeId: string },
): Promise<number> {
  const { rows } = await sql<{ cents: string }>`
    with entries as (
      select reference, account, amount_cents from ledger_postings
        join ledger_entries on posting_id = ledger_postings.id
       where kind = 'dispute_lost'
         and (reference = ${disputeId}
              or reference in (select ${refundPaidByBankReference('')} || id from refunds where transaction_id = ${transactionId})))
    select coalesce(sum(amount_cents) filter (where reference = ${disputeId} and account = 'refunds_due'), 0)
           + least(coalesce(sum(amount_cents) filter (where reference = ${disputeId} and account = 'lost_disputes'), 0),
                   coalesce(sum(amount_cents) filter (where reference <> ${disputeId} and account = 'refunds_due'), 0)) as cents
      from entries`.execute(reader);
  return Number(rows[0]?.cents ?? 0);
}

/** What came back of a lost dispute: for refunds that it had paid, and what an admin decides about; in cents. */
export async function reinstatedCents(
  reader: Reader,
  cardDisputeId: string,
): Promise<{ refundsCents: number; openCents: number }> {
  const { rows } = await sql<{ refunds: string; open: string }>`
    select coalesce(-sum(amount_cents) filter (where account = 'refunds_due'), 0) as refunds,
           coalesce(-sum(amount_cents) filter (where account = 'suspense'), 0) as open
      from ledger_postings join ledger_entries on posting_id = ledger_postings.id
     where kind = 'dispute_reinstated' and reference = ${cardDisputeId}`.execute(reader);
  return { refundsCents: Number(rows[0]?.refunds ?? 0), openCents: Number(rows[0]?.open ?? 0) };
}

/** Stores a warning. @returns false when it is stored already */
export async function insertFraudWarning(
  transaction: Transaction,
  warning: Omit<FraudWarningRow, 'received_at'>,
): Promise<boolean> {
  const row = await transaction
    .insertInto('fraud_warnings')
    .values(warning)
    .onConflict((conflict) => conflict.column('warning_id').doNothing())
    .returning('warning_id')
    .executeTakeFirst();
  return row !== undefined;
}

export const findFraudWarning = (reader: Reader, warningId: string): Promise<FraudWarningRow | undefined> =>
  reader.selectFrom('fraud_warnings').selectAll().where('warning_id', '=', warningId).executeTakeFirst();
