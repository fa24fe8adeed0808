import type * as z from 'zod/mini';
import type { NewLaptop } from '#contract/catalogue.ts';
import { readFacts } from '#contract/facts.ts';
import { lockActiveAccountForShare } from '../accounts/steps.ts';
import type { Database, Transaction } from '../database/tables.ts';
import { accountEnded, Refusal } from '../http/refusal.ts';
import type { Caller } from '../http/serve.ts';
import type { Enqueue } from '../jobs/queue.ts';
import { claimPhotos, isPhotoStored, type PhotoStorage, StorageError } from '../photos/steps.ts';
import * as listStore from './list-store.ts';
import type { ResponseCache } from './response-cache.ts';
import { type DetailedLaptop, factColumns, isShown } from './rules.ts';
import { laptopWithdrawn } from './steps.ts';
import * as store from './store.ts';

export interface CatalogueDependencies {
  database: Database;
  enqueue: Enqueue;
  /** Storage of the built-in image host; null when another host is configured. */
  photoStorage: PhotoStorage | null;
  /**
   * Converts a photo's URL to the stored form: a path for the shop's own photos, so that the origin can change.
   * @returns null for a URL that the configured image host cannot have returned
   */
  toStoredPhoto(url: string): string | null;
  /** Cleared after each change, so that the caller's next read shows it. */
  cache: ResponseCache;
}

/** @throws Refusal for an unknown brand */
export async function requireBrand(database: Database, brand: string): Promise<void> {
  if (!(await store.isBrand(database, brand))) {
    throw new Refusal('not_found', `The shop has no brand called ${brand}.`);
  }
}

/** Reads a laptop for its page. @throws Refusal with the reason if it has left the shop, or was sold long ago */
export async function readForPage(database: Database, id: string, now: Date): Promise<DetailedLaptop> {
  const found = await listStore.findForPage(database, id);
  if (found !== undefined && isShown(found, now)) return found;
  const laptop = await store.findLaptop(database, id);
  if (laptop === undefined) throw new Refusal('not_found', 'There is no such laptop in this shop.');
  // The refusal does not name a laptop that left the shop unsold.
  throw new Refusal(
    'no_longer_for_sale',
    laptop.state === 'sold' ? `${laptop.name} has been sold.` : 'This laptop has left the shop unsold.',
  );
}

/** Creates the refusal for invalid photos, with an error at each field. @param indexes of the photos, from 0 */
function invalidPhotos(indexes: readonly number[], sentence: string): Refusal {
  const fields = indexes.map((index) => (index === 0 ? 'image' : `images.${index}`));
  return new Refusal('invalid_input', `${sentence}.`, {
    errors: Object.fromEntries(fields.map((field) => [field, sentence])),
  });
}

const notUploaded = 'This photo was not uploaded to this shop, or was removed since; please choose it again';

/**
 * Converts a new laptop's photo URLs to their stored form and checks that each photo exists. It reads the photo storage,
 * so it runs before the transaction that lists the laptop. Any seller's photo is accepted: its URL contains the hash of
 * its bytes, so only a person who has or sees the photo knows it. Photos of another image host are not looked up.
 * @throws Refusal
 */
export async function requireStoredPhotos(
  { photoStorage, toStoredPhoto }: Pick<CatalogueDependencies, 'photoStorage' | 'toStoredPhoto'>,
  { image, images: urls = [image] }: z.output<typeof NewLaptop>,
): Promise<string[]> {
  const stored = urls.map((url) => toStoredPhoto(url));
  const foreignIndexes = stored.flatMap((photo, index) => (photo === null ? [index] : []));
  if (foreignIndexes.length > 0) {
    throw invalidPhotos(
      foreignIndexes,
      'Please upload the photo to this shop first; photos from elsewhere are not taken',
    );
  }
  const photos = stored.filter((photo) => photo !== null);
  if (photoStorage === null) return photos;
  try {
    const present = await Promise.all(photos.map((photo) => isPhotoStored(photoStorage, photo)));
    const missingIndexes = present.flatMap((isPresent, index) => (isPresent ? [] : [index]));
    if (missingIndexes.length > 0) throw invalidPhotos(missingIndexes, notUploaded);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const refusal = new Refusal(
      'busy',
      'The photos cannot be reached right now. Nothing was listed; please try again in a moment.',
    );
    refusal.cause = error;
    throw refusal;
  }
  return photos;
}

