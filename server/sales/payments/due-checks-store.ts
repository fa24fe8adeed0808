import { sql } from 'kysely';
import type { Database, Row } from '#server/platform/database/tables.ts';
import { BATCH_SIZE } from '#server/platform/jobs/batches.ts';

interface CheckedRows {
  payment_intents: Row<'payment_intents'>;
  refunds: Row<'refunds'>;
  disputes: Row<'disputes'>;
}

/** The rows of each table that the card processor can still change. */
const openRows = {
  payment_intents: sql`state = 'open'`,
  refunds: sql`state in ('pending', 'done')`,
  disputes: sql`closed_at is null`,
};

/**
 * Takes rows that are due for a check and postpones them, so that no other process checks them as well.
 * @param nextCheck returns when to check a row again; null for never
 * @returns up to {@link BATCH_SIZE} rows, the longest due first
 */
export function takeDueRows<Table extends keyof CheckedRows>(
  database: Database,
  table: Table,
  now: Date,
  nextCheck: (row: CheckedRows[Table]) => Date | null,
): Promise<CheckedRows[Table][]> {
  return database.transaction().execute(async (transaction) => {
    const { rows } = await sql<CheckedRows[Table]>`
      select * from ${sql.table(table)} where ${openRows[table]} and next_check_at <= ${now}
       order by next_check_at limit ${BATCH_SIZE} for update skip locked`.execute(transaction);
    for (const row of rows) {
      await sql`update ${sql.table(table)} set next_check_at = ${nextCheck(row)} where id = ${row.id}`.execute(
        transaction,
      );
    }
    return rows;
  });
}
