import type { Insertable, Selectable } from 'kysely';
import type { DisputesTable, Reader, Transaction } from '../database/tables.ts';
import { type DisputeState, disputeStates, statesBefore } from './states.ts';

export type DisputeRow = Selectable<DisputesTable>;

export function findDispute(reader: Reader, id: string): Promise<DisputeRow | undefined> {
  return reader.selectFrom('disputes').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Writes a dispute down. @returns its id, or null when it is known already */
export async function openDispute(
  transaction: Transaction,
  dispute: Omit<Insertable<DisputesTable>, 'id' | 'closed_at' | 'next_check_at'>,
): Promise<string | null> {
  const row = await transaction
    .insertInto('disputes')
    .values(dispute)
    .onConflict((conflict) => conflict.constraint('disputed_once').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** What can change about a dispute. */
type Progress = Pick<DisputeRow, 'state' | 'amount_cents' | 'reason' | 'evidence_due_at' | 'closed_at'>;

/**
 * Brings a dispute to a later state. A state that does not come after the present one is outdated and changes nothing.
 * @returns its id and the state before, or null when nothing changed
 */
export async function advanceDispute(
  transaction: Transaction,
  cardDisputeId: string,
  progress: Progress,
): Promise<{ id: string; from: DisputeState } | null> {
  // Locked, so that of two updates at once the second one sees the first one's state.
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

/** Open disputes that it is time to ask about, put off until `next`, so that no other process asks as well. */
export async function takeDisputesToCheck(
  transaction: Transaction,
  now: Date,
  next: Date,
  limit: number,
): Promise<string[]> {
  const rows = await transaction
    .updateTable('disputes')
    .set({ next_check_at: next })
    .where('id', 'in', (due) =>
      due
        .selectFrom('disputes')
        .select('id')
        .where('closed_at', 'is', null)
        .where('next_check_at', '<=', now)
        .orderBy('next_check_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('card_dispute_id')
    .execute();
  return rows.map(({ card_dispute_id }) => card_dispute_id);
}
