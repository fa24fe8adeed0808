import * as z from 'zod/mini';
import { toRecipient } from '../accounts/rules.ts';
import { findUser } from '../accounts/steps.ts';
import { findLaptop } from '../catalogue/steps.ts';
import type { Database } from '../database/tables.ts';
import { job } from '../jobs/queue.ts';
import type { EmailSender } from '../vendors/email.ts';
import { findInspection } from './desk-store.ts';
import { decisionEmail, lockFoundEmail } from './emails.ts';
import { latestMeasurement } from './store.ts';

export interface NotificationDependencies {
  database: Database;
  emailSender: EmailSender;
  origin: string;
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

/** Emails the seller of a laptop about an admin's decision. */
export async function notifyDecided(
  { database, emailSender, origin }: NotificationDependencies,
  inspectionId: string,
): Promise<void> {
  const inspection = await findInspection(database, inspectionId);
  const found = inspection && (await laptopWithSeller(database, inspection.laptop_id));
  if (inspection && found) await emailSender.send(decisionEmail(found, inspection, origin));
}

/** Emails the seller of a laptop on which a lock was found, unless it was released since. */
export async function notifyLockFound(
  { database, emailSender, origin }: NotificationDependencies,
  laptopId: string,
): Promise<void> {
  const found = await laptopWithSeller(database, laptopId);
  const measurement = await latestMeasurement(database, laptopId);
  if (found?.laptop.state !== 'blocked' || measurement === undefined) return;
  await emailSender.send(lockFoundEmail(found, origin));
}
