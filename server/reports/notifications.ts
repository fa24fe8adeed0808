import * as z from 'zod/mini';
import { toRecipient } from '../accounts/rules.ts';
import { findUser } from '../accounts/steps.ts';
import { findLaptop } from '../catalogue/steps.ts';
import type { Database } from '../database/tables.ts';
import { job } from '../jobs/queue.ts';
import type { EmailSender } from '../vendors/email.ts';
import * as emails from './emails.ts';
import * as store from './store.ts';

export interface NotificationDependencies {
  database: Database;
  emailSender: EmailSender;
  origin: string;
}

/** A report was dismissed or led to a take-down. */
export const reportResolved = job('moderation.report-resolved', z.object({ reportId: z.string() }));

/** A laptop was taken down, with the admin's note. */
export const takenDown = job('moderation.taken-down', z.object({ laptopId: z.string(), note: z.string() }));

/** Emails the reporter how a report was resolved. */
export async function notifyReporter(
  { database, emailSender, origin }: NotificationDependencies,
  reportId: string,
): Promise<void> {
  const report = await store.findPersonReport(database, reportId);
  const laptop = report && (await findLaptop(database, report.laptop_id));
  const seller = laptop && (await findUser(database, laptop.seller_id));
  if (!report || !laptop || !seller || report.resolution === null) return;
  const reported = { laptop, seller: toRecipient(seller) };
  await emailSender.send(emails.reportResolvedEmail(report, report.resolution, reported, origin));
}

/** Emails the seller of a laptop that was taken down, unless the account has ended. */
export async function notifyTakenDown(
  { database, emailSender, origin }: NotificationDependencies,
  { laptopId, note }: { laptopId: string; note: string },
): Promise<void> {
  const laptop = await findLaptop(database, laptopId);
  const seller = laptop && (await findUser(database, laptop.seller_id));
  if (!laptop || !seller || seller.ended_at !== null) return;
  await emailSender.send(emails.takenDownEmail(toRecipient(seller), laptop, note, origin));
}
