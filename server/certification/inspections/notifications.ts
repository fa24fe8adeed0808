import * as z from 'zod/mini';
import { findLaptop } from '#server/listings/catalogue/steps.ts';
import { toRecipient } from '#server/people/accounts/rules.ts';
import { findUser } from '#server/people/accounts/steps.ts';
import type { Notifier } from '#server/people/notifications/rules.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { job } from '#server/platform/jobs/queue.ts';
import { findInspection } from './desk-store.ts';
import { decisionNotice, lockFoundNotice } from './notices.ts';
import { latestMeasurement } from './store.ts';

export interface NotificationDependencies {
  database: Database;
  notifier: Notifier;
}

/** An admin has decided about a laptop. */
export const inspectionDecided = job('inspections.decided', z.object({ inspectionId: z.string() }));

/** A lock was found on a laptop for sale. */
export const lockFound = job('inspections.lock-found', z.object({ laptopId: z.string() }));

/** The laptop and its seller; null when the account has ended. */
async function laptopWithSeller(database: Database, laptopId: string) {
  const laptop = await findLaptop(database, laptopId);
  const seller = laptop && (await findUser(database, laptop.seller_id));
  if (!laptop || !seller || seller.ended_at !== null) return null;
  return { laptop, seller: toRecipient(seller) };
}

/** Notifies the seller of a laptop about an admin's decision. */
export async function notifyDecided(
  { database, notifier }: NotificationDependencies,
  inspectionId: string,
  jobId: string,
): Promise<void> {
  const inspection = await findInspection(database, inspectionId);
  const found = inspection && (await laptopWithSeller(database, inspection.laptop_id));
  if (!inspection || !found) return;
  await notifier.notify(
    { userId: found.laptop.seller_id, event: jobId, laptopId: found.laptop.id },
    decisionNotice(found, inspection),
  );
}

/** Notifies the seller of a laptop on which a lock was found, unless it was released since. */
export async function notifyLockFound(
  { database, notifier }: NotificationDependencies,
  laptopId: string,
  jobId: string,
): Promise<void> {
  const found = await laptopWithSeller(database, laptopId);
  const measurement = await latestMeasurement(database, laptopId);
  if (found?.laptop.state !== 'blocked' || measurement === undefined) return;
  await notifier.notify(
    { userId: found.laptop.seller_id, event: jobId, laptopId: found.laptop.id },
    lockFoundNotice(found),
  );
}
