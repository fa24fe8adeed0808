import type * as z from 'zod/mini';
import { type ChangedLaptop, MAXIMUM_AGREED_PRICES, type OwnListing } from '#contract/listings/catalogue.ts';
import { dollarsFromCents } from '#contract/platform/scalars.ts';
import { type LevelDependencies, updateLevel } from '#server/certification/inspections/steps.ts';
import { ownLaptopResponse } from '#server/listings/catalogue/rules.ts';
import {
  findListedLaptop,
  type LaptopRow,
  replaceListing,
  selectLaptopForShare,
  selectLaptopForUpdate,
} from '#server/listings/catalogue/steps.ts';
import { lockActiveAccountForShare } from '#server/people/accounts/steps.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { accountEnded, formatWait, Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { announcePrice, countByAgreedPrice, laptopHeldUntil } from '../bookings/steps.ts';
import { closeIntents } from './attempts.ts';
import { CardProcessorUnavailable } from './cards.ts';
import type { PaymentDependencies } from './dependencies.ts';
import { openIntents } from './store.ts';

// A laptop is changed here, and not in the catalogue, because its price decides what a payment may charge.

type Change = z.output<typeof ChangedLaptop>;

const notOwnLaptop = () => new Refusal('not_found', 'There is no such laptop among your products.');

/** @throws Refusal when a locked laptop is not the seller's, is not for sale, or is not the version that was changed */
function requireChangeable(
  laptop: LaptopRow | undefined,
  seller: Caller,
  { version }: Pick<Change, 'version'>,
): LaptopRow {
  if (laptop === undefined || laptop.seller_id !== seller.userId) throw notOwnLaptop();
  switch (laptop.state) {
    case 'sold':
      throw new Refusal('already_sold', `${laptop.name} is sold, so it stays on record as it is.`);
    case 'taken_down':
      throw new Refusal(
        'no_longer_for_sale',
        `The shop took ${laptop.name} down, so it cannot be changed. Nothing was saved.`,
      );
    case 'blocked':
      throw new Refusal(
        'no_longer_for_sale',
        `A lock was found on ${laptop.name}. Nothing was saved; please have the lock released, measure the laptop again, and change it then.`,
      );
    case 'withdrawn':
      throw new Refusal(
        'no_longer_for_sale',
        `${laptop.name} is withdrawn. Nothing was saved; please sell it again first, and change it then.`,
      );
    case 'available':
      if (laptop.version === version) return laptop;
      throw new Refusal(
        'changed_elsewhere',
        `${laptop.name} was changed in the meantime, perhaps in another tab. Nothing was saved.`,
      );
  }
}

/** @throws Refusal while a buyer holds a locked laptop to pay for it */
async function requireUnheld(transaction: Transaction, laptop: LaptopRow): Promise<void> {
  const now = new Date();
  const heldUntil = await laptopHeldUntil(transaction, laptop.id, now);
  if (heldUntil === null) return;
  throw new Refusal(
    'somebody_is_paying',
    `Somebody is paying for ${laptop.name} right now, as it is described. Nothing was saved; please try again ${formatWait(heldUntil, now)}.`,
    { retryAt: heldUntil },
  );
}

const paymentsOf = (laptop: LaptopRow) => ({ column: 'laptop_id', id: laptop.id }) as const;

/**
 * Closes the open payment attempts for a laptop whose price is about to change, so that none charges the old price. A
 * payment that has succeeded meanwhile is settled: the laptop is sold then. It asks the card processor, so it runs before
 * the transaction that changes the laptop.
 * @throws Refusal `card_processor_unavailable`, and that of {@link requireUnheld}
 */
export async function closeAttemptsAtOldPrice(
  dependencies: PaymentDependencies,
  seller: Caller,
  id: string,
  change: Change,
): Promise<void> {
  const open = await dependencies.database.transaction().execute(async (transaction) => {
    const laptop = await selectLaptopForShare(transaction, id);
    // `changeLaptop` refuses these. A retry of a request that has just been committed gets its stored response before that.
    if (laptop?.seller_id !== seller.userId || laptop.state !== 'available') return [];
    if (laptop.version !== change.version) return [];
    await requireUnheld(transaction, laptop);
    const isSamePrice = laptop.resale_price_cents === change.resale_price;
    return isSamePrice ? [] : openIntents(transaction, paymentsOf(laptop));
  });
  try {
    await closeIntents(dependencies, open);
  } catch (error) {
    if (!(error instanceof CardProcessorUnavailable)) throw error;
    throw new Refusal(
      'card_processor_unavailable',
      'The card processor cannot be reached, and it still has a payment at the old price. Nothing was saved; please try again in a moment.',
    );
  }
}

/**
 * Changes the seller's laptop that is for sale, and enqueues emails about a new price. Call
 * {@link closeAttemptsAtOldPrice} before.
 * @param images its photos in their stored form
 * @throws Refusal when it is not the seller's, was changed since the version, cannot be changed now, or is being paid for
 */
export async function changeLaptop(
  transaction: Transaction,
  dependencies: LevelDependencies,
  seller: Caller,
  { id, change, images }: { id: string; change: Change; images: readonly string[] },
): Promise<void> {
  const { enqueue } = dependencies;
  if (!(await lockActiveAccountForShare(transaction, seller.userId))) throw accountEnded();
  const laptop = requireChangeable(await selectLaptopForUpdate(transaction, id), seller, change);
  await requireUnheld(transaction, laptop);
  const isNewPrice = laptop.resale_price_cents !== change.resale_price;
  if (isNewPrice && (await openIntents(transaction, paymentsOf(laptop))).length > 0) {
    throw new Refusal(
      'somebody_is_paying',
      `The card processor is still working on a payment for ${laptop.name}, so its price cannot change now. Nothing was saved; please try again in a minute.`,
    );
  }
  await replaceListing(transaction, laptop, change, images);
  await updateLevel(transaction, dependencies, id);
  if (isNewPrice) await announcePrice(transaction, enqueue, { id, priceVersion: laptop.version + 1 });
}

/** Reads one of the seller's laptops for the form that changes it. @throws Refusal when it is not the seller's */
export function readOwnListing(
  database: Database,
  seller: Caller,
  id: string,
  origin: string,
): Promise<OwnListing> {
  return database.transaction().execute(async (transaction) => {
    const laptop = await selectLaptopForShare(transaction, id);
    const listed = await findListedLaptop(transaction, id);
    if (laptop === undefined || listed === undefined || laptop.seller_id !== seller.userId) {
      throw notOwnLaptop();
    }
    const isForSale = laptop.state === 'available';
    const agreed = isForSale ? await countByAgreedPrice(transaction, id, MAXIMUM_AGREED_PRICES) : [];
    const heldUntil = isForSale ? await laptopHeldUntil(transaction, id, new Date()) : null;
    return {
      ...ownLaptopResponse(listed, origin),
      slipCode: laptop.slip_code,
      version: laptop.version,
      unpaidBookings: agreed.map(({ price_cents, count }) => ({
        agreedPrice: dollarsFromCents(price_cents),
        count,
      })),
      ...(heldUntil !== null && { heldUntil: heldUntil.toISOString() }),
    };
  });
}
