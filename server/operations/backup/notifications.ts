import * as z from 'zod/mini';
import { enqueueForAdmins } from '#server/people/accounts/steps.ts';
import type { Notice, Notifier } from '#server/people/notifications/rules.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { type Enqueue, job } from '#server/platform/jobs/queue.ts';
import { operatorCommand } from '#server/platform/operator-command.ts';
import { type BackupState, readBackupState, takeNotification } from './store.ts';

/** Why admins are told: no usable backup for too long, or a backup that cannot be restored. */
const texts = {
  overdue: {
    title: 'The shop’s last backup is too old',
    paragraph:
      'The last backup that can be used is older than twice the time between two backups in the settings. The shop goes on trying, and keeps the older backups.',
  },
  refuted: {
    title: 'A backup of the shop failed its verification',
    paragraph:
      'The last backup could not be restored into an empty database, or differed from what it should contain. The shop makes another one, and keeps the older backups.',
  },
};
type BackupProblem = keyof typeof texts;

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
    await enqueueForAdmins(transaction, enqueue, 'settings', [
      backupProblem,
      (adminId) => ({ adminId, problem }),
    ]);
  });
}

const formatTime = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function problemNotice(problem: BackupProblem, { last_at, failure }: BackupState): Notice {
  const { title, paragraph } = texts[problem];
  return {
    topic: 'shop',
    title,
    paragraphs: [
      paragraph,
      `docs/operations.md says what to do about each failure. The Health page shows the state of the backups. To see the stored backups, on the shop’s own machine: ${operatorCommand('admin', 'backups')}`,
    ],
    facts: [
      ['Last usable backup', last_at === null ? 'none' : formatTime(last_at)],
      ...(failure === null ? [] : [['Failure', failure] as const]),
    ],
    action: { label: 'See the health of the shop', path: '/dashboard/health' },
  };
}

/** Notifies an admin about a problem with the backups. */
export async function notifyProblem(
  { database, notifier }: { database: Database; notifier: Notifier },
  { adminId, problem }: { adminId: string; problem: BackupProblem },
  jobId: string,
): Promise<void> {
  const state = await readBackupState(database);
  await notifier.notify({ adminId, area: 'settings', event: jobId }, problemNotice(problem, state));
}
