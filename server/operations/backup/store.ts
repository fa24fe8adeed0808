import { sql } from 'kysely';
import type { Database, Reader, Row, Transaction } from '#server/platform/database/tables.ts';

/** The state of periodic backups. Of several processes, one makes them, and all can read this. */
export interface BackupState {
  /** The configured interval in milliseconds; null when periodic backups are off. */
  everyMs: number | null;
  /** Since when they are on; null when they are off. */
  expectedSince: Date | null;
  /** When the run under way began; a killed run leaves it until the next one. */
  runningSince: Date | null;
  /** The last complete backup; null before the first. `at` is when it was begun: it contains what was committed before. */
  last: { name: string; at: Date; bytes: number; durationMs: number } | null;
  /** The verification of the last backup; null until it ends. `detail` says why it failed or was not done. */
  verification: { outcome: 'passed' | 'failed' | 'not_done'; at: Date; detail: string | null } | null;
  /** When the last backup that passed its verification was begun. */
  lastPassedAt: Date | null;
  /** When the last backup was begun that passed its verification or could not be verified. */
  lastUsableAt: Date | null;
  /** Failed runs since the last usable backup. */
  failures: number;
  /** Failed runs since the shop exists. */
  failureCount: number;
  /** The last failed run, also when a later one succeeded. */
  lastFailure: { at: Date; message: string } | null;
  /** When the failed run is attempted again; null after a success. */
  retryAt: Date | null;
  /** When the admins were told by email; null since the last usable backup. */
  notifiedAt: Date | null;
}

function toState(row: Row<'backup_state'>): BackupState {
  const { last_name, last_at, verification, verified_at, last_failure_at, last_failure } = row;
  return {
    everyMs: row.every_ms === null ? null : Number(row.every_ms),
    expectedSince: row.expected_since,
    runningSince: row.running_since,
    last:
      last_name === null || last_at === null
        ? null
        : {
            name: last_name,
            at: last_at,
            bytes: Number(row.last_bytes),
            durationMs: Number(row.last_duration_ms),
          },
    verification:
      verification === null || verified_at === null
        ? null
        : { outcome: verification, at: verified_at, detail: row.verification_detail },
    lastPassedAt: row.last_passed_at,
    lastUsableAt: row.last_usable_at,
    failures: row.failures,
    failureCount: Number(row.failure_count),
    lastFailure:
      last_failure_at === null || last_failure === null
        ? null
        : { at: last_failure_at, message: last_failure },
    retryAt: row.retry_at,
    notifiedAt: row.notified_at,
  };
}

/** Reads the state of periodic backups: one row. */
export async function readBackupState(reader: Reader): Promise<BackupState> {
  return toState(await reader.selectFrom('backup_state').selectAll().executeTakeFirstOrThrow());
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

/** Records that a run has begun. */
export const recordBeginning = (database: Database, at: Date): Promise<void> =>
  update(database, { running_since: at });

/** Records a complete backup, which is not verified yet. */
export const recordBackup = (
  database: Database,
  { name, at, bytes, durationMs }: NonNullable<BackupState['last']>,
): Promise<void> =>
  update(database, {
    last_name: name,
    last_at: at,
    last_bytes: String(bytes),
    last_duration_ms: String(Math.round(durationMs)),
    verification: null,
    verified_at: null,
    verification_detail: null,
  });

/** Records the outcome of the last backup's verification. @param startedAt when the backup was begun */
export const recordVerification = (
  database: Database,
  { outcome, at, detail }: NonNullable<BackupState['verification']>,
  startedAt: Date,
): Promise<void> =>
  update(database, {
    verification: outcome,
    verified_at: at,
    verification_detail: detail,
    ...(outcome === 'passed' && { last_passed_at: startedAt }),
    ...(outcome !== 'failed' && { last_usable_at: startedAt, notified_at: null }),
  });

/** Records the end of a run that did what was due. */
export const recordSuccess = (database: Database): Promise<void> =>
  update(database, { running_since: null, failures: 0, retry_at: null });

/** Records that a run was ended with its process. It is done again at the next start. */
export const recordStop = (database: Database): Promise<void> => update(database, { running_since: null });

/** Records a failed run. @param retryAt when it is attempted again */
export async function recordFailure(
  database: Database,
  { at, message, retryAt }: { at: Date; message: string; retryAt: Date },
): Promise<void> {
  await database
    .updateTable('backup_state')
    .set(({ eb }) => ({
      running_since: null,
      failures: eb('failures', '+', 1),
      failure_count: sql<string>`failure_count + 1`,
      last_failure_at: at,
      last_failure: message,
      retry_at: retryAt,
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
