import * as z from 'zod/mini';
import type { NotificationText } from '#server/people/notifications/rules.ts';
import { notification } from '#server/people/notifications/steps.ts';
import type { Database } from '#server/platform/database/tables.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
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

const formatTime = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function problemText(problem: BackupProblem, { last_at, failure }: BackupState): NotificationText {
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

/** The backups of the shop have a problem. The admins are told. */
export const backupProblem = notification(
  'backup.problem',
  z.object({ problem: z.enum(['overdue', 'refuted']) }),
  async ({ database }, { problem }) => ({
    admins: 'settings',
    text: problemText(problem, await readBackupState(database)),
  }),
);

/** Tells each admin of a problem, once until there is a usable backup again. */
export async function enqueueProblem(
  { database, enqueue }: { database: Database; enqueue: Enqueue },
  problem: BackupProblem,
  now: Date,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    if (await takeNotification(transaction, now)) await enqueue(transaction, backupProblem, { problem });
  });
}
