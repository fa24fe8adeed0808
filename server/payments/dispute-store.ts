import type { Insertable, Selectable } from 'kysely';
import type { DisputesTable, Reader, Transaction } from '../database/tables.ts';

export type DisputeRow = Selectable<DisputesTable>;

export function findDispute(reader: Reader, id: string): Promise<DisputeRow | undefined> {
  return reader.selectFrom('disputes').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Writes a dispute down. @returns its id, or null when it is known already */
export async function openDispute(
  transaction: Transaction,
  dispute: Omit<Insertable<DisputesTable>, 'id' | 'state' | 'closed_at' | 'next_check_at'>,
): Promise<string | null> {
  const row = await transaction
    .insertInto('disputes')
    .values(dispute)
    .onConflict((conflict) => conflict.constraint('disputed_once').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Ends a dispute. @returns its id, or null when it had ended before */
export async function closeDispute(
  transaction: Transaction,
  cardDisputeId: string,
  state: 'won' | 'lost',
): Promise<string | null> {
  const row = await transaction
    .updateTable('disputes')
    .set({ state, closed_at: new Date() })
    .where('card_dispute_id', '=', cardDisputeId)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
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
        .where('state', '=', 'open')
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
