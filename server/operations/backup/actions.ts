import type { FastifyBaseLogger } from 'fastify';
import { tryAdvisoryLock } from '#server/platform/database/advisory-locks.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { processAll, throwAll } from '#server/platform/jobs/batches.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { BackupError } from './archive.ts';
import { type BackupSource, createBackup } from './backup.ts';
import { type BackupDestination, nameOf, shopIdOf } from './destination.ts';
import { enqueueProblem } from './notifications.ts';
import { backupsToRemove, isDue, isOverdue } from './rules.ts';
import * as store from './store.ts';
import { refutesBackup, verifyBackup } from './verify.ts';

/** The advisory lock of the process that makes a backup. */
const BACKUP_LOCK = 'making a backup';

/** The configuration of periodic backups. */
export interface BackupSchedule {
  everyMs: number;
  /** How many backups are kept. */
  keep: number;
  destination: BackupDestination;
}

export interface BackupDependencies {
  database: Database;
  /** PostgreSQL itself: the lock and the snapshot belong to a connection. */
  directUrl: string;
  schedule: BackupSchedule;
  source: Omit<BackupSource, 'connectionString'>;
  /** The ids of this shop in the names of its backups: of its secret, and during a rotation of the previous one. */
  shopIds: readonly string[];
  origin: string;
  enqueue: Enqueue;
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
}

/** A verification that found a difference. */
class BackupRefuted extends BackupError {}

/**
 * Restores a backup into a scratch database.
 * @returns why it could not be verified; null when it was
 * @throws BackupRefuted when it cannot be restored, or differs from what it should contain
 */
async function verify(
  { directUrl, schedule: { destination }, source, origin }: BackupDependencies,
  backup: { name: string; bytes: number },
  signal: AbortSignal,
): Promise<string | null> {
  const configuredFingerprint = source.secretFile === null ? source.secretFingerprint : null;
  const shop = { connectionString: directUrl, origin, configuredFingerprint };
  try {
    await verifyBackup(destination.source(backup), shop, { onProgress: () => undefined, signal });
    return null;
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    if (!refutesBackup(error)) return message;
    throw new BackupRefuted(`The backup ${backup.name} failed its verification. ${message}`);
  }
}

/** Removes this shop's backups that are no longer kept. A failure leaves them for the next run. */
async function prune({ schedule, shopIds, log }: BackupDependencies): Promise<void> {
  const { destination, keep } = schedule;
  try {
    const names = backupsToRemove(await destination.list(), shopIds, keep);
    const failures = await processAll(names, async (name) => {
      await destination.remove(name);
      log.info({ backup: name }, 'a backup was removed, as BACKUP_KEEP says');
    });
    throwAll(failures, 'some backups could not be removed');
  } catch (error) {
    log.error({ err: error }, 'old backups could not be removed');
  }
}

/** Makes a backup and verifies it; then it counts, and old ones are removed. */
async function run(
  dependencies: BackupDependencies,
  unfinishedName: string | null,
  signal: AbortSignal,
): Promise<void> {
  const { database, directUrl, schedule, source, log } = dependencies;
  const { destination } = schedule;
  if (unfinishedName !== null) await destination.remove(unfinishedName);
  const at = new Date();
  const began = performance.now();
  const name = nameOf(at, shopIdOf(source.secretFingerprint));
  await store.recordName(database, name);
  const { missingPhotos } = await createBackup(
    { connectionString: directUrl, ...source },
    (content) => destination.write(name, content),
    () => undefined,
    signal,
  );
  const durationMs = performance.now() - began;
  const stored = (await destination.list()).find((backup) => backup.name === name);
  if (stored === undefined)
    throw new BackupError(`${name} was written to ${destination.description} and is not there.`);
  if (missingPhotos.count > 0) {
    const [first] = missingPhotos.first;
    const details = { backup: name, count: missingPhotos.count, first };
    log.error(details, 'a backup lacks photos that the storage has lost');
  }
  const unverified = await verify(dependencies, stored, signal);
  const { bytes } = stored;
  await store.recordSuccess(database, { at, bytes, durationMs, unverified });
  const details = { backup: name, bytes, durationMs: Math.round(durationMs) };
  if (unverified === null) log.info(details, 'a backup was made, and verified by a restore');
  else log.warn({ ...details, reason: unverified }, 'a backup was made, and not verified');
  await prune(dependencies);
}

/**
 * Makes a backup if one is due. One of the shop's processes does it at a time. A failure is recorded, and the backup is
 * attempted again with back-off.
 * @throws the database's failures
 */
export async function makeDueBackup(dependencies: BackupDependencies, signal: AbortSignal): Promise<void> {
  const { database, directUrl, enqueue, schedule, log } = dependencies;
  const isDueNow = (state: store.BackupState) => isDue(state, schedule.everyMs, new Date());
  if (!isDueNow(await store.readBackupState(database))) return;
  await tryAdvisoryLock(directUrl, BACKUP_LOCK, async () => {
    const state = await store.readBackupState(database);
    if (!isDueNow(state)) return;
    await store.recordAttempt(database, new Date());
    try {
      await run(dependencies, state.unfinishedName, signal);
    } catch (error) {
      if (signal.aborted) return store.recordStop(database);
      const reason = error instanceof Error ? error.message : String(error);
      await store.recordFailure(database, reason);
      log.error(
        { reason, failures: state.failures + 1, destination: schedule.destination.description },
        'a backup failed and is attempted again; docs/operations.md says what to do',
      );
      if (error instanceof BackupRefuted) await enqueueProblem({ database, enqueue }, 'refuted', new Date());
    }
  });
}

/** Tells the admins once when the last usable backup is older than twice the interval. */
export async function notifyWhenOverdue(
  { database, enqueue, schedule }: Pick<BackupDependencies, 'database' | 'enqueue' | 'schedule'>,
  startedAt: Date,
  now: Date,
): Promise<void> {
  const state = await store.readBackupState(database);
  if (state.notifiedAt !== null || !isOverdue(state, schedule.everyMs, { now, startedAt })) return;
  await enqueueProblem({ database, enqueue }, 'overdue', now);
}
