import * as z from 'zod/mini';
import { findEmailRecipient } from '#server/people/accounts/steps.ts';
import { notification } from '#server/people/notifications/steps.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { findLaptop } from '../catalogue/steps.ts';
import * as texts from './notification-texts.ts';
import * as store from './store.ts';

async function laptopWithSeller(database: Database, laptopId: string) {
  const laptop = await findLaptop(database, laptopId);
  const seller = laptop && (await findEmailRecipient(database, laptop.seller_id));
  return laptop && seller && { laptop, seller };
}

/** A report was dismissed or led to a take-down. The reporter is told. */
export const reportResolved = notification(
  'moderation.report-resolved',
  z.object({ reportId: z.string() }),
  async ({ database }, { reportId }) => {
    const report = await store.findPersonReport(database, reportId);
    const reported = report && (await laptopWithSeller(database, report.laptop_id));
    if (!report || !reported || report.resolution === null) return null;
    const text = texts.reportResolvedText(report, report.resolution, reported);
    return { userId: report.reporter_id, laptopId: reported.laptop.id, text };
  },
);

/** A laptop was taken down, with the admin's note. Its seller is told. */
export const takenDown = notification(
  'moderation.taken-down',
  z.object({ laptopId: z.string(), note: z.string() }),
  async ({ database }, { laptopId, note }) => {
    const found = await laptopWithSeller(database, laptopId);
    if (!found) return null;
    const { laptop, seller } = found;
    return { userId: laptop.seller_id, laptopId, text: texts.takenDownText(seller, laptop, note) };
  },
);
