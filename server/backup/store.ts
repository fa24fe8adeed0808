import type { Reader, Row } from '../database/tables.ts';

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
