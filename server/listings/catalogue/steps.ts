import * as z from 'zod/mini';
import type { FoundLaptop } from '#contract/listings/search.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';
import { type Enqueue, job } from '#server/platform/jobs/queue.ts';
import { releasePhotos } from '../photos/steps.ts';
import * as listStore from './list-store.ts';
import { foundLaptopResponse } from './rules.ts';
import * as store from './store.ts';

export {
  CATALOGUE_CHANNEL,
  laptopDependencies,
  laptopTag,
  newestTag,
  offersTag,
  SEARCH_TAG,
  sellerTag,
} from './change-tags.ts';
export { availableOfSeller as laptopsOfSeller, findListed as findListedLaptop } from './list-store.ts';
export {
  claimHostedPhotos,
  giveSlipCode,
  listForSale,
  type PhotoDependencies,
  replaceListing,
  requireHostedPhotos,
  requireStoredPhotos,
} from './listing.ts';
export { byPhotoUrl } from './rules.ts';
export {
  endEvidenceOfReturnedMachine,
  findLaptop,
  isMeasurementNeeded,
  type LaptopRow,
  relist as relistLaptop,
  removeSellerContacts,
  returnLaptop,
  selectLaptopForShare,
  selectLaptopForUpdate,
  sellLaptop,
  setLevel,
} from './store.ts';

export { hasFactsToRead } from './stored-facts.ts';

/** The job after a laptop left the shop unsold. Payments handles it: closes open attempts and notifies the buyers. */
export const laptopWithdrawn = job('catalogue.laptop-withdrawn', z.object({ laptopId: z.string() }));

/** Reads laptops for sale by their numbers, without those that were sold or withdrawn meanwhile. */
export async function foundLaptopsByNumber(
  reader: Reader,
  numbers: readonly number[],
  origin: string,
): Promise<Map<number, FoundLaptop>> {
  if (numbers.length === 0) return new Map();
  const rows = await listStore.availableByNumbers(reader, numbers);
  return new Map(rows.map((row) => [Number(row.number), foundLaptopResponse(row, origin)]));
}

/**
 * Reads laptops for sale for a list of results, in the order of their numbers.
 * @returns without the laptops that were sold or withdrawn meanwhile
 */
export async function foundLaptops(
  reader: Reader,
  numbers: readonly number[],
  origin: string,
): Promise<FoundLaptop[]> {
  const found = await foundLaptopsByNumber(reader, numbers, origin);
  return numbers.flatMap((number) => found.get(number) ?? []);
}

/** Withdraws all unsold laptops of a seller. */
export async function withdrawLaptopsOf(
  transaction: Transaction,
  enqueue: Enqueue,
  sellerId: string,
): Promise<void> {
  for (const laptopId of await store.withdrawAll(transaction, sellerId)) {
    await enqueue(transaction, laptopWithdrawn, { laptopId });
  }
}

/** Takes a locked, available laptop down, with the admin's note. */
export async function takeLaptopDown(
  transaction: Transaction,
  enqueue: Enqueue,
  id: string,
  note: string,
): Promise<void> {
  await store.takeDown(transaction, id, note);
  await enqueue(transaction, laptopWithdrawn, { laptopId: id });
}

/** Releases the photos of a seller's withdrawn laptops for deletion. */
export async function releaseUnsoldPhotos(transaction: Transaction, sellerId: string): Promise<void> {
  await releasePhotos(transaction, await store.replacePhotos(transaction, sellerId));
}
