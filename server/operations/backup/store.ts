import { sql } from 'kysely';
import type { Database, Reader, Row, Transaction } from '#server/platform/database/tables.ts';

/** The state of periodic backups. Of several processes, one makes them, and all can read this. */
export interface BackupState {
  /** The configured interval in milliseconds; null when periodic backups are off. */
  everyMs: number | null;
  /** Since when they are on; null when they are off. */
  expectedSince: Date | null;
  /** The last usable backup: complete, and not refuted by its verification. `at` is when it was begun. */
  last: { at: Date; bytes: number; durationMs: number } | null;
  /** Why the last usable backup was not verified; null when it was. */
  unverified: string | null;
  /** When the last backup that was verified by a restore was begun. */
  verifiedAt: Date | null;
  /** When the last run began; null before the first. */
  attemptedAt: Date | null;
  /** Runs that ended without a usable backup since the last one; the run under way is counted until it succeeds. */
  failures: number;
  /** Why the last run failed; null after a usable backup. */
  failure: string | null;
  /** The backup that the last run wrote, unless it succeeded; the next run removes it. */
  unfinishedName: string | null;
  /** When the admins were told by email; null since the last usable backup. */
  notifiedAt: Date | null;
}

/** Reads the state of periodic backups: one row. */
export async function readBackupState(reader: Reader): Promise<BackupState> {
  const row = await reader.selectFrom('backup_state').selectAll().executeTakeFirstOrThrow();
  return {
    everyMs: row.every_ms === null ? null : Number(row.every_ms),
    expectedSince: row.expected_since,
    last: row.last_at && {
      at: row.last_at,
      bytes: Number(row.last_bytes),
      durationMs: Number(row.last_duration_ms),
    },
    unverified: row.unverified,
    verifiedAt: row.verified_at,
    attemptedAt: row.attempted_at,
    failures: row.failures,
    failure: row.failure,
    unfinishedName: row.unfinished_name,
    notifiedAt: row.notified_at,
  };
}

type BackupRow = Partial<Omit<Row<'backup_state'>, 'singleton'>>;

async function update(database: Reader, values: BackupRow): Promise<void> {
  await database.updateTable('backup_state').set(values).execute();
}

/** Records the configured interval. @param everyMs null when periodic backups are off */
export async function recordExpectation(
  database: Database,
  everyMs: number | null,
  now: Date,
): Promise<void> {
  if (everyMs === null) return update(database, { every_ms: null, expected_since: null });
  await database
    .updateTable('backup_state')
    .set(({ fn, val }) => ({
      every_ms: String(everyMs),
      expected_since: fn.coalesce('expected_since', val(now)),
    }))
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

/** Records the name of the backup that a run writes. */
export const recordName = (database: Database, name: string): Promise<void> =>
  update(database, { unfinished_name: name });

/** Records a usable backup. @param unverified why it was not verified; null when it was */
export const recordSuccess = (
  database: Database,
  { at, bytes, durationMs, unverified }: NonNullable<BackupState['last']> & Pick<BackupState, 'unverified'>,
): Promise<void> =>
  update(database, {
    last_at: at,
    last_bytes: String(bytes),
    last_duration_ms: String(Math.round(durationMs)),
    unverified,
    ...(unverified === null && { verified_at: at }),
    failures: 0,
    failure: null,
    unfinished_name: null,
    notified_at: null,
  });

/** Records why the last run failed. */
export const recordFailure = (database: Database, failure: string): Promise<void> =>
  update(database, { failure });

/** Records that a run was ended with its process. It is done again at the next start. */
export async function recordStop(database: Database): Promise<void> {
  await database
    .updateTable('backup_state')
    .set(({ eb }) => ({ failures: eb('failures', '-', 1) }))
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
