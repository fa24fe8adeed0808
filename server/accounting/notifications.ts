import * as z from 'zod/mini';
import { toRecipient } from '../accounts/rules.ts';
import { findUser } from '../accounts/steps.ts';
import type { Database, Transaction } from '../database/tables.ts';
import { job } from '../jobs/queue.ts';
import type { EmailSender } from '../vendors/email.ts';
import { differencesEmail } from './emails.ts';
import * as store from './store.ts';

export interface NotificationDependencies {
  database: Database;
  emailSender: EmailSender;
  origin: string;
}

/** A comparison found new differences. `ids` are some of the `total` new ones. */
export const differencesFound = job(
  'accounting.differences-found',
  z.object({ adminId: z.string(), ids: z.array(z.string()), total: z.number() }),
);

/** The ids of the admins that are told of differences. */
export async function notifiedAdmins(transaction: Transaction): Promise<string[]> {
  const rows = await transaction
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'Admin')
    .where('ended_at', 'is', null)
    .orderBy('number')
    .execute();
  return rows.map(({ id }) => id);
}

/** Emails an admin about new differences. */
export async function notifyDifferences(
  { database, emailSender, origin }: NotificationDependencies,
  { adminId, ids, total }: { adminId: string; ids: string[]; total: number },
): Promise<void> {
  const admin = await findUser(database, adminId);
  if (admin === undefined || admin.ended_at !== null) return;
  const differences = await store.findByIds(database, ids);
  await emailSender.send(differencesEmail(toRecipient(admin), { differences, total }, origin));
}
