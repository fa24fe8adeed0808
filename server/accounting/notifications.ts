import * as z from 'zod/mini';
import { toRecipient } from '../accounts/rules.ts';
import { findUser } from '../accounts/steps.ts';
import type { Database } from '../database/tables.ts';
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
