import { sql } from 'kysely';
import type { Database, Reader, Row, Transaction } from '#server/platform/database/tables.ts';

/** The state of periodic backups. Of several processes, one makes them, and all can read this. */
export type BackupState = Omit<Row<'backup_state'>, 'singleton'>;

/** Reads the state of periodic backups: one row, whose columns the schema explains. */
export function readBackupState(reader: Reader): Promise<BackupState> {
  return reader.selectFrom('backup_state').selectAll().executeTakeFirstOrThrow();
}

/** Records values of the state. */
export async function recordState(database: Reader, values: Partial<BackupState>): Promise<void> {
  await database.updateTable('backup_state').set(values).execute();
}

/** Records the interval, and since when it applies. @param everyMs null when periodic backups are off */
export async function recordExpectation(
  database: Database,
  everyMs: number | null,
  now: Date,
): Promise<void> {
  const every_ms = everyMs === null ? null : String(everyMs);
  await database
    .updateTable('backup_state')
    .set({ every_ms, expected_since: everyMs === null ? null : now })
    .where('every_ms', 'is distinct from', every_ms)
    .execute();
}

/** Records that a run has begun. A run that neither fails nor succeeds was killed: the next one records why it runs. */
export async function recordAttempt(database: Database, at: Date): Promise<void> {
  await database
    .updateTable('backup_state')
    .set(({ eb }) => ({
      attempted_at: at,
      failures: eb('failures', '+', 1),
      failure: sql<string | null>`case when failures > 0
        then coalesce(failure, 'The run that began at ' || attempted_at || ' was killed.') end`,
    }))
    .execute();
}

/** Takes the turn to tell the admins. @returns false when they were told since the last usable backup */
export async function takeNotification(transaction: Transaction, now: Date): Promise<boolean> {
  const result = await transaction
    .updateTable('backup_state')
    .set({ notified_at: now })
    .where('notified_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
