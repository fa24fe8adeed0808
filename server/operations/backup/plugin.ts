import type { FastifyInstance } from 'fastify';
import type { Notifier } from '#server/people/notifications/rules.ts';
import type { Work } from '#server/platform/jobs/work.ts';
import { type BackupDependencies, type BackupSchedule, makeDueBackup, notifyWhenOverdue } from './actions.ts';
import { backupProblem, notifyProblem } from './notifications.ts';
import { recordExpectation } from './store.ts';

export interface PeriodicBackups {
  /** Null when periodic backups are off. */
  schedule: BackupSchedule | null;
  source: BackupDependencies['source'];
  shopIds: BackupDependencies['shopIds'];
  /** How often it is looked whether a backup is due, in milliseconds. */
  checkIntervalMs: number;
}

export interface BackupOptions
  extends Pick<BackupDependencies, 'database' | 'directUrl' | 'enqueue' | 'origin'> {
  notifier: Notifier;
  work: Work;
  /** Null in a process without background work. */
  periodicBackups: PeriodicBackups | null;
}

/** Periodic backups. A shop that was off catches up at its first check. */
export async function backupPlugin(app: FastifyInstance, options: BackupOptions): Promise<void> {
  const { work, database, periodicBackups } = options;
  work.handle(backupProblem, (data, jobId) => notifyProblem(options, data, jobId));
  if (periodicBackups === null) return;
  const { schedule, source, shopIds, checkIntervalMs } = periodicBackups;
  app.addHook('onReady', () => recordExpectation(database, schedule?.everyMs ?? null, new Date()));
  if (schedule === null) return;
  const startedAt = new Date();
  const dependencies = { ...options, schedule, source, shopIds, log: app.log };
  work.every(
    checkIntervalMs,
    (signal) => makeDueBackup(dependencies, signal),
    (error) => app.log.error({ err: error }, 'the state of backups could not be recorded'),
  );
  // A task of its own: a backup under way may take hours, or never end.
  work.every(
    checkIntervalMs,
    () => notifyWhenOverdue(dependencies, startedAt, new Date()),
    (error) => app.log.error({ err: error }, 'the age of the last backup could not be checked'),
  );
  app.addHook('onClose', async () => schedule.destination.close());
}
