import * as z from 'zod/mini';
import { toRecipient } from '../accounts/rules.ts';
import { activeAdmins, findUser } from '../accounts/steps.ts';
import type { Database } from '../database/tables.ts';
import { type Enqueue, job } from '../jobs/queue.ts';
import type { EmailSender } from '../vendors/email.ts';
import { type BackupProblem, backupProblemEmail } from './emails.ts';
import { readBackupState, takeNotification } from './store.ts';

export interface NotificationDependencies {
  database: Database;
  emailSender: EmailSender;
  origin: string;
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

/** Emails an admin about a problem with the backups. */
export async function notifyProblem(
  { database, emailSender, origin }: NotificationDependencies,
  { adminId, problem }: { adminId: string; problem: BackupProblem },
): Promise<void> {
  const admin = await findUser(database, adminId);
  if (admin === undefined || admin.ended_at !== null) return;
  const state = await readBackupState(database);
  await emailSender.send(backupProblemEmail(toRecipient(admin), problem, state, origin));
}
