// How payments follow what happens to a laptop.

import { type LaptopRow, selectLaptopForShare } from '#server/listings/catalogue/steps.ts';
import type { LaptopEvents, Reaction } from '#server/listings/events.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { formatWait, Refusal } from '#server/platform/http/refusal.ts';
import { paymentWindowEnd } from '../bookings/steps.ts';
import { closeIntents } from './attempts.ts';
import { CardProcessorUnavailable } from './card-processor.ts';
import type { PaymentDependencies } from './dependencies.ts';
import { laptopUnavailable } from './steps.ts';
import { openIntents, readDatabaseTime } from './store.ts';

/** @throws Refusal while a buyer has the payment window of a locked laptop */
async function requireNoPaymentWindow(transaction: Transaction, laptop: LaptopRow): Promise<void> {
  const now = new Date();
  const paymentWindowEndsAt = await paymentWindowEnd(transaction, laptop.id, now);
  if (paymentWindowEndsAt === null) return;
  throw new Refusal(
    'somebody_is_paying',
    `Somebody is paying for ${laptop.name} right now, as it is described. Nothing was saved; please try again ${formatWait(paymentWindowEndsAt, now)}.`,
    { retryAt: paymentWindowEndsAt },
  );
}

const paymentsOf = (laptop: LaptopRow) => ({ column: 'laptop_id', id: laptop.id }) as const;

/**
 * Closes the open payment attempts for a laptop that is about to change, so that none buys what its buyer did not see. A payment that
 * has succeeded meanwhile is applied: the laptop is sold then. It asks the card processor, so it runs before the transaction that
 * changes the laptop.
 * @throws Refusal `card_processor_unavailable`, and that of {@link requireNoPaymentWindow}
 */
export async function closeAttempts(
  dependencies: PaymentDependencies,
  { laptopId, sellerId, version }: Parameters<LaptopEvents['changeRequested'][number]>[0],
): Promise<void> {
  const open = await dependencies.database.transaction().execute(async (transaction) => {
    const laptop = await selectLaptopForShare(transaction, laptopId);
    // The change refuses these. A retry of a request that has just been committed gets its stored response before that.
    if (laptop?.seller_id !== sellerId || laptop.state !== 'available') return [];
    if (laptop.version !== version) return [];
    await requireNoPaymentWindow(transaction, laptop);
    return openIntents(transaction, paymentsOf(laptop));
  });
  try {
    await closeIntents(dependencies, open);
  } catch (error) {
    if (!(error instanceof CardProcessorUnavailable)) throw error;
    throw new Refusal(
      'card_processor_unavailable',
      'The card processor cannot be reached, and it still has a payment for the laptop as it is described now. Nothing was saved; please try again in a moment.',
    );
  }
}

/** Refuses to change a laptop while a buyer pays for it, or a payment is open. */
export const refuseWhilePaid: LaptopEvents['changing'][number] = async (transaction, { before }) => {
  await requireNoPaymentWindow(transaction, before);
  if ((await openIntents(transaction, paymentsOf(before))).length > 0) {
    throw new Refusal(
      'somebody_is_paying',
      `The card processor is still working on a payment for ${before.name}, so it cannot be changed now. Nothing was saved; please try again in a minute.`,
    );
  }
};

/** Closes the open payment attempts of a laptop that left the shop unsold, and tells the buyers of its bookings; in a job. */
export const cancelUnpaidSales: Reaction<{ laptopId: string }> = async (
  transaction,
  { laptopId },
  enqueue,
) => {
  const at = await readDatabaseTime(transaction);
  await enqueue(transaction, laptopUnavailable, { laptopId, at: at.toISOString() });
};
