import type { FastifyBaseLogger } from 'fastify';
import type { Context } from '#server/platform/context.ts';
import { tryAdvisoryLock } from '#server/platform/database/advisory-locks.ts';
import { processAll, throwAll } from '#server/platform/jobs/batches.ts';
import { BackupError, messageOf } from './archive.ts';
import { type BackupSource, createBackup } from './backup.ts';
import { type BackupDestination, nameOf, shopIdOf } from './destination.ts';
import { enqueueProblem } from './notifications.ts';
import { backupInterval, backupsToRemove, isDue, isOverdue } from './rules.ts';
import * as store from './store.ts';
import { refutesBackup, verifyBackup } from './verify.ts';

/** The advisory lock of the process that makes a backup. */
const BACKUP_LOCK = 'making a backup';

export interface BackupDependencies extends Pick<Context, 'database' | 'enqueue' | 'origin' | 'shop'> {
  /** PostgreSQL itself: the lock and the snapshot belong to a connection. */
  directUrl: string;
  destination: BackupDestination;
  source: Omit<BackupSource, 'connectionString'>;
  /** The ids of this shop in the names of its backups: of its secret, and during a rotation of the previous one. */
  shopIds: readonly string[];
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
  { directUrl: connectionString, destination, source, origin }: BackupDependencies,
  backup: { name: string; bytes: number },
  signal: AbortSignal,
): Promise<string | null> {
  const configuredFingerprint = source.secretFile === null ? source.secretFingerprint : null;
  try {
    await verifyBackup(
      destination.source(backup),
      { connectionString, origin, configuredFingerprint },
      signal,
    );
    return null;
  } catch (error) {
    signal.throwIfAborted();
    if (!refutesBackup(error)) return messageOf(error);
    throw new BackupRefuted(`The backup ${backup.name} failed its verification. ${messageOf(error)}`);
  }
}

/** Removes this shop's backups that are no longer kept. A failure leaves them for the next run. */
async function prune({ destination, shop, shopIds, log }: BackupDependencies): Promise<void> {
  try {
    const names = backupsToRemove(await destination.list(), shopIds, shop().backups.keep);
    throwAll(await processAll(names, destination.remove), 'some backups could not be removed');
    if (names.length > 0) log.info({ backups: names }, 'old backups were removed, as the settings say');
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
  const { database, directUrl, destination, source, log } = dependencies;
  if (unfinishedName !== null) await destination.remove(unfinishedName);
  const at = new Date();
  const name = nameOf(at, shopIdOf(source.secretFingerprint));
  await store.recordState(database, { unfinished_name: name });
  const { missingPhotos } = await createBackup(
    { connectionString: directUrl, ...source },
    (content) => destination.write(name, content),
    signal,
  );
  const durationMs = Date.now() - at.getTime();
  const stored = (await destination.list()).find((backup) => backup.name === name);
  if (stored === undefined) {
    throw new BackupError(`${name} was written to ${destination.description} and is not there.`);
  }
  const { bytes } = stored;
  if (missingPhotos.count > 0) {
    log.error({ backup: name, missingPhotos }, 'a backup lacks photos that the storage has lost');
  }
  const unverified = await verify(dependencies, stored, signal);
  await store.recordState(database, {
    last_at: at,
    last_bytes: String(bytes),
    last_duration_ms: String(durationMs),
    unverified,
    ...(unverified === null && { verified_at: at }),
    failures: 0,
    failure: null,
    unfinished_name: null,
    notified_at: null,
  });
  const details = { backup: name, bytes, durationMs };
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
  const { database, directUrl, enqueue, destination, shop, log } = dependencies;
  const isDueNow = (state: store.BackupState) => {
    const everyMs = backupInterval(shop());
    return everyMs !== null && isDue(state, everyMs, new Date());
  };
  if (!isDueNow(await store.readBackupState(database))) return;
  await tryAdvisoryLock(directUrl, BACKUP_LOCK, async () => {
    const state = await store.readBackupState(database);
    if (!isDueNow(state)) return;
    await store.recordAttempt(database, new Date());
    try {
      await run(dependencies, state.unfinished_name, signal);
    } catch (error) {
      // A run that was ended with its process is no failure. It is done again at the next start.
      if (signal.aborted) return store.recordState(database, { failures: state.failures });
      const reason = messageOf(error);
      await store.recordState(database, { failure: reason });
      log.error(
        { reason, failures: state.failures + 1, destination: destination.description },
        'a backup failed and is attempted again; docs/operations.md says what to do',
      );
      if (error instanceof BackupRefuted) await enqueueProblem({ database, enqueue }, 'refuted', new Date());
    }
  });
}

/** Records the interval of the settings, and tells the admins once when the last usable backup is older than twice as much. */
export async function watchSchedule(
  { database, enqueue, shop }: Pick<BackupDependencies, 'database' | 'enqueue' | 'shop'>,
  startedAt: Date,
  now: Date,
): Promise<void> {
  const everyMs = backupInterval(shop());
  await store.recordExpectation(database, everyMs, now);
  if (everyMs === null) return;
  const state = await store.readBackupState(database);
  if (state.notified_at !== null || !isOverdue(state, everyMs, { now, startedAt })) return;
  await enqueueProblem({ database, enqueue }, 'overdue', now);
}
