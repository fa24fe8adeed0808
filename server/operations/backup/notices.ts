import type { Notice } from '#server/people/notifications/rules.ts';
import type { BackupState } from './store.ts';

/** Why admins are told: no usable backup for too long, or a backup that cannot be restored. */
export type BackupProblem = 'overdue' | 'refuted';

const texts: Readonly<Record<BackupProblem, { title: string; paragraph: string }>> = {
  overdue: {
    title: 'The shop’s last backup is too old',
    paragraph:
      'The last backup that can be used is older than twice the interval in BACKUP_EVERY. The shop goes on trying, and keeps the older backups.',
  },
  refuted: {
    title: 'A backup of the shop failed its verification',
    paragraph:
      'The last backup could not be restored into an empty database, or differed from what it should contain. The shop makes another one, and keeps the older backups.',
  },
};

const formatTime = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The notice to an admin about a problem with the backups. */
export function backupProblemNotice(
  problem: BackupProblem,
  { last, failure }: Pick<BackupState, 'last' | 'failure'>,
): Notice {
  const { title, paragraph } = texts[problem];
  return {
    topic: 'shop',
    title,
    paragraphs: [
      paragraph,
      'docs/operations.md says what to do about each failure. The Health page shows the state of the backups. To see the stored backups, on the shop’s own machine: npm run admin -- backups',
    ],
    facts: [
      ['Last usable backup', last === null ? 'none' : formatTime(last.at)],
      ...(failure === null ? [] : [['Failure', failure] as const]),
    ],
    action: { label: 'See the health of the shop', path: '/dashboard/health' },
  };
}
