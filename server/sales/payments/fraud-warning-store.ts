import type { Reader, Row, Transaction } from '#server/platform/database/tables.ts';

export type FraudWarningRow = Row<'fraud_warnings'>;

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
