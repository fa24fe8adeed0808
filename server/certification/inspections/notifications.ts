import * as z from 'zod/mini';
import { findLaptop } from '#server/listings/catalogue/steps.ts';
import { toRecipient } from '#server/people/accounts/rules.ts';
import { findUser } from '#server/people/accounts/steps.ts';
import { notification } from '#server/people/notifications/steps.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { findInspection } from './inspection-queue-store.ts';
import { decisionText, deviceLockFoundText } from './notification-texts.ts';
import { latestMeasurement } from './store.ts';

/** The laptop and its seller; null when the account has ended. */
async function laptopWithSeller(database: Database, laptopId: string) {
  const laptop = await findLaptop(database, laptopId);
  const seller = laptop && (await findUser(database, laptop.seller_id));
  if (!laptop || !seller || seller.ended_at !== null) return null;
  return { laptop, seller: toRecipient(seller) };
}

/** An admin has decided about a laptop. Its seller is told. */
export const inspectionDecided = notification(
  'inspections.decided',
  z.object({ inspectionId: z.string() }),
  async ({ database }, { inspectionId }) => {
    const inspection = await findInspection(database, inspectionId);
    const found = inspection && (await laptopWithSeller(database, inspection.laptop_id));
    if (!inspection || !found) return null;
    const { laptop } = found;
    return { userId: laptop.seller_id, laptopId: laptop.id, text: decisionText(found, inspection) };
  },
);

/** A lock was found on a laptop for sale. Its seller is told, unless it was released since. */
export const deviceLockFound = notification(
  'inspections.device-lock-found',
  z.object({ laptopId: z.string() }),
  async ({ database }, { laptopId }) => {
    const found = await laptopWithSeller(database, laptopId);
    const measurement = await latestMeasurement(database, { laptop_id: laptopId });
    if (found?.laptop.state !== 'blocked' || measurement === undefined) return null;
    return { userId: found.laptop.seller_id, laptopId, text: deviceLockFoundText(found) };
  },
);
