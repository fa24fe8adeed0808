import type { Insertable } from 'kysely';
import type { Reader, Row, Tables, Transaction } from '../database/tables.ts';
import { type DisputeState, disputeStates, statesBefore } from './states.ts';

export type DisputeRow = Row<'disputes'>;

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
