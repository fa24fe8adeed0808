import type { FastifyBaseLogger } from 'fastify';
import { tryAdvisoryLock } from '#server/platform/database/advisory-locks.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { processAll, throwAll } from '#server/platform/jobs/batches.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { BackupError } from './archive.ts';
import { type BackupSource, createBackup } from './backup.ts';
import type { KeepRule } from './configuration.ts';
import { enqueueProblem } from './notifications.ts';
import type { BackupPlace, StoredBackup, Verification } from './place.ts';
import { backOffMs, backupsToRemove, dueStep, isOverdue, nameOf, shopIdOf } from './rules.ts';
import { removeScratchDatabase, VerificationImpossible, withScratchDatabase } from './scratch-database.ts';
import * as store from './store.ts';
import { refutesBackup, verifyByRestore } from './verify.ts';

/** The advisory lock of the process that makes a backup. */
const BACKUP_LOCK = 'making a backup';

/** The configuration of periodic backups. */
export interface BackupSchedule {
  everyMs: number;
  keep: KeepRule;
  /** A database in which backups are verified; null to create one beside the shop's. */
  verifyUrl: string | null;
  place: BackupPlace;
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

/** A verification that found a difference. The backup is complete, and must not be trusted. */
class BackupRefuted extends BackupError {}

async function makeBackup(
  { database, directUrl, schedule, source, log }: BackupDependencies,
  signal: AbortSignal,
): Promise<StoredBackup> {
  const startedAt = new Date();
  const began = performance.now();
  const shopId = shopIdOf(source.secretFingerprint);
  const name = nameOf(startedAt, shopId);
  let bytes = 0;
  const manifest = await createBackup(
    { connectionString: directUrl, ...source },
    async (content) => {
      bytes = await schedule.place.write(name, content);
    },
    () => undefined,
    signal,
  );
  const durationMs = performance.now() - began;
  await store.recordBackup(database, { name, at: startedAt, bytes, durationMs });
  log.info({ backup: name, bytes, durationMs: Math.round(durationMs) }, 'a backup was made');
  const { count, first } = manifest.missingPhotos;
  if (count > 0) {
    log.error({ backup: name, count, first: first[0] }, 'a backup lacks photos that the storage has lost');
  }
  return { name, shopId, startedAt, bytes, verification: null };
}

/** Restores a backup into a scratch database and compares. @throws the errors that say nothing about the backup */
async function verify(
  { directUrl, schedule: { place, verifyUrl }, source, origin }: BackupDependencies,
  backup: StoredBackup,
  signal: AbortSignal,
): Promise<Verification> {
  const conclude = (outcome: Verification['outcome'], detail: string | null): Verification => ({
    outcome,
    at: new Date().toISOString(),
    detail,
  });
  const { secretFingerprint } = source;
  try {
    const manifest = await withScratchDatabase({ directUrl, verifyUrl }, (scratchUrl) =>
      verifyByRestore(place.source(backup), scratchUrl, { secretFingerprint, origin }, signal),
    );
    const { count } = manifest.missingPhotos;
    return conclude('passed', count === 0 ? null : `It lacks ${count} photos that the storage had lost.`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof VerificationImpossible) return conclude('not_done', error.message);
    if (refutesBackup(error)) return conclude('failed', error.message);
    throw error;
  }
}

async function verifyAndRecord(
  dependencies: BackupDependencies,
  backup: StoredBackup,
  signal: AbortSignal,
): Promise<void> {
  const { database, schedule, log } = dependencies;
  const { name, startedAt } = backup;
  const verification = await verify(dependencies, backup, signal);
  const { outcome, detail } = verification;
  await schedule.place.recordVerification(name, verification);
  await store.recordVerification(database, { outcome, at: new Date(verification.at), detail }, startedAt);
  if (outcome === 'failed') throw new BackupRefuted(`The backup ${name} failed its verification. ${detail}`);
  if (outcome === 'passed') log.info({ backup: name }, 'the backup was verified by a restore');
  else log.warn({ backup: name, reason: detail }, 'the backup was not verified');
}

/** Removes this shop's backups that the rule does not keep. A failure leaves them for the next run. */
async function prune({ schedule, shopIds, log }: BackupDependencies): Promise<void> {
  const { place, keep } = schedule;
  try {
    const own = (await place.list()).filter(({ shopId }) => shopIds.includes(shopId));
    const failures = await processAll(backupsToRemove(own, keep), async (name) => {
      await place.remove(name);
      log.info({ backup: name }, 'a backup was removed, as BACKUP_KEEP says');
    });
    throwAll(failures, 'some backups could not be removed');
  } catch (error) {
    log.error({ err: error }, 'old backups could not be removed');
  }
}

async function run(
  dependencies: BackupDependencies,
  step: 'backup' | 'verification',
  signal: AbortSignal,
): Promise<void> {
  const { database, directUrl, schedule, shopIds } = dependencies;
  await store.recordBeginning(database, new Date());
  await schedule.place.removeIncomplete(shopIds);
  if (schedule.verifyUrl === null) await removeScratchDatabase(directUrl);
  const { last } = await store.readBackupState(database);
  if (step === 'backup' || last === null) {
    await verifyAndRecord(dependencies, await makeBackup(dependencies, signal), signal);
  } else {
    const backup = (await schedule.place.list()).find(({ name }) => name === last.name);
    if (backup === undefined) {
      const detail = `It is no longer in ${schedule.place.description}.`;
      await store.recordVerification(database, { outcome: 'failed', at: new Date(), detail }, last.at);
      throw new BackupRefuted(`The backup ${last.name} failed its verification. ${detail}`);
    }
    await verifyAndRecord(dependencies, backup, signal);
  }
  await prune(dependencies);
  await store.recordSuccess(database);
}

async function recordFailure(
  { database, enqueue, schedule, log }: BackupDependencies,
  { message, failures, isRefuted }: { message: string; failures: number; isRefuted: boolean },
): Promise<void> {
  const at = new Date();
  const retryAt = new Date(at.getTime() + backOffMs(failures, schedule.everyMs));
  await store.recordFailure(database, { at, message, retryAt });
  log.error(
    { reason: message, failures, retryAt, place: schedule.place.description },
    'a backup failed and is attempted again; docs/operations.md says what to do',
  );
  if (isRefuted) await enqueueProblem({ database, enqueue }, 'refuted', at);
}

/**
 * Does what is due: a backup with its verification and the removal of old ones, or the verification that a killed process
 * did not finish. One of the shop's processes does it at a time. Failures are recorded and attempted again with back-off.
 * @throws the database's failures
 */
export async function doDue(dependencies: BackupDependencies, signal: AbortSignal): Promise<void> {
  const { database, directUrl, schedule } = dependencies;
  const dueNow = async () => dueStep(await store.readBackupState(database), schedule.everyMs, new Date());
  if ((await dueNow()) === null) return;
  await tryAdvisoryLock(directUrl, BACKUP_LOCK, async () => {
    const before = await store.readBackupState(database);
    if (before.runningSince !== null) {
      // Nobody else has the lock: that run was killed. The first time, it is done again at once.
      await recordFailure(dependencies, {
        message: `The run that began at ${before.runningSince.toISOString()} was killed.`,
        failures: before.failures,
        isRefuted: false,
      });
    }
    const step = await dueNow();
    if (step === null) return;
    try {
      await run(dependencies, step, signal);
    } catch (error) {
      if (signal.aborted) return store.recordStop(database);
      const { failures } = await store.readBackupState(database);
      const message = error instanceof Error ? error.message : String(error);
      await recordFailure(dependencies, {
        message,
        failures: failures + 1,
        isRefuted: error instanceof BackupRefuted,
      });
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