/**
 * Lists a laptop for a seller.
 * @param images its photos, from {@link requireStoredPhotos}
 * @returns its id
 * @throws Refusal for an unknown brand, a photo that was deleted, or an account that has ended
 */
export async function listForSale(
  transaction: Transaction,
  seller: Caller,
  laptop: z.output<typeof NewLaptop>,
  images: readonly string[],
): Promise<string> {
  if (!(await store.isBrand(transaction, laptop.category_Id))) {
    throw new Refusal('invalid_input', `The shop has no brand called ${laptop.category_Id}.`, {
      errors: { category_Id: 'Choose one of the brands' },
    });
  }
  if (!(await lockActiveAccountForShare(transaction, seller.userId))) throw accountEnded();
  const deleted = await claimPhotos(transaction, images);
  if (deleted.length > 0) {
    throw invalidPhotos(
      deleted.map((photo) => images.indexOf(photo)),
      notUploaded,
    );
  }
  return store.insert(transaction, {
    brand: laptop.category_Id,
    seller_id: seller.userId,
    name: laptop.name,
    location: laptop.location,
    images: [...images],
    description: JSON.stringify(laptop.description),
    ...factColumns(readFacts(laptop.description)),
    original_price_cents: laptop.original_price,
    resale_price_cents: laptop.resale_price,
    posted_time: laptop.posted_time ?? new Date().toLocaleString('en-US', { timeZoneName: 'short' }),
    use_time: laptop.use_time,
    mobile_number: laptop.mobile_number,
    condition: laptop.condition,
  });
}

const notOwnLaptop = () => new Refusal('not_found', 'There is no such laptop among your products.');

/** Locks a laptop for its owner. @throws Refusal when it is not the caller's or is sold */
async function lockOwnLaptop(transaction: Transaction, seller: Caller, id: string): Promise<store.LaptopRow> {
  const laptop = await store.selectLaptopForUpdate(transaction, id);
  if (laptop === undefined || laptop.seller_id !== seller.userId) {
    throw notOwnLaptop();
  }
  if (laptop.state === 'sold') {
    throw new Refusal('already_sold', `${laptop.name} is sold, so it stays on record as it is.`);
  }
  return laptop;
}

/**
 * Withdraws the seller's unsold laptop.
 * @returns rows changed: 0 when it was already withdrawn @throws Refusal
 */
export async function withdraw(
  { database, enqueue, cache }: CatalogueDependencies,
  seller: Caller,
  id: string,
): Promise<number> {
  const deletedCount = await database.transaction().execute(async (transaction) => {
    const laptop = await lockOwnLaptop(transaction, seller, id);
    if (laptop.state === 'withdrawn') return 0;
    await store.withdraw(transaction, id);
    await enqueue(transaction, laptopWithdrawn, { laptopId: id });
    return 1;
  });
  cache.clear();
  return deletedCount;
}

/** Advertises the seller's unsold laptop. @returns rows changed: 0 when it already was advertised @throws Refusal */
export async function advertise(
  { database, cache }: CatalogueDependencies,
  seller: Caller,
  id: string,
): Promise<number> {
  const modifiedCount = await database.transaction().execute(async (transaction) => {
    const laptop = await lockOwnLaptop(transaction, seller, id);
    if (laptop.state === 'withdrawn') throw notOwnLaptop();
    if (laptop.state !== 'available') {
      throw new Refusal('not_found', `${laptop.name} was taken down, so it cannot be advertised.`);
    }
    if (laptop.advertised_at !== null) return 0;
    await store.advertise(transaction, id);
    return 1;
  });
  cache.clear();
  return modifiedCount;
}
