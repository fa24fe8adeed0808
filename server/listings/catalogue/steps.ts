import type { FoundLaptop } from '#contract/listings/search.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import { type PublishDependencies, publish } from '../events.ts';
import { photosReleased, releasePhotos } from '../photos/steps.ts';
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
export { findListed as findListedLaptop, readList as listLaptops } from './list-store.ts';
export {
  giveSlipCode,
  keepHostedPhotos,
  type PhotoDependencies,
  requireHostedPhotos,
} from './listing.ts';
export { byPhotoUrl } from './rules.ts';
export {
  eraseSellerTexts,
  findLaptop,
  isMeasurementNeeded,
  type LaptopRow,
  lockBrandByName,
  lockLaptopsOfBrand,
  moveToBrand,
  returnListingToSeller as returnLaptop,
  selectLaptopForShare,
  selectLaptopForUpdate,
  sellLaptop,
  setLevel,
} from './store.ts';

export { hasFactsToRead } from './stored-facts.ts';

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
  { enqueue, laptopEvents }: Omit<PublishDependencies, 'shop'>,
  sellerId: string,
): Promise<void> {
  for (const laptopId of await store.withdrawAll(transaction, sellerId)) {
    await publish(transaction, laptopEvents.withdrawn, { laptopId }, enqueue);
  }
}

/** Takes a locked, available laptop down, with the admin's note. */
export async function takeLaptopDown(
  transaction: Transaction,
  { enqueue, laptopEvents }: Omit<PublishDependencies, 'shop'>,
  id: string,
  note: string,
): Promise<void> {
  await store.takeDown(transaction, id, note);
  await publish(transaction, laptopEvents.takenDown, { laptopId: id }, enqueue);
}

/** Releases the photos of a seller's withdrawn laptops; a job deletes all released photos after the transaction. */
export async function releaseUnsoldPhotos(
  transaction: Transaction,
  enqueue: Enqueue,
  sellerId: string,
): Promise<void> {
  await releasePhotos(transaction, await store.removePhotos(transaction, sellerId));
  await enqueue(transaction, photosReleased, {});
}
