import * as z from 'zod/mini';
import { findEmailRecipient } from '#server/people/accounts/steps.ts';
import type { Notifier } from '#server/people/notifications/rules.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { job } from '#server/platform/jobs/queue.ts';
import { findLaptop } from '../catalogue/steps.ts';
import * as notices from './notices.ts';
import * as store from './store.ts';

export interface NotificationDependencies {
  database: Database;
  notifier: Notifier;
}

/** A report was dismissed or led to a take-down. */
export const reportResolved = job('moderation.report-resolved', z.object({ reportId: z.string() }));

/** A laptop was taken down, with the admin's note. */
export const takenDown = job('moderation.taken-down', z.object({ laptopId: z.string(), note: z.string() }));

/** Notifies the reporter how a report was resolved. */
export async function notifyReporter(
  { database, notifier }: NotificationDependencies,
  reportId: string,
  jobId: string,
): Promise<void> {
  const report = await store.findPersonReport(database, reportId);
  const laptop = report && (await findLaptop(database, report.laptop_id));
  const seller = laptop && (await findEmailRecipient(database, laptop.seller_id));
  if (!report || !laptop || !seller || report.resolution === null) return;
  const reported = { laptop, seller };
  await notifier.notify(
    { userId: report.reporter_id, event: jobId, laptopId: laptop.id },
    notices.reportResolvedNotice(report, report.resolution, reported),
  );
}

/** Notifies the seller of a laptop that was taken down. */
export async function notifyTakenDown(
  { database, notifier }: NotificationDependencies,
  { laptopId, note }: { laptopId: string; note: string },
  jobId: string,
): Promise<void> {
  const laptop = await findLaptop(database, laptopId);
  const seller = laptop && (await findEmailRecipient(database, laptop.seller_id));
  if (!laptop || !seller) return;
  const notice = notices.takenDownNotice(seller, laptop, note);
  await notifier.notify({ userId: laptop.seller_id, event: jobId, laptopId: laptop.id }, notice);
}
