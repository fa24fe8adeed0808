import type { FastifyInstance } from 'fastify';
import type { Notifier } from '#server/people/notifications/rules.ts';
import type { Context } from '#server/platform/context.ts';
import { type BackupDependencies, makeDueBackup, watchSchedule } from './actions.ts';
import type { BackupDestination } from './destination.ts';
import { backupProblem } from './notifications.ts';
import { backupInterval } from './rules.ts';
import { recordExpectation } from './store.ts';

/** How often it is looked whether a backup is due. */
const CHECK_INTERVAL_MS = 2_000;

export interface PeriodicBackups {
  /** Null when no place for backups is configured. */
  destination: BackupDestination | null;
  source: BackupDependencies['source'];
  shopIds: BackupDependencies['shopIds'];
}

export interface BackupOptions extends Context, Pick<BackupDependencies, 'directUrl'> {
  notifier: Notifier;
  /** Null in a process without background work. */
  periodicBackups: PeriodicBackups | null;
}

/** Periodic backups. A shop that was off catches up at its first check. */
export async function backupPlugin(app: FastifyInstance, options: BackupOptions): Promise<void> {
  const { work, database, periodicBackups, shop } = options;
  backupProblem.sendIn(work, options);
  if (periodicBackups === null) return;
  const { destination, source, shopIds } = periodicBackups;
  app.addHook('onReady', () =>
    recordExpectation(database, destination && backupInterval(shop()), new Date()),
  );
  if (destination === null) return;
  const startedAt = new Date();
  const dependencies = { ...options, destination, source, shopIds, log: app.log };
  work.every(CHECK_INTERVAL_MS, 'the state of backups could not be recorded', (signal) =>
    makeDueBackup(dependencies, signal),
  );
  // A task of its own: a backup under way may take hours, or never end.
  work.every(CHECK_INTERVAL_MS, 'the age of the last backup could not be checked', () =>
    watchSchedule(dependencies, startedAt, new Date()),
  );
  app.addHook('onClose', async () => destination.close());
}
