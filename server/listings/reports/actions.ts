import type * as z from 'zod/mini';
import type { NewReport } from '#contract/listings/reports.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { findLaptop, type LaptopRow, selectLaptopForUpdate, takeLaptopDown } from '../catalogue/steps.ts';
import type { PublishDependencies } from '../events.ts';
import { reportResolved, takenDown } from './notifications.ts';
import * as store from './store.ts';

export type ReportDependencies = Pick<Context, 'database' | 'cache'> & PublishDependencies;

/**
 * Files a report; one of a user about a laptop at a time.
 * @returns the new id, or the refusal as a sentence @throws Refusal for an unknown laptop
 */
export async function fileReport(
  transaction: Transaction,
  caller: Caller,
  { productCode, reason, note }: z.output<typeof NewReport>,
): Promise<{ insertedId: string; name: string } | { refusal: string }> {
  const laptop = await findLaptop(transaction, productCode);
  if (laptop === undefined || laptop.state === 'withdrawn') {
    throw new Refusal('not_found', 'There is no such laptop in this shop.');
  }
  if (laptop.seller_id === caller.userId) return { refusal: `${laptop.name} is your own product.` };
  const insertedId = await store.insertReport(transaction, {
    laptop_id: laptop.id,
    reporter_id: caller.userId,
    reason,
    note: note ?? '',
    resolution: null,
  });
  return insertedId === null
    ? { refusal: `You already reported ${laptop.name}. An admin will look at it.` }
    : { insertedId, name: laptop.name };
}

/**
 * Resolves a laptop's open reports, records it in the audit trail and queues emails to the reporters.
 * @returns the number of resolved reports: 0 when they were already resolved in the same way, as on a retried call
 * @throws Refusal when none is open and the latest was resolved in another way
 */
async function resolveReports(
  transaction: Transaction,
  enqueue: Enqueue,
  admin: Caller,
  { laptop, resolution, note }: { laptop: LaptopRow; resolution: 'dismissed' | 'taken_down'; note: string },
): Promise<number> {
  const reports = await store.resolveReports(transaction, laptop.id, resolution);
  if (reports.length === 0) {
    if ((await store.readLatestResolution(transaction, laptop.id)) === resolution) return 0;
    throw new Refusal(
      'not_found',
      'There are no open reports of this laptop. Perhaps another admin was faster.',
    );
  }
  await recordAudit(transaction, {
    adminId: admin.userId,
    act: resolution === 'dismissed' ? 'Dismissed reports' : 'Took laptop down',
    laptopId: laptop.id,
    personIds: [laptop.seller_id],
    subject: laptop.name,
    note,
  });
  for (const { id, byPerson } of reports) {
    if (byPerson) await enqueue(transaction, reportResolved, { reportId: id });
  }
  return reports.length;
}

async function lockReportedLaptop(transaction: Transaction, laptopId: string): Promise<LaptopRow> {
  const laptop = await selectLaptopForUpdate(transaction, laptopId);
  if (laptop === undefined) throw new Refusal('not_found', 'There are no reports of such a laptop.');
  return laptop;
}

/** Dismisses a laptop's open reports. @returns their number @throws Refusal */
export function dismiss(
  { database, enqueue }: ReportDependencies,
  admin: Caller,
  { laptopId, note }: { laptopId: string; note: string },
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const laptop = await lockReportedLaptop(transaction, laptopId);
    return resolveReports(transaction, enqueue, admin, { laptop, resolution: 'dismissed', note });
  });
}

/** Takes a reported laptop down. @returns the number of reports that this resolves @throws Refusal */
export async function takeDown(
  { database, cache, ...publishing }: ReportDependencies,
  admin: Caller,
  { laptopId, note }: { laptopId: string; note: string },
): Promise<number> {
  const { enqueue } = publishing;
  const count = await database.transaction().execute(async (transaction) => {
    const laptop = await lockReportedLaptop(transaction, laptopId);
    if (laptop.state === 'sold') {
      throw new Refusal('already_sold', `${laptop.name} is sold and paid for, which stays on record.`);
    }
    // A retried call: the laptop is already taken down and has had no report since.
    const latestResolution = await store.readLatestResolution(transaction, laptop.id);
    if (laptop.state === 'taken_down' && latestResolution === 'taken_down') return 0;
    if (laptop.state !== 'available' && laptop.state !== 'blocked') {
      throw new Refusal(
        'not_found',
        `${laptop.name} has left the shop already. Its reports can be dismissed.`,
      );
    }
    const resolved = await resolveReports(transaction, enqueue, admin, {
      laptop,
      resolution: 'taken_down',
      note,
    });
    await takeLaptopDown(transaction, publishing, laptop.id, note);
    await enqueue(transaction, takenDown, { laptopId: laptop.id, note });
    return resolved;
  });
  await cache.waitForInvalidation();
  return count;
}
