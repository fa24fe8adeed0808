import * as z from 'zod/mini';
import { activeAdmins } from '#server/people/accounts/steps.ts';
import type { Notifier } from '#server/people/notifications/rules.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { type Enqueue, job } from '#server/platform/jobs/queue.ts';
import { type BackupProblem, backupProblemNotice } from './notices.ts';
import { readBackupState, takeNotification } from './store.ts';

export interface NotificationDependencies {
  database: Database;
  notifier: Notifier;
}

/** The backups of the shop have a problem. */
export const backupProblem = job(
  'backup.problem',
  z.object({ adminId: z.string(), problem: z.enum(['overdue', 'refuted']) }),
);

/** Tells each admin of a problem, once until there is a usable backup again. */
export async function enqueueProblem(
  { database, enqueue }: { database: Database; enqueue: Enqueue },
  problem: BackupProblem,
  now: Date,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    if (!(await takeNotification(transaction, now))) return;
    for (const { id: adminId } of await activeAdmins(transaction)) {
      await enqueue(transaction, backupProblem, { adminId, problem });
    }
  });
}

/** Notifies an admin about a problem with the backups. */
export async function notifyProblem(
  { database, notifier }: NotificationDependencies,
  { adminId, problem }: { adminId: string; problem: BackupProblem },
  jobId: string,
): Promise<void> {
  const state = await readBackupState(database);
  await notifier.notify({ userId: adminId, event: jobId }, backupProblemNotice(problem, state));
}
